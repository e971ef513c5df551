package cloudevent

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/routing"
)

// trim takes white space off both ends, by the code points of SPEC section 9.7.
func trim[S string | []byte](s S) S {
	switch s := any(s).(type) {
	case string:
		return S(strings.TrimSpace(s))
	case []byte:
		return S(bytes.TrimSpace(s))
	}
	return s
}

// routeOf returns the route of a key, which has none if it is empty.
func routeOf[S string | []byte](key S) routing.Route {
	if len(key) == 0 {
		return routing.Route{}
	}
	return routing.Hashed(pin.Mix(pin.Add(pin.Offset, key)))
}

// Reasons of a percent-encoded value.
const (
	badPercent = `a "%" is not followed by two hexadecimal digits`
	badQuotes  = "a quoted string that ends early or late"
	badUTF8    = "the decoded value is not valid UTF-8"
)

// decode undoes the encoding of header values in the bindings for HTTP and NATS, into room, which
// is empty, where it fits: first double quotes around the value and backslashes before its
// characters are taken away, then each "%" with two hexadecimal digits becomes a byte. reason is
// empty unless the value is wrong.
//
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md section 3.1.3.2
func decode[S string | []byte](room []byte, s S) (decoded []byte, reason string) {
	room, ok := appendUnquoted(room, s)
	if !ok {
		return nil, badQuotes
	}
	decoded = room[:0] // in place: it is never longer
	for i := 0; i < len(room); i++ {
		c := room[i]
		if c == '%' {
			if i+2 >= len(room) {
				return nil, badPercent
			}
			high, ok1 := unhex(room[i+1])
			low, ok2 := unhex(room[i+2])
			if !ok1 || !ok2 {
				return nil, badPercent
			}
			c = high<<4 | low
			i += 2
		}
		decoded = append(decoded, c)
	}
	if !utf8.Valid(decoded) {
		return nil, badUTF8
	}
	return decoded, ""
}

// appendUnquoted appends s to b: without quotes and backslashes if it stands in double quotes. ok
// is false where the quotes are wrong.
func appendUnquoted[S string | []byte](b []byte, s S) (unquoted []byte, ok bool) {
	last := len(s) - 1
	if last < 1 || s[0] != '"' || s[last] != '"' {
		return append(b, s...), true
	}
	for i := 1; i < last; i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == '"' {
			return nil, false
		}
		if i == last {
			return nil, false
		}
		b = append(b, s[i])
	}
	return b, true
}

const eventMedia = "application/cloudevents"

// formatOf returns the mode that a content type alone decides, 0 where it names no event format.
func formatOf[S string | []byte](contentType S) Mode {
	if len(contentType) < len(eventMedia) {
		return 0 // most are as short as "application/json"
	}
	end := 0
	for end < len(contentType) && contentType[end] != ';' {
		end++
	}
	media := trim(contentType[:end])
	if len(media) < len(eventMedia) || !equalFold(media[:len(eventMedia)], eventMedia) {
		return 0
	}
	switch format := media[len(eventMedia):]; {
	case equalFold(format, "+json"):
		return ModeStructured
	case equalFold(format, "-batch+json"):
		return ModeBatch
	}
	return ModeUnreadable
}

// equalFold reports whether s is lower, which is in lower case, without regard to ASCII case.
func equalFold[S string | []byte](s S, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
