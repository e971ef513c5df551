package cloudevent

import "strings"

// A Header gives the headers of one message. The zero Header has none. It refers to what it
// was made of, and is as safe for concurrent use as that is.
type Header struct {
	transport Transport
	// One of these has the headers.
	values   map[string][]string
	single   map[string]string
	get      func(name string) (string, bool)
	stringAt func(i int) (name, value string)
	bytesAt  func(i int) (name string, value []byte)
	n        int // for stringAt and bytesAt
}

// find returns the value of a header, empty where there is none.
func (h *Header) find(name headerName) headerValue {
	switch {
	case h.values != nil:
		return headerValue{text: first(lookUp(h.values, name, h.transport))}
	case h.single != nil:
		return headerValue{text: lookUp(h.single, name, h.transport)}
	case h.get != nil:
		text, _ := h.get(name.own)
		return headerValue{text: text}
	case h.stringAt != nil:
		for i := h.n - 1; i >= 0; i-- {
			if n, text := h.stringAt(i); strings.EqualFold(n, name.own) {
				return headerValue{text: text}
			}
		}
	case h.bytesAt != nil:
		for i := h.n - 1; i >= 0; i-- {
			if n, bytes := h.bytesAt(i); strings.EqualFold(n, name.own) {
				return headerValue{bytes: bytes}
			}
		}
	}
	return headerValue{}
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// lookUp returns the value of name in the spelling that is usual for the transport, else in the other one, else, for NATS, in the lowest one by bytes that
// is the name without regard to case.
func lookUp[V string | []string](m map[string]V, name headerName, t Transport) (value V) {
	usual, other := name.own, name.canonical
	if t == HTTP {
		usual, other = other, usual // as net/http has them
	}
	if value, ok := m[usual]; ok {
		return value
	}
	if value, ok := m[other]; ok || t != NATS {
		return value
	}
	var lowest string
	for n, v := range m {
		if len(n) == len(name.own) && (lowest == "" || n < lowest) && strings.EqualFold(n, name.own) {
			lowest, value = n, v
		}
	}
	return value
}

// contentType returns the content type, empty where it is not among the headers.
func (h *Header) contentType() string {
	if !h.transport.binding().hasContentType {
		return ""
	}
	return h.find(contentTypeName).String()
}

// prefix returns the prefix that the message uses, nil if it is not in binary mode.
func (h *Header) prefix() *prefix {
	b := h.transport.binding()
	for i := range b.prefixes {
		if p := &b.prefixes[i]; p.known && !h.find(p.specversion).empty() {
			return p
		}
	}
	return nil
}
