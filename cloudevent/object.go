package cloudevent

import (
	"bytes"
)

// A value is any JSON value, by its place in the body.
type value struct {
	kind       kind
	start, end int // of a string: its inside
}

// A text is the raw inside of a string, by its place in the body.
type text struct{ start, end int }

type kind uint8

const (
	scalar kind = iota
	stringValue
	container
)

// A fault says where and why a body is not what it should be. The zero fault is none.
type fault struct {
	reason string
	offset int
}

// Reasons of an object's own.
const (
	notAnObject    = `a "{" should stand here`
	noName         = `a name in double quotes should stand here`
	noNameOrEnd    = `a name in double quotes or "}" should stand here`
	noColon        = `a ":" should stand here`
	noValue        = "a value should stand here"
	noCommaOrEnd   = `a "," or "}" should stand here`
	afterTheObject = "nothing but white space may follow the object"
	unendedName    = "the body ends inside of a name"
	unendedValue   = "the body ends inside of a value"
	notAString     = "this attribute should be a string or null"
	notAnExtension = "an extension should be a string, a boolean, an integer of 32 bits or null"
)

// A nameFilter says which names are wanted, by their length: bit n stands for n bytes, the highest for all that are
// longer. It settles most names without looking at them.
type nameFilter uint64

func (f nameFilter) with(name string) nameFilter { return f | 1<<min(len(name), 63) }

func (f nameFilter) mayWant(length int) bool { return length >= 63 || f>>(uint(length)&63)&1 != 0 }

// walk goes through a body that is one JSON object, judges the object's own syntax, and calls visit
// with the name and the value of each member that may be wanted, and of each whose name has an
// escape. It stops at visit's fault. It allocates nothing.
//
// It is one long loop. The common member, a short name and a short string without an escape, with
// nothing or a space between, is dealt with in line; in an event of 300 bytes, calls would cost as
// much as all else.
func walk(body []byte, wanted nameFilter, visit func(name text, v value) fault) fault {
	pos := skipSpace(body, 0)
	if at(body, pos) != '{' {
		return fault{notAnObject, pos}
	}
	pos = skipSpace(body, pos+1)
	switch at(body, pos) {
	case '"':
	case '}':
		return finish(body, pos+1)
	default:
		return fault{noNameOrEnd, pos}
	}
	// From where slash was last looked for, which is never ahead of pos, up to slash there is no
	// backslash. So a string that ends before slash has no escape. A slash behind pos is out of
	// date, as it stood in something skipped, and escapedEnd looks again.
	slash := slashFrom(body, pos)
	for {
		// The opening quote of a name is at pos.
		start := pos + 1
		end := nearQuote(body, start)
		escaped := false
		var v value
		if n := gap(body, end, ':'); n > 0 {
			v = value{stringValue, end + n, nearQuote(body, end+n)}
		}
		if pos = v.end + 1; v.end <= 0 || v.end >= slash { // not a name and a string, both short and without an escape
			if end < 0 {
				end = farQuote(body, start)
			}
			if escaped = slash < end; escaped {
				end, slash = escapedEnd(body, start, slash)
			}
			if end < 0 {
				return fault{unendedName, len(body)}
			}
			if pos = end + 1; at(body, pos) != ':' {
				if pos = skipSpace(body, pos); at(body, pos) != ':' {
					return fault{noColon, pos}
				}
			}
			if pos++; at(body, pos) <= ' ' {
				pos = skipSpace(body, pos)
			}
			v = value{start: pos}
			switch c := at(body, pos); {
			case c == '"':
				v.kind = stringValue
				v.start++
				v.end = farQuote(body, v.start)
				if slash < v.end {
					v.end, slash = escapedEnd(body, v.start, slash)
				}
				pos = v.end + 1
			case c == '{' || c == '[':
				v.kind = container
				v.end = skipContainer(body, pos, slash)
				pos = v.end
			default:
				v.end = skipScalar(body, pos)
				if pos == v.end {
					return fault{noValue, pos}
				}
				pos = v.end
			}
			if v.end < 0 {
				return fault{unendedValue, len(body)}
			}
		}

		if escaped || wanted.mayWant(end-start) {
			if f := visit(text{start, end}, v); f.reason != "" {
				return f
			}
		}

		if n := gap(body, pos-1, ','); n > 0 {
			pos += n - 2
			continue
		}
		if at(body, pos) <= ' ' {
			pos = skipSpace(body, pos)
		}
		switch at(body, pos) {
		case ',':
			if pos = skipSpace(body, pos+1); at(body, pos) != '"' {
				return fault{noName, pos}
			}
		case '}':
			return finish(body, pos+1)
		default:
			return fault{noCommaOrEnd, pos}
		}
	}
}

// finish checks what follows the object's end.
func finish(body []byte, pos int) fault {
	if pos = skipSpace(body, pos); pos < len(body) {
		return fault{afterTheObject, pos}
	}
	return fault{}
}

// at returns the byte at pos, 0 behind the end: no syntax wants a NUL.
func at(body []byte, pos int) byte {
	if uint(pos) < uint(len(body)) {
		return body[pos]
	}
	return 0
}

// slashFrom returns the place of the first backslash from pos on, or the body's length.
func slashFrom(body []byte, pos int) int {
	if i := bytes.IndexByte(body[pos:], '\\'); i >= 0 {
		return pos + i
	}
	return len(body)
}

// escapedEnd returns the place of the closing quote of a string from the place behind its opening
// one, or -1, and the first backslash behind it. slash is the first backslash from some place
// before on.
func escapedEnd(body []byte, start, slash int) (end, nextSlash int) {
	if slash < start {
		slash = slashFrom(body, start)
	}
	if end = skipString(body, start) - 1; end < 0 {
		return -1, len(body)
	}
	if slash < end {
		slash = slashFrom(body, end)
	}
	return end, slash
}
