package input

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// blockSize is how much is read at once: large enough that handing over costs nothing, small enough
// for the processor's caches.
const blockSize = 128 << 10

// A Block is lines that were read at once, each without its line feed. Nothing else is taken off: a
// carriage return is a byte of the line.
type Block struct {
	text []byte
	ends []int32 // of the lines, the first of which begins at 0
}

// Len returns the number of lines.
func (b *Block) Len() int { return len(b.ends) }

// Line returns a line, a part of the block.
func (b *Block) Line(i int) []byte {
	if i == 0 {
		return b.text[:b.ends[0]]
	}
	return b.text[b.ends[i-1]+1 : b.ends[i]]
}

// Set makes a block of one line.
func (b *Block) Set(line string) {
	b.text = append(b.text[:0], line...)
	b.ends = append(b.ends[:0], int32(len(line)))
}

// Blocks reads lines and hands them over many at a time; a line feed at the end of the input begins
// no further line. next returns the block to fill: a new one, or one that nobody looks at any more.
func Blocks(r io.Reader, next func() *Block, yield func(*Block) error) error {
	var rest []byte // of the block before: the beginning of a line
	for atEnd := false; !atEnd; {
		b := next()
		b.ends = b.ends[:0]
		if size := max(blockSize, 2*len(rest)); cap(b.text) < size {
			b.text = append(make([]byte, 0, size), rest...)
		}
		b.text = b.text[:cap(b.text)]
		have := copy(b.text, rest)
		searched, begin := have, 0
		for len(b.ends) == 0 && !atEnd {
			if have == len(b.text) {
				if have >= MaxLine {
					return fmt.Errorf("a line is longer than %d bytes", MaxLine)
				}
				b.text = append(b.text, make([]byte, len(b.text))...)
			}
			n, err := r.Read(b.text[have:])
			have += n
			b.split(searched, have)
			searched = have
			if len(b.ends) > 0 {
				begin = int(b.ends[len(b.ends)-1]) + 1
			}
			atEnd = errors.Is(err, io.EOF)
			if atEnd && begin < have {
				b.ends = append(b.ends, int32(have))
			}
			if err != nil && !atEnd {
				return plain(err)
			}
		}
		rest = b.text[min(begin, have):have]
		if len(b.ends) > 0 {
			if err := yield(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// split finds the line feeds in a part of the text. It looks at 64 bytes at a time and gathers a
// bit for each, as keys are short and a search for one after the other would take most of the time
// of reading them.
func (b *Block) split(begin, end int) {
	const ones, high = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	ends := b.ends
	for ; begin+64 <= end; begin += 64 {
		chunk := b.text[begin : begin+64]
		var found uint64
		for i := 0; i < 64; i += 8 {
			word := binary.LittleEndian.Uint64(chunk[i:]) ^ '\n'*ones
			zeros := ^((word&high + high) | word | high) // the highest bit of each byte that is 0
			found |= (zeros >> 7 * 0x0102040810204080 >> 56) << i
		}
		for ; found != 0; found &= found - 1 {
			ends = append(ends, int32(begin+bits.TrailingZeros64(found)))
		}
	}
	for ; begin < end; begin++ {
		if b.text[begin] == '\n' {
			ends = append(ends, int32(begin))
		}
	}
	b.ends = ends
}

// Lines is Blocks line by line. A line is valid during the call only.
func Lines(r io.Reader, yield func(line []byte) error) error {
	var block Block
	return Blocks(r, func() *Block { return &block }, func(b *Block) error {
		for i := range b.Len() {
			if err := yield(b.Line(i)); err != nil {
				return err
			}
		}
		return nil
	})
}
