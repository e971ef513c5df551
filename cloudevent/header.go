package cloudevent

import "strings"

// A Header gives the headers of one message, and says by which transport it came. The zero Header has none, and is of
// none. It refers to what it was made of, and is as safe for concurrent use as that is. [Transport] makes it.
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

// Values stay in the form that the client has them in, so that nothing is converted: bytes in a list of
// bytes, and text in all other forms.

func (h *Header) hasBytes() bool { return h.bytesAt != nil }

// text returns the value of a header, empty where there is none or the values are bytes.
func (h *Header) text(name *headerName) string {
	switch {
	case h.values != nil:
		if values := lookUp(h.values, name, h.transport); len(values) > 0 {
			return values[0]
		}
	case h.single != nil:
		return lookUp(h.single, name, h.transport)
	case h.get != nil:
		value, _ := h.get(name.own)
		return value
	case h.stringAt != nil:
		for i := h.n - 1; i >= 0; i-- {
			if n, value := h.stringAt(i); sameName(n, name.own) {
				return value
			}
		}
	}
	return ""
}

// bytes returns the value of a header, empty where there is none or the values are text.
func (h *Header) bytes(name *headerName) []byte {
	for i := h.n - 1; i >= 0 && h.bytesAt != nil; i-- {
		if n, value := h.bytesAt(i); sameName(n, name.own) {
			return value
		}
	}
	return nil
}

// either returns the value of a header as text.
func (h *Header) either(name *headerName) string {
	if h.hasBytes() {
		return string(h.bytes(name))
	}
	return h.text(name)
}

// lookUp returns the value of name in the spelling that is usual for the transport, else in the
// other one, else, for NATS, in the lowest one by bytes that is the name without regard to case:
// SPEC section 9.7.
func lookUp[V string | []string](m map[string]V, name *headerName, t Transport) (value V) {
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
		if (lowest == "" || n < lowest) && sameName(n, name.own) {
			lowest, value = n, v
		}
	}
	return value
}

// sameName reports whether n is own without regard to ASCII case. EqualFold folds the long s and the sign of Kelvin as
// well; they are longer than the letters that they fold to.
func sameName(n, own string) bool { return len(n) == len(own) && strings.EqualFold(n, own) }

// prefix returns the prefix that the message uses, nil if it is not in binary mode.
func (h *Header) prefix() *prefix {
	b := h.transport.binding()
	for i := range b.prefixes {
		p := &b.prefixes[i]
		if p.known && (h.text(&p.specversion) != "" || len(h.bytes(&p.specversion)) > 0) {
			return p
		}
	}
	return nil
}
