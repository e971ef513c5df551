package conform

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

func isNumber(field []byte, number int) bool {
	var b [20]byte
	return bytes.Equal(field, strconv.AppendInt(b[:0], int64(number), 10))
}

// judge says what is wrong with an answer that is not the due one.
func judge(r *request, number int, line []byte) *Fault {
	fault := &Fault{request: r.clone(), number: number, Got: string(line)}
	blame := func(kind Kind, format string, args ...any) *Fault {
		fault.Kind, fault.Reason = kind, fmt.Sprintf(format, args...)
		return fault
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		return blame(Garbage, "the line ends with CR LF, want LF alone")
	}
	prefix, rest, ok := bytes.Cut(line, []byte{'\t'})
	got, err := strconv.Atoi(string(prefix))
	if !ok || err != nil || !isNumber(prefix, got) {
		return blame(Garbage, "an answer begins with the request's number and a tab")
	}
	if got > number {
		return blame(Missing, "this is answer %d where answer %d was due", got, number)
	}
	if got < number {
		return blame(Extra, "this is answer %d, a second time or out of order, where answer %d was due", got, number)
	}
	fields := strings.Split(string(rest), "\t")
	if fields[0] == refusal && len(fields) == 2 {
		if string(r.want) == refusal {
			return nil
		}
		return blame(Refused, "the port refuses a request that it must answer: %s", fields[1])
	}
	if reason := malformed(r.op(), fields); reason != "" {
		return blame(Garbage, "%s", reason)
	}
	fault.Kind = Wrong
	fault.Stage, fault.Reason = diagnose(r, fields)
	if fault.Stage == StageBytes || fault.Stage == StageFNV {
		fault.states = []badState{{r.keys()[0], parse32(fields[0])}}
	}
	return fault
}

// malformed says in what an answer has not the form of an answer to op; empty where it has.
func malformed(op string, fields []string) string {
	want := map[string]int{opHash: 2, opSlot: 3}[op]
	if want == 0 {
		want = 1
	}
	if len(fields) != want {
		return fmt.Sprintf("the answer to %s has %d fields behind the number, want %d", op, len(fields), want)
	}
	switch op {
	case opHash, opSlot:
		for _, field := range fields[:2] {
			if len(field) != 8 || !isHex(field) {
				return fmt.Sprintf("%q is not a number in 8 lower-case hexadecimal digits", field)
			}
		}
		if op == opSlot && !isDecimal(strings.TrimPrefix(fields[2], "-")) {
			return fmt.Sprintf("%q is not a slot in decimal", fields[2])
		}
	case opOwns:
		if fields[0] != "true" && fields[0] != "false" {
			return fmt.Sprintf("%q is neither true nor false", fields[0])
		}
	case opKey, opJSON:
		if fields[0] != absent && (len(fields[0])%2 != 0 || !isHex(fields[0])) {
			return fmt.Sprintf("%q is neither bytes in lower-case hexadecimal nor %s", fields[0], absent)
		}
	case opDeal:
		for holder := range strings.SplitSeq(fields[0], ",") {
			if !isDecimal(holder) {
				return fmt.Sprintf("%q is not a member in decimal", holder)
			}
		}
	}
	return ""
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

func isDecimal(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
