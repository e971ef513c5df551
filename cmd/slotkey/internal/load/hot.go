package load

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"
	boom "github.com/tylertreat/BoomFilters"
)

const (
	// tracked is how many keys are counted exactly to the end: those that had most events when
	// there came to be too many.
	tracked = 512
	// every is of how many events the count-min sketch takes one. It counts for all of them.
	every = 128
	// Of what the sketch counts it says too much by at most sketchError times all that it was
	// given, with the probability 1-sketchUnsure.
	sketchError, sketchUnsure = 1.0 / 16384, 0.02
	// certain is the least estimate that is believed: below 16 of the events taken chance says more than the sketch.
	certain = 16 * every
	// maxSketched is the longest key that is remembered.
	maxSketched = 64 << 10
)

// A hot finds the keys with most events, once there are too many keys to count each. Its choices
// are those of a fixed seed: the same input gives the same result.
type hot struct {
	table      []entry  // of the keys tracked, as in a sample
	filter     []uint64 // a bit for each value of a sum's lowest 16 bits: most keys are not tracked, and need no look into the table
	keys       []key
	counter    *boom.CountMinSketch
	candidates map[string]uint64 // estimates
	floor      uint64            // the least estimate that is worth remembering
	random     *rand.Rand
	next       int // events until one is taken
}

func newHot(s *sample) *hot {
	h := &hot{
		table:      make([]entry, 2*tracked),
		filter:     make([]uint64, 1<<16/64),
		counter:    boom.NewCountMinSketch(sketchError, sketchUnsure),
		candidates: map[string]uint64{},
		floor:      certain,
		random:     rand.New(rand.NewPCG(1, 2)),
	}
	h.next = h.gap()
	for _, i := range s.hottest(tracked) {
		k := s.keys[i]
		h.keys = append(h.keys, k)
		h.table[free(h.table, k.hash)] = entry{k.hash, s.events(i)}
		h.filter[k.sum&0xffff/64] |= 1 << (k.sum & 63)
	}
	return h
}

func (h *hot) gap() int { return 1 + h.random.IntN(2*every-1) } // every, on average

// count counts the keys from begin on.
func (h *hot) count(b *batch, begin int) {
	for i, sum := range b.sums[begin:] {
		if h.filter[sum&0xffff/64]>>(sum&63)&1 != 0 {
			if at := free(h.table, xxhash.Sum64(b.Line(begin+i))); h.table[at].count != 0 {
				h.table[at].count++
				continue
			}
		}
		if h.next--; h.next == 0 {
			h.next = h.gap()
			h.take(b.Line(begin + i))
		}
	}
}

func (h *hot) take(key []byte) {
	if len(key) == 0 || len(key) > maxSketched {
		return
	}
	h.counter.AddN(key, every)
	estimate := h.counter.Count(key)
	if estimate < h.floor {
		return
	}
	h.candidates[string(key)] = estimate
	if len(h.candidates) > 4*tracked {
		h.prune()
	}
}

// prune forgets the lower half of the candidates.
func (h *hot) prune() {
	estimates := slices.Sorted(maps.Values(h.candidates))
	h.floor = estimates[len(estimates)/2]
	maps.DeleteFunc(h.candidates, func(_ string, estimate uint64) bool { return estimate <= h.floor })
}

// estimates returns the candidates whose estimate is certain enough.
func (h *hot) estimates() map[string]uint64 {
	least := max(certain, uint64(4*sketchError*float64(h.counter.TotalCount())))
	believed := map[string]uint64{}
	for key, estimate := range h.candidates {
		if estimate >= least {
			believed[key] = estimate
		}
	}
	return believed
}
