package cloudevent_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A reader is SPEC section 9 once more, one byte at a time and as obvious as it can be: what the
// tests hold the package's scan against. It knows nothing of the package.
type reader struct {
	rest []byte
	bad  bool
}

// reference reads the named attributes of a structured JSON event: their canonical texts, without
// those that are absent. ok is false where the event has no key whatever the rule makes of them.
func reference(body []byte, names ...string) (found map[string]string, ok bool) {
	r := &reader{rest: body}
	found = map[string]string{}
	r.white()
	r.want('{')
	r.white()
	for first := true; !r.bad && !(first && r.see('}')); first = false { // SPEC 9.6
		r.want('"')
		name := r.str()
		r.white()
		r.want(':')
		r.white()
		value := r.value()
		if r.bad {
			break
		}
		if name, ok := unescape(name); ok {
			for _, wanted := range names {
				if isCore(wanted) && name == wanted || !isCore(wanted) && lower(name) == wanted {
					text, ok := textOf(value, !isCore(wanted))
					r.bad = r.bad || !ok
					found[wanted] = text
					if text == "" {
						delete(found, wanted)
					}
				}
			}
		}
		r.white()
		if r.see('}') {
			break
		}
		r.want(',')
		r.white()
	}
	r.want('}')
	r.white()
	if r.bad || len(r.rest) > 0 {
		return nil, false
	}
	return found, true
}

func (r *reader) see(c byte) bool { return len(r.rest) > 0 && r.rest[0] == c }

func (r *reader) want(c byte) {
	if r.bad = r.bad || !r.see(c); !r.bad {
		r.rest = r.rest[1:]
	}
}

func (r *reader) white() {
	for r.see(' ') || r.see('\t') || r.see('\n') || r.see('\r') {
		r.rest = r.rest[1:]
	}
}

// str takes a string up to its closing quote, whose opening quote has been taken, and returns its raw inside.
func (r *reader) str() string {
	for i, backslashes := 0, 0; i < len(r.rest) && !r.bad; i++ {
		switch c := r.rest[i]; {
		case c == '\\':
			backslashes++
		case c == '"' && backslashes%2 == 0:
			inside := string(r.rest[:i])
			r.rest = r.rest[i+1:]
			return inside
		default:
			backslashes = 0
		}
	}
	r.bad = true
	return ""
}

// value takes any value and returns it as it stands.
func (r *reader) value() string {
	all := r.rest
	switch {
	case r.see('"'):
		r.want('"')
		r.str()
	case r.see('{') || r.see('['):
		for depth := 0; ; {
			if len(r.rest) == 0 {
				r.bad = true
			}
			if r.bad {
				return ""
			}
			c := r.rest[0]
			r.rest = r.rest[1:]
			switch c {
			case '"':
				r.str()
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if depth == 0 {
				break
			}
		}
	default:
		for len(r.rest) > 0 && strings.IndexByte("0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r.rest[0]) >= 0 {
			r.rest = r.rest[1:]
		}
		r.bad = r.bad || len(r.rest) == len(all)
	}
	return string(all[:len(all)-len(r.rest)])
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// textOf returns the canonical text of an attribute's value, empty where it is absent: SPEC 9.4.
func textOf(value string, extension bool) (text string, ok bool) {
	switch {
	case value[0] == '"':
		return unescape(value[1 : len(value)-1])
	case value == "null":
		return "", true
	case !extension:
		return "", false
	case value == "true" || value == "false":
		return value, true
	case number.MatchString(value):
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || f < math.MinInt32 || f > math.MaxInt32 {
			return "", false
		}
		return strconv.FormatInt(int64(f), 10), true
	}
	return "", false
}

var escape = regexp.MustCompile(`(?s)\\u[0-9A-Fa-f]{4}|\\.|.`)

// unescape returns what the raw inside of a string stands for: SPEC 9.5.
func unescape(raw string) (text string, ok bool) {
	var b strings.Builder
	var half rune // an escaped high surrogate that waits for its low one
	settle := func() {
		if half != 0 {
			b.WriteRune(utf8.RuneError)
			half = 0
		}
	}
	for raw != "" {
		if raw[0] != '\\' {
			settle()
			if raw[0] < ' ' {
				return "", false
			}
			b.WriteByte(raw[0])
			raw = raw[1:]
			continue
		}
		token := escape.FindString(raw)
		raw = raw[len(token):]
		short, isShort := map[string]string{
			`\"`: `"`, `\\`: `\`, `\/`: `/`, `\b`: "\b", `\f`: "\f", `\n`: "\n", `\r`: "\r", `\t`: "\t",
		}[token]
		switch {
		case isShort:
			settle()
			b.WriteString(short)
		case len(token) == len(`\u0000`):
			n, _ := strconv.ParseUint(token[2:], 16, 16)
			unit := rune(n)
			if whole := utf16.DecodeRune(half, unit); half != 0 && whole != utf8.RuneError {
				b.WriteRune(whole)
				half = 0
				break
			}
			settle()
			if 0xd800 <= unit && unit < 0xdc00 {
				half = unit
			} else {
				b.WriteRune(unit) // a low surrogate alone becomes U+FFFD
			}
		default:
			return "", false
		}
	}
	settle()
	return b.String(), true
}

func isCore(name string) bool {
	return strings.Contains(" subject id source type specversion time datacontenttype dataschema ", " "+name+" ")
}

// lower folds ASCII letters, and nothing else.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
