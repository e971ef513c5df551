package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// blockSize is how much is read at once: large enough that calls cost nothing, small enough for the processor's caches.
const blockSize = 32 << 10

// A Block is lines that were read at once, each without its line feed. Nothing else is taken off: a carriage return is a byte of the line.
type Block struct {
	Lines  [][]byte
	buffer []byte
}

// Blocks reads lines and hands them over many at a time; a line feed at the end of the input begins no further line. next returns the block to
// fill: a new one, or one that nobody looks at any more.
func Blocks(r io.Reader, next func() *Block, yield func(*Block) error) error {
	var rest []byte // of the block before: the beginning of a line
	for atEnd := false; !atEnd; {
		b := next()
		b.Lines = b.Lines[:0]
		if len(b.buffer) < max(blockSize, 2*len(rest)) {
			b.buffer = append(make([]byte, 0, max(blockSize, 2*len(rest))), rest...)
			b.buffer = b.buffer[:cap(b.buffer)]
		}
		have := copy(b.buffer, rest)
		begin := 0
		for len(b.Lines) == 0 && !atEnd {
			if have == len(b.buffer) {
				if have >= MaxLine {
					return fmt.Errorf("a line is longer than %d bytes", MaxLine)
				}
				b.buffer = append(b.buffer, make([]byte, len(b.buffer))...)
			}
			n, err := r.Read(b.buffer[have:])
			have += n
			begin = b.split(have)
			atEnd = errors.Is(err, io.EOF)
			if atEnd && begin < have {
				b.Lines = append(b.Lines, b.buffer[begin:have])
				begin = have
			}
			if err != nil && !atEnd {
				return plain(err)
			}
		}
		rest = b.buffer[begin:have]
		if len(b.Lines) > 0 {
			if err := yield(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// split finds the lines that end before have, and returns where the one after them begins.
func (b *Block) split(have int) (begin int) {
	for {
		length := bytes.IndexByte(b.buffer[begin:have], '\n')
		if length < 0 {
			return begin
		}
		b.Lines = append(b.Lines, b.buffer[begin:begin+length])
		begin += length + 1
	}
}

// Lines is Blocks line by line. A line is valid during the call only.
func Lines(r io.Reader, yield func(line []byte) error) error {
	var block Block
	return Blocks(r, func() *Block { return &block }, func(b *Block) error {
		for _, line := range b.Lines {
			if err := yield(line); err != nil {
				return err
			}
		}
		return nil
	})
}
