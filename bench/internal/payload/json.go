// Package payload makes the inputs of the measurements: events and keys that look like those of
// real streams, the same in each run, without repetitions that a processor could learn.
package payload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A maker writes JSON of a seed.
type maker struct {
	*rand.Rand
}

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 9))} }

var words = []string{
	"sku", "price", "currency", "quantity", "warehouse", "status", "carrier", "weight", "region", "customer", "tags", "created", "items",
	"total", "tax", "discount", "channel", "note", "street", "city", "country", "lat", "lon", "open", "high", "low", "close", "volume",
}

// dense appends a JSON value of at least size bytes, as programs write it: without white space, with nested objects and
// arrays, short strings and numbers.
func (m maker) dense(b []byte, size int) []byte {
	end := len(b) + size
	b = append(b, '{')
	for first := true; first || len(b) < end-1; first = false {
		if !first {
			b = append(b, ',')
		}
		b = m.member(b, 3)
	}
	return append(b, '}')
}

// member appends a name and a value, nested at most depth deep.
func (m maker) member(b []byte, depth int) []byte {
	b = strconv.AppendQuote(b, words[m.IntN(len(words))]+strconv.Itoa(m.IntN(100)))
	b = append(b, ':')
	return m.value(b, depth)
}

func (m maker) value(b []byte, depth int) []byte {
	switch kind := m.IntN(10); {
	case kind < 4:
		return m.text(b)
	case kind < 7 || depth == 0:
		return m.number(b)
	case kind == 7:
		return append(b, []string{"true", "false", "null"}[m.IntN(3)]...)
	case kind == 8:
		b = append(b, '[')
		for i := range 1 + m.IntN(5) {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.value(b, depth-1)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i := range 1 + m.IntN(5) {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.member(b, depth-1)
	}
	return append(b, '}')
}

func (m maker) text(b []byte) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789 -_/."
	b = append(b, '"')
	for range 3 + m.IntN(18) {
		b = append(b, letters[m.IntN(len(letters))])
	}
	return append(b, '"')
}

func (m maker) number(b []byte) []byte {
	if m.IntN(2) == 0 {
		return strconv.AppendInt(b, m.Int64N(100_000_000), 10)
	}
	return strconv.AppendFloat(b, float64(m.IntN(10_000_000))/100, 'f', 2, 64)
}

// prose appends the inside of a JSON string of about size bytes: lines of text, with an escape at
// the end of each and a quoted word in some.
func (m maker) prose(b []byte, size int) []byte {
	for end := len(b) + size; len(b) < end; {
		for range 4 + m.IntN(9) {
			word := words[m.IntN(len(words))]
			if m.IntN(25) == 0 {
				word = `\"` + word + `\"`
			}
			b = append(append(b, word...), ' ')
		}
		b = append(b, `\n`...)
	}
	return b
}

func (m maker) uuid() string {
	high, low := m.Uint64(), m.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", high>>32, high>>16&0xffff, high&0xfff, low>>52, low&0xffffffffffff)
}
