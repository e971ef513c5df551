package conform

import (
	"bytes"
	"encoding/hex"
	"strconv"
)

// The operations of the protocol.
const (
	opHash = "hash"
	opSlot = "slot"
	opOwns = "owns"
	opKey  = "key"
	opDeal = "deal"
	opJSON = "json"
)

const (
	absent  = "-"     // an attribute, or a key, that is not there
	refusal = "error" // the first word of an answer that refuses the request
)

// A request is one line to the port, without its number, and the answer that is due.
type request struct {
	from string // where it comes from, for reports
	line []byte
	want []byte // just "error" where the port must refuse
}

// clone detaches a generated request from the generator's buffers.
func (r *request) clone() *request {
	return &request{r.from, bytes.Clone(r.line), bytes.Clone(r.want)}
}

func (r *request) op() string {
	op, _, _ := bytes.Cut(r.line, []byte{'\t'})
	return string(op)
}

// fields returns the fields behind the operation.
func (r *request) fields() [][]byte { return bytes.Split(r.line, []byte{'\t'})[1:] }

// keys returns the byte strings of the request: a key, attributes (nil where absent), or a body.
func (r *request) keys() [][]byte {
	fields := r.fields()
	switch r.op() {
	case opHash, opSlot, opOwns, opJSON:
		fields = fields[:1]
	case opDeal:
		fields = nil
	}
	keys := make([][]byte, len(fields))
	for i, field := range fields {
		keys[i] = unhex(field)
	}
	return keys
}

// strings returns what the port must be able to hold as a string: the request's keys, and for a
// body the key in it as well.
func (r *request) strings() [][]byte {
	if r.op() == opJSON {
		return [][]byte{unhex(r.want)}
	}
	return r.keys()
}

// unhex returns nil for what is no hexadecimal.
func unhex(field []byte) []byte {
	b := make([]byte, hex.DecodedLen(len(field)))
	if _, err := hex.Decode(b, field); err != nil {
		return nil
	}
	return b
}

func hashRequest(from string, key []byte, fnv, sum uint32) request {
	return request{from, append([]byte(opHash+"\t"), hex.EncodeToString(key)...), appendSums(nil, fnv, sum)}
}

func slotRequest(from string, key []byte, size int, fnv, sum uint32, slot int) request {
	r := request{from: from}
	r.slot(key, size, fnv, sum, slot)
	return r
}

// slot makes r a slot request, in the buffers that it has.
func (r *request) slot(key []byte, size int, fnv, sum uint32, slot int) {
	r.line = append(r.line[:0], opSlot+"\t"...)
	r.line = hex.AppendEncode(r.line, key)
	r.line = append(r.line, '\t')
	r.line = strconv.AppendInt(r.line, int64(size), 10)
	r.want = appendSums(r.want[:0], fnv, sum)
	r.want = append(r.want, '\t')
	r.want = strconv.AppendInt(r.want, int64(slot), 10)
}

func ownsRequest(from string, key []byte, size, index int, owns bool) request {
	line := opOwns + "\t" + hex.EncodeToString(key) + "\t" + strconv.Itoa(size) + "\t" + strconv.Itoa(index)
	return request{from, []byte(line), strconv.AppendBool(nil, owns)}
}

func keyRequest(from string, subject, id, key *string) request {
	return request{from, []byte(opKey + "\t" + hexOrAbsent(subject) + "\t" + hexOrAbsent(id)), []byte(hexOrAbsent(key))}
}

func hexOrAbsent(s *string) string {
	if s == nil {
		return absent
	}
	return hex.EncodeToString([]byte(*s))
}

func jsonRequest(from, body string, key *string) request {
	return request{from, []byte(opJSON + "\t" + hex.EncodeToString([]byte(body))), []byte(hexOrAbsent(key))}
}

func dealRequest(from string, slots, members int, holders string) request {
	return request{from, []byte(opDeal + "\t" + strconv.Itoa(slots) + "\t" + strconv.Itoa(members)), []byte(holders)}
}

func refused(from, line string) request { return request{from, []byte(line), []byte(refusal)} }

func appendSums(b []byte, fnv, sum uint32) []byte {
	return appendHex32(append(appendHex32(b, fnv), '\t'), sum)
}

func appendHex32(b []byte, n uint32) []byte {
	const digits = "0123456789abcdef"
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, digits[n>>shift&15])
	}
	return b
}
