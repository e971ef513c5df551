package load

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"
)

const (
	// MaxExact is how many different keys are counted exactly.
	MaxExact = 1 << 16
	// maxKeyBytes is how many bytes they may have together.
	maxKeyBytes = 32 << 20
)

// A sample counts the events of each key, while there are not too many. When there are, it forgets
// the half of the keys whose hash has a bit set, and has from then on one in two, in four, …, of
// all keys, each with all its events: Wegman's adaptive sampling (Flajolet, "On adaptive sampling",
// Computing 43, 1990). It gives the number of different keys, and what share of them a slot has.
//
// Keys are told apart by 64 bits of a hash that has nothing to do with the slot rule's: that two of
// 65 536 keys share them has a chance of 1 in 8 000 000 000.
type sample struct {
	shift int     // one in 1<<shift keys is in the sample: those whose hash has as many leading zeros
	table []entry // open addressing; its length is a power of two, and it is half full at most
	keys  []key
	bytes int // of all keys
}

// An entry is free while its count is 0.
type entry struct{ hash, count uint64 }

type key struct {
	text string
	sum  uint32 // by the slot rule
	hash uint64
}

func newSample() *sample {
	s := &sample{}
	s.grow(1 << 12)
	return s
}

// grow makes a larger table.
func (s *sample) grow(size int) {
	old := s.table
	s.table = make([]entry, size)
	for _, k := range s.keys {
		s.table[free(s.table, k.hash)] = entry{k.hash, lookup(old, k.hash)}
	}
}

// free returns where a hash stands in a table, or would stand.
func free(table []entry, hash uint64) int {
	mask := uint64(len(table) - 1)
	at := hash & mask
	for table[at].count != 0 && table[at].hash != hash {
		at = (at + 1) & mask
	}
	return int(at)
}

func lookup(table []entry, hash uint64) uint64 {
	if len(table) == 0 {
		return 0
	}
	return table[free(table, hash)].count
}

func (s *sample) full() bool { return len(s.keys) > MaxExact || s.bytes > maxKeyBytes }

// countAll counts keys until the sample is full, and returns how many.
func (s *sample) countAll(b *batch) int {
	table := s.table
	mask := uint64(len(table) - 1)
	for i := range b.Len() {
		key := b.Line(i)
		hash := xxhash.Sum64(key)
		at := hash & mask
		for table[at].count != 0 && table[at].hash != hash {
			at = (at + 1) & mask
		}
		if table[at].count != 0 {
			table[at].count++
			continue
		}
		if len(key) == 0 {
			continue
		}
		s.add(key, b.sums[i], hash)
		table, mask = s.table, uint64(len(s.table)-1)
		if s.full() {
			return i + 1
		}
	}
	return b.Len()
}

// count counts those keys, from begin on, that belong to the sample.
func (s *sample) count(b *batch, begin int) {
	for i, sum := range b.sums[begin:] {
		if draw(sum)>>(32-s.shift) != 0 {
			continue
		}
		key := b.Line(begin + i)
		if len(key) == 0 {
			continue
		}
		hash := xxhash.Sum64(key)
		if at := free(s.table, hash); s.table[at].count != 0 {
			s.table[at].count++
			continue
		}
		s.add(key, sum, hash)
		for s.full() {
			s.halve()
		}
	}
}

// draw gives the bits that decide on the sample: other ones than decide on the slot.
func draw(sum uint32) uint32 { return sum * 0x9e3779b1 }

// add takes up a key that is new.
func (s *sample) add(text []byte, sum uint32, hash uint64) {
	if 2*(len(s.keys)+1) > len(s.table) {
		s.grow(2 * len(s.table))
	}
	s.table[free(s.table, hash)] = entry{hash, 1}
	s.keys = append(s.keys, key{string(text), sum, hash})
	s.bytes += len(text)
}

// halve forgets half of the keys.
func (s *sample) halve() {
	s.shift++
	s.keys = slices.DeleteFunc(s.keys, func(k key) bool { return draw(k.sum)>>(32-s.shift) != 0 })
	s.bytes = 0
	for _, k := range s.keys {
		s.bytes += len(k.text)
	}
	s.grow(len(s.table))
}

func (s *sample) events(i int) uint64 { return lookup(s.table, s.keys[i].hash) }

// hottest returns the indexes of the n keys with most events, of equals the first ones.
func (s *sample) hottest(n int) []int {
	all := make([]int, len(s.keys))
	counts := make([]uint64, len(s.keys))
	for i := range all {
		all[i], counts[i] = i, s.events(i)
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	return all[:min(n, len(all))]
}
