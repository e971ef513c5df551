package conform

import (
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/slot"
)

// A generator makes slot requests for generated keys: the same ones for the same seed, count and
// capabilities, however often it is asked.
type generator struct {
	seed  uint64
	count int
	nul   bool // keys may hold NUL
	bytes bool // keys may be no UTF-8
}

func newGenerator(seed uint64, count int, h Hello) generator {
	return generator{seed, count, h.Has(capNUL), h.Has(capBytes)}
}

// Of each 244 keys one has a chosen length. That makes 4098 of a million, one for each length from 0 to maxKey.
const (
	lengthEvery = 244
	maxKey      = 4096
)

// requests returns the requests; each is valid until the next one.
func (g generator) requests() iter.Seq[*request] {
	return func(yield func(*request) bool) {
		d := dice{g.seed}
		var r request
		var key []byte
		for i := range g.count {
			key = g.key(key[:0], i, &d)
			size := 1 + d.below(slot.MaxSize)
			fnv := pin.Add(pin.Offset, key)
			sum := pin.Mix(fnv)
			r.from = "" // told by fromGenerator, where it is needed
			r.slot(key, size, fnv, sum, int(sum%uint32(size)))
			if !yield(&r) {
				return
			}
		}
	}
}

// key appends the key with number i.
func (g generator) key(b []byte, i int, d *dice) []byte {
	if i%lengthEvery == 0 {
		return g.ofLength(b, g.length(i/lengthEvery), d)
	}
	switch kind := i % 100; {
	case kind < 40:
		return counter(b, i)
	case kind < 65:
		return uuid(b, d)
	case kind < 90 || !g.bytes:
		return g.text(b, 1+d.below(20), d)
	default:
		return g.raw(b, 1+d.below(32), d)
	}
}

// length returns length number j: from 0 to maxKey in equal steps.
func (g generator) length(j int) int {
	last := (g.count - 1) / lengthEvery
	if last == 0 {
		return maxKey
	}
	return j * maxKey / last
}

// ofLength appends exactly n bytes.
func (g generator) ofLength(b []byte, n int, d *dice) []byte {
	if g.bytes {
		return g.raw(b, n, d)
	}
	end := len(b) + n
	for len(b)+utf8.UTFMax <= end {
		b = g.text(b, 1, d)
	}
	for len(b) < end {
		b = append(b, '~')
	}
	return b
}

// counter appends what people count with.
func counter(b []byte, i int) []byte {
	n := strconv.Itoa(i)
	switch i % 8 {
	case 0, 1, 2:
		return append(b, n...)
	case 3, 4:
		return append(append(append(append(b, "order-"...), n...), '-'), n...)
	case 5:
		return append(append(b, "user:"...), ("00000000" + n)[len(n):]...)
	case 6:
		return append(append(append(b, "/sensors/"...), n...), "/temperature"...)
	}
	return append(append(b, "-"...), n...)
}

func uuid(b []byte, d *dice) []byte {
	const form = "xxxxxxxx-xxxx-4xxx-xxxx-xxxxxxxxxxxx"
	for _, c := range []byte(form) {
		if c == 'x' {
			c = "0123456789abcdef"[d.below(16)]
		}
		b = append(b, c)
	}
	return b
}

// The ranges of random characters: ASCII with its control characters, Latin, Greek and Cyrillic,
// Arabic, combining marks, white space and marks of direction, kana, CJK, Hangul, private use, the
// end of the first plane, emoji, the last characters.
var ranges = [...][2]rune{
	{0x01, 0x7f}, {0x01, 0x7f}, {0x80, 0x24f}, {0x370, 0x52f}, {0x600, 0x6ff}, {0x300, 0x36f}, {0x2000, 0x206f},
	{0x3040, 0x30ff}, {0x4e00, 0x9fff}, {0xac00, 0xd7a3}, {0xe000, 0xf8ff}, {0xff00, 0xffff}, {0x1f300, 0x1faff}, {0x10000, 0x10ffff},
}

// text appends n random characters.
func (g generator) text(b []byte, n int, d *dice) []byte {
	for range n {
		of := ranges[d.below(len(ranges))]
		c := of[0] + rune(d.below(int(of[1]-of[0])+1))
		if g.nul && d.below(100) == 0 {
			c = 0
		}
		b = utf8.AppendRune(b, c)
	}
	return b
}

// raw appends n random bytes.
func (g generator) raw(b []byte, n int, d *dice) []byte {
	for range n {
		if g.nul {
			b = append(b, byte(d.below(256)))
		} else {
			b = append(b, byte(1+d.below(255)))
		}
	}
	return b
}

// A dice is SplitMix64 (https://prng.di.unimi.it/splitmix64.c): a few lines that will give the same keys under every
// version of Go.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int { return int(d.next() >> 33 % uint64(n)) }
