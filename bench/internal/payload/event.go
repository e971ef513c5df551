package payload

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// An Event is one event of the streams that are measured. It has eight attributes, one of them an extension.
type Event struct {
	attributes [8]attribute
	Subject    string
	Data       string // a JSON value
	data       string // what stands in the envelope, with its name
}

type attribute struct{ name, value string }

// A Form is what the data of an event is.
type Form int

const (
	Dense  Form = iota // nested JSON with short strings and numbers
	Prose              // one long JSON string with an escape now and then
	Base64             // bytes, in data_base64
)

// New returns the event of a seed, whose structured form has size bytes exactly. A size below 300
// leaves no room for data.
func New(seed uint64, size int, form Form) Event {
	m := newMaker(seed)
	e := Event{Subject: m.uuid()}
	e.attributes = [...]attribute{
		{"specversion", "1.0"},
		{"id", fmt.Sprint(1_000_000 + m.IntN(9_000_000))},
		{"source", "/shops/42"},
		{"type", "com.shop.order.paid"},
		{"subject", e.Subject},
		{"datacontenttype", "application/json"},
		{"time", fmt.Sprintf("2026-11-%02dT08:%02d:%02d.%03dZ", 1+m.IntN(28), m.IntN(60), m.IntN(60), m.IntN(1000))},
		{"partitionkey", fmt.Sprintf("eu-%02d", m.IntN(100))},
	}
	e.setData("", form) // to learn what is left for the data
	room := size - len(e.Early())
	switch form {
	case Dense:
		e.setData(m.exactly(room), form)
	case Prose:
		text := m.prose(nil, room-200)
		e.setData(`"`+string(text)+strings.Repeat("x", room-len(text)-2)+`"`, form)
	case Base64:
		raw := make([]byte, (room-2)/4*3)
		for i := range raw {
			raw[i] = byte(m.Uint32())
		}
		text := base64.StdEncoding.EncodeToString(raw)
		e.attributes[2].value += strings.Repeat("0", room-len(text)-2)
		e.setData(`"`+text+`"`, form)
	}
	return e
}

// exactly returns dense JSON of size bytes.
func (m maker) exactly(size int) string {
	const open, end = `,"note":"`, `"}`
	for { // until what stands before the padding is not too long
		data := m.dense(nil, size-len(open)-len(end)-16)
		if padding := size - len(data) + len("}") - len(open) - len(end); padding >= 0 {
			return string(data[:len(data)-1]) + open + strings.Repeat("x", padding) + end
		}
	}
}

func (e *Event) setData(data string, form Form) {
	e.Data = data
	e.data = `"data":` + data
	if form == Base64 {
		e.data = `"data_base64":` + data
	}
}

// Early returns the structured form with the data last, as the CloudEvents SDK for Go writes it.
func (e *Event) Early() []byte {
	return []byte("{" + e.members(0, 1, 2, 3, 4, 5, 6, 7) + "," + e.data + "}")
}

// Late returns the structured form with all names sorted, and so the data first, as many producers write it.
func (e *Event) Late() []byte {
	return []byte("{" + e.data + "," + e.members(5, 1, 7, 2, 0, 4, 6, 3) + "}")
}

// Twice returns a structured form with two subjects, of which the one of the event is the last.
func (e *Event) Twice() []byte {
	return []byte(`{"subject":"another",` + e.members(0, 1, 2, 3) + "," + e.data + "," + e.members(4) + "}")
}

func (e *Event) members(order ...int) string {
	members := make([]string, len(order))
	for i, a := range order {
		members[i] = fmt.Sprintf("%q:%q", e.attributes[a].name, e.attributes[a].value)
	}
	return strings.Join(members, ",")
}

// Header returns the headers of the binary form for HTTP.
func (e *Event) Header() http.Header {
	h := http.Header{"Content-Length": {fmt.Sprint(len(e.Data))}, "User-Agent": {"shop/1.0"}}
	e.each("ce-", func(name, value string) { h.Set(name, value) })
	return h
}

// Headers calls add for each header of the binary form, with names in lower case behind the prefix;
// the content type is apart.
func (e *Event) Headers(prefix string, add func(name, value string)) { e.each(prefix, add) }

func (e *Event) each(prefix string, add func(name, value string)) {
	for _, a := range e.attributes {
		if a.name == "datacontenttype" {
			add("content-type", a.value)
		} else {
			add(prefix+a.name, a.value)
		}
	}
}
