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

// nearQuote returns the place of the first double quote in the 64 bytes from pos on, or -1. It does
// not look at the last bytes of body.
func nearQuote(body []byte, pos int) int {
	for far := pos + 64; pos >= 0 && pos <= len(body)-8 && pos < far; {
		if quotes := firstZero(binary.LittleEndian.Uint64(body[pos:pos+8]) ^ everyQuote); quotes != 0 {
			return pos + bits.TrailingZeros64(quotes)>>3
		}
		pos += 8
	}
	return -1
}

// gap returns the distance to the inside of the next string, from the closing quote of one at pos:
// 3 if mark is all that is between, 4 if it is mark and a space; else 0, and always at the end of
// body and for a negative pos.
func gap(body []byte, pos int, mark uint32) (toNext int) {
	if pos >= 0 && pos <= len(body)-4 {
		switch x := binary.LittleEndian.Uint32(body[pos : pos+4]); {
		case x<<8 == '"'<<8|mark<<16|'"'<<24:
			return 3
		case x == '"'|mark<<8|' '<<16|'"'<<24:
			return 4
		}
	}
	return 0
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

// skipContainer skips an object or array by counting brackets of both kinds outside of strings. It
// needs no memory, however deep they are nested. slash is the first backslash in body from pos, or
// from some place before, on.
func skipContainer(body []byte, pos, slash int) int {
	var n int
	var depth, in, out uint64 // as skipWords has them
	deeper := 0               // what of the depth does not fit there
	for pos++; pos < len(body); {
		if slash < pos {
			slash = slashFrom(body, pos)
		}
		if slash-pos >= 8 {
			n, depth, in, out = skipWords(body[pos:slash], depth, in)
			pos += n
		} else { // the rest before the backslash, the backslash, and in a string what it escapes
			var rest [8]byte
			copy(rest[:], body[pos:slash])
			if n, depth, in, out = skipWords(rest[:], depth, in); n > 0 {
				pos = slash + 1 + int(in&1)
			}
		}
		if out == 0 {
			continue
		}
		switch lane := bits.TrailingZeros64(out&everyHigh) &^ 7; {
		case byte(out>>lane) == everyHigh&0xff: // too deep
			depth, deeper = depth-64, deeper+64
		case deeper > 0:
			depth, deeper = depth+64, deeper-64
		default:
			return pos + lane>>3 + 1
		}
	}
	return -1
}

// skipWords goes through the whole words of b, none of which has a backslash, as long as the depth
// is from 0 to 127; it returns how many bytes that are, and the state behind them. depth is the
// number of brackets to be closed, less one, and in has all bits set in a string, none outside.
// Where the next word leads out of that depth, out has it in each of the word's lanes: the lowest
// lane with its high bit set is the byte that does, with 128 or with -1, and lanes above it mean
// nothing.
//
// No branch depends on what the bytes are, since strings and brackets come in no order that a
// processor could predict, and the loop is on its own so that all it needs stays in registers:
// dense JSON runs at 2 GB/s. Where a lane's lowest bit is a mark, multiplying by everyLow gives
// each lane the number of marks up to its own.
func skipWords(b []byte, depth, in uint64) (n int, newDepth, newIn, out uint64) {
	for n <= len(b)-8 {
		x := binary.LittleEndian.Uint64(b[n : n+8])
		ascii := x & every7 // so that adding 0x7f carries into bit 7 of a lane, where it is not zero, and no further
		quote := ((ascii^everyQuote)+every7|x)>>7&everyLow ^ everyLow
		inString := (quote*everyLow ^ in) << 7 // in the high bits: whether the quotes up to here are odd
		x |= inString                          // so that it counts no more than what is not ASCII
		open := ascii | everyCase ^ everyOpen
		notOpen := (open + every7 | x) >> 7 & everyLow
		notClose := ((open ^ everyFlip) + every7 | x) >> 7 & everyLow
		depths := (depth + notClose - notOpen) * everyLow
		if depths&everyHigh != 0 {
			return n, depth, in, depths
		}
		depth = depths >> 56
		in = uint64(int64(inString) >> 63)
		n += 8
	}
	return n, depth, in, 0
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
