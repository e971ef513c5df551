package cloudevent

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// The functions of this file find where a JSON value ends, as SPEC section 9.6 defines it, and
// judge no more than that. Each takes a position in the body and returns the position
// behind the value, or -1 if the body ends first.

// Patterns for looking at the eight bytes of a word at once: each byte of a word is a lane.
const (
	everyLow   = 0x0101010101010101
	every7     = everyLow * 0x7f
	everyHigh  = everyLow * 0x80
	everyQuote = everyLow * '"'
	everySlash = everyLow * '\\'
	everyOpen  = everyLow * '{'
	everyCase  = everyLow * 0x20 // sets '[' to '{' and ']' to '}'
	everyFlip  = everyLow * ('{' ^ '}')
)

// firstZero marks the lowest byte of x that is zero, by its high bit; bytes above it may be marked too.
func firstZero(x uint64) uint64 { return (x - everyLow) &^ x & everyHigh }

// firstControl marks the lowest byte of x that is below U+0020; bytes above it may be marked too.
func firstControl(x uint64) uint64 { return (x - everyLow*' ') &^ x & everyHigh }

// word returns the eight bytes of body from i on, the first lowest.
func word(body []byte, i int) uint64 { return binary.LittleEndian.Uint64(body[i : i+8 : i+8]) }

// nearQuote returns the place of the first double quote in the eight bytes from pos on, or -1. It is so short that it is
// inlined.
func nearQuote(body []byte, pos int) int {
	if pos+8 <= len(body) {
		if quotes := firstZero(word(body, pos) ^ everyQuote); quotes != 0 {
			return pos + bits.TrailingZeros64(quotes)>>3
		}
	}
	return -1
}

// farQuote returns the place of the first double quote from pos on, or -1.
func farQuote(body []byte, pos int) int {
	for range 5 {
		if pos+8 > len(body) {
			break
		}
		if quotes := firstZero(word(body, pos) ^ everyQuote); quotes != 0 {
			return pos + bits.TrailingZeros64(quotes)>>3
		}
		pos += 8
	}
	if i := bytes.IndexByte(body[pos:], '"'); i >= 0 {
		return pos + i
	}
	return -1
}

// skipString skips a string from behind its opening quote to behind its closing quote.
func skipString(body []byte, pos int) int {
	for counted := pos; ; {
		end := farQuote(body, pos)
		if end < 0 {
			return -1
		}
		slash := end
		for slash > counted && body[slash-1] == '\\' {
			slash--
		}
		pos = end + 1
		if (end-slash)&1 == 0 {
			return pos
		}
		counted = pos
	}
}

// Classes of bytes outside of strings.
const (
	plain = iota
	quote
	opening
	closing
)

var class = [256]uint8{'"': quote, '{': opening, '[': opening, '}': closing, ']': closing}

// skipContainer skips an object or array by counting brackets of both kinds outside of strings. It
// needs no memory, however deep they are nested.
//
// It takes blocks of 64 bytes at once as long as they hold no backslash and cannot hold the end, and goes through the others byte by byte. On dense JSON
// that runs near 2 GB/s where a loop over bytes, which mispredicts at the end of each string, runs at 1. slash is the
// first backslash in body from pos, or from some place before, on.
func skipContainer(body []byte, pos, slash int) int {
	depth := 0
	in := uint64(outside)
	for pos < len(body) {
		limit := pos + 64
		if depth > 0 && slash < pos {
			slash = slashFrom(body, pos)
		}
		if depth > 0 && slash >= limit && limit <= len(body) {
			next, opens, closes := block((*[64]byte)(body[pos:]), in)
			if closes < depth {
				in, depth, pos = next, depth+opens-closes, limit
				continue
			}
		}
		if in != outside {
			in = outside
			if pos = skipString(body, pos); pos < 0 {
				return -1
			}
		}
		for pos < limit && pos < len(body) {
			c := class[body[pos]]
			pos++
			switch c {
			case plain:
			case quote:
				if end := nearQuote(body, pos); end >= 0 && end <= slash {
					pos = end + 1
				} else if pos = skipString(body, pos); pos < 0 {
					return -1
				}
			case opening:
				depth++
			default:
				if depth--; depth == 0 {
					return pos
				}
			}
		}
	}
	return -1
}

// outside is the state of block at a place that is not in a string: in lane j the parity of j+1.
const outside = 0x0001000100010001

// block counts the brackets outside of strings in 64 bytes without a backslash. in is the state before them, out the
// state behind.
//
// A lane of p counts, modulo 256, the bytes of the word up to its own that are no quotes; with j+1 bytes up to lane j, the parity of
// that count, of in and of j+1 together is the parity of the quotes so far: whether the byte is in a string.
// Marks for brackets are made inverted (a lane's bit is 0 where there is one), which saves an operation each.
func block(b *[64]byte, in uint64) (out uint64, opens, closes int) {
	var notOpen, notClose uint64
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		ascii := x & every7 // so that adding 0x7f carries into bit 7 of a lane, and no further
		notQuote := ((ascii ^ everyQuote) + every7 | x) >> 7 & everyLow
		p := notQuote * everyLow
		inString := p ^ in // the lowest bit of each lane
		in = -(inString >> 56 & 1) ^ outside
		open := ascii | everyCase ^ everyOpen
		notOpen += ((open+every7|x)>>7 | inString) & everyLow
		notClose += (((open^everyFlip)+every7|x)>>7 | inString) & everyLow
	}
	return in, 64 - int(notOpen*everyLow>>56), 64 - int(notClose*everyLow>>56)
}

// skipScalar skips a number or a literal: the run of letters, digits and + - . at pos, which may be none.
func skipScalar(body []byte, pos int) int {
	for pos < len(body) && isScalar[body[pos]] {
		pos++
	}
	return pos
}

var isScalar = func() (is [256]bool) {
	for c := range is {
		b := byte(c)
		is[c] = '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' || b == '+' || b == '-' || b == '.'
	}
	return is
}()

// skipSpace skips white space. Inlined, its loops would crowd those of walk out of the registers.
//
//go:noinline
func skipSpace(body []byte, pos int) int {
	for pos < len(body) && isSpace(body[pos]) {
		pos++
	}
	return pos
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
