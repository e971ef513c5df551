package load

import (
	"io"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/resize"
)

// A Tally counts events by slot and by key. Its memory is bounded: some 20 MB, and the keys that it remembers.
type Tally struct {
	layouts []resize.Layout
	// placed
	events [][]uint64 // by layout and slot
	all    uint64     // without commands
	noKey  uint64
	// remembered
	sample *sample
	hot    *hot // nil while the sample has all keys

	commands uint64
	one      batch
}

// A batch is keys on their way through the two halves of a Tally.
type batch struct {
	input.Block
	sums []uint32
}

// New returns a Tally for one layout or several.
func New(layouts ...resize.Layout) *Tally {
	t := &Tally{layouts: layouts, sample: newSample()}
	for _, l := range layouts {
		t.events = append(t.events, make([]uint64, l.Size()))
	}
	return t
}

// batches is how many of them there are at once.
const batches = 4

// Read counts an event for each line, which is its key; an empty one is none. One goroutine reads
// and places keys, the other one remembers them: each takes about half of the time.
func (t *Tally) Read(r io.Reader) error {
	free, full := make(chan *batch, batches), make(chan *batch, batches)
	for range batches {
		free <- new(batch)
	}
	var err error
	go func() {
		defer close(full)
		var b *batch
		next := func() *input.Block {
			b = <-free
			return &b.Block
		}
		err = input.Blocks(r, next, func(*input.Block) error {
			t.place(b)
			full <- b
			return nil
		})
	}()
	for b := range full {
		t.remember(b)
		free <- b
	}
	return err
}

// Event counts an event that came with more than a key.
func (t *Tally) Event(route routing.Route, key string) {
	if route.Command() {
		t.commands++
		return
	}
	if _, ok := route.Sum(); !ok {
		key = "" // its slot is that of the empty key
	}
	t.one.Set(key)
	t.place(&t.one)
	t.remember(&t.one)
}

// place counts by slot.
func (t *Tally) place(b *batch) {
	b.sums = b.sums[:0]
	for i := range b.Len() {
		key := b.Line(i)
		b.sums = append(b.sums, hashpin.Sum32(key))
		if len(key) == 0 {
			t.noKey++
		}
	}
	t.all += uint64(b.Len())
	for i := range t.layouts {
		events, size := t.events[i], uint32(t.layouts[i].Size())
		for _, sum := range b.sums {
			events[sum%size]++
		}
	}
}

// remember counts by key.
func (t *Tally) remember(b *batch) {
	begin := 0
	if t.hot == nil {
		begin = t.sample.countAll(b)
		if !t.sample.full() {
			return
		}
		t.hot = newHot(t.sample)
		for t.sample.full() {
			t.sample.halve()
		}
	}
	t.hot.count(b, begin)
	t.sample.count(b, begin)
}
