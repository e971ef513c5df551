package cloudevent

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

// A headerValue is a value in the form that its client has it in, so that nothing is converted. At most
// one of the two is not empty.
type headerValue struct {
	text  string
	bytes []byte
}

func (v headerValue) empty() bool { return len(v.text)+len(v.bytes) == 0 }

func (v headerValue) String() string {
	if len(v.bytes) > 0 {
		return string(v.bytes)
	}
	return v.text
}

// trim takes white space off both ends, by the code points of SPEC section 9.7.
func (v headerValue) trim() headerValue {
	if len(v.bytes) > 0 {
		return headerValue{bytes: bytes.TrimSpace(v.bytes)}
	}
	return headerValue{text: strings.TrimSpace(v.text)}
}

// route returns the route of v as a key.
func (v headerValue) route() routing.Route {
	switch {
	case len(v.bytes) > 0:
		return routing.Hashed(hashpin.Sum32(v.bytes))
	case len(v.text) > 0:
		return routing.Hashed(hashpin.Sum32String(v.text))
	}
	return routing.Route{}
}

// Reasons of a percent-encoded value.
const (
	badPercent = `a "%" is not followed by two hexadecimal digits`
	badQuotes  = "a quoted string that ends early or late"
	badUTF8    = "the decoded value is not valid UTF-8"
)

// decode undoes the encoding of header values in the bindings for HTTP and NATS, into room where it fits: double quotes around the value and backslashes before its characters
// are taken away, then each "%" with two hexadecimal digits becomes a byte. reason is empty unless the value is wrong.
//
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md section 3.1.3.2
func (v headerValue) decode(room []byte) (decoded headerValue, reason string) {
	if len(v.bytes) > 0 {
		room, reason = appendDecoded(room, v.bytes)
	} else {
		room, reason = appendDecoded(room, v.text)
	}
	if reason == "" && !utf8.Valid(room) {
		reason = badUTF8
	}
	return headerValue{bytes: room}, reason
}

func appendDecoded[S string | []byte](b []byte, s S) (decoded []byte, reason string) {
	quoted := len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"'
	if quoted {
		s = s[1 : len(s)-1]
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if quoted && c == '"' || quoted && c == '\\' && i+1 == len(s) {
			return b, badQuotes
		}
		if quoted && c == '\\' {
			i++
			c = s[i]
		}
		if c == '%' {
			if i+2 >= len(s) {
				return b, badPercent
			}
			high, ok1 := unhex(s[i+1])
			low, ok2 := unhex(s[i+2])
			if !ok1 || !ok2 {
				return b, badPercent
			}
			c = high<<4 | low
			i += 2
		}
		b = append(b, c)
	}
	return b, ""
}
