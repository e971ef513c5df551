package load

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot/resize"
)

// A Result is what a Tally has counted.
type Result struct {
	Events   uint64 // with and without a key; no commands, which load all members
	NoKey    uint64
	Commands uint64
	Keys     Count
	Loads    []Load // as the layouts were given
	Hottest  []Key  // by falling number of events
}

// A Count is a number of different keys.
type Count struct {
	Number uint64
	Exact  bool
}

// A Key is a key with its number of events.
type Key struct {
	Key    string
	Sum    uint32
	Events uint64
	Exact  bool
}

// A Load is how the events load the slots and members of a layout.
type Load struct {
	Layout  resize.Layout
	Events  []uint64 // by slot
	Keys    []uint64 // different keys by slot; nil where they are not known
	Members []uint64 // events by member
	// Of events over slots, and of different keys over slots where these are known exactly; nil where they say nothing.
	EventsTest, KeysTest *Test
}

// A Test is Pearson's chi-square test of numbers that should be equal.
type Test struct {
	ChiSquare float64
	Degrees   int
	P         float64 // the probability that chance alone makes them as uneven or more
}

// Fullest returns the slot, or member, with most events.
func Fullest(numbers []uint64) int { return slices.Index(numbers, slices.Max(numbers)) }

// Emptiest returns the one with fewest.
func Emptiest(numbers []uint64) int { return slices.Index(numbers, slices.Min(numbers)) }

// SpeedUp is how many times as much the members do together as the fullest of them does.
func (l Load) SpeedUp() float64 {
	var all uint64
	for _, n := range l.Members {
		all += n
	}
	if all == 0 {
		return 0
	}
	return float64(all) / float64(slices.Max(l.Members))
}

// SpeedUpBound is the speed-up that no number of members can exceed, as one key has one member; 0
// where no event has a key.
func (r *Result) SpeedUpBound() float64 {
	if len(r.Hottest) == 0 {
		return 0
	}
	return float64(r.Events) / float64(r.Hottest[0].Events)
}

// Result returns what was counted, with the n hottest keys.
func (t *Tally) Result(n int) *Result {
	r := &Result{Events: t.all, NoKey: t.noKey, Commands: t.commands}
	for i, l := range t.layouts {
		load := Load{Layout: l, Events: t.events[i], Members: make([]uint64, l.Members())}
		for slot, events := range load.Events {
			load.Members[l.Holder(slot)] += events
		}
		load.EventsTest = test(load.Events)
		load.Keys = make([]uint64, l.Size())
		for _, k := range t.sample.keys {
			load.Keys[k.sum%uint32(l.Size())]++
		}
		load.KeysTest = test(load.Keys)
		for slot := range load.Keys {
			load.Keys[slot] <<= t.sample.shift
		}
		r.Loads = append(r.Loads, load)
	}
	r.Keys = Count{uint64(len(t.sample.keys)) << t.sample.shift, t.sample.shift == 0}
	r.Hottest = t.hottest(n)
	return r
}

func (t *Tally) hottest(n int) (list []Key) {
	add := func(key string, events uint64, exact bool) {
		list = append(list, Key{key, hashpin.Sum32String(key), events, exact})
	}
	if t.hot == nil {
		for _, i := range t.sample.hottest(n) {
			add(t.sample.keys[i].text, t.sample.events(i), true)
		}
		return list
	}
	for _, k := range t.hot.keys {
		add(k.text, lookup(t.hot.table, k.hash), true)
	}
	for key, estimate := range t.hot.estimates() {
		add(key, estimate, false)
	}
	slices.SortStableFunc(list, func(a, b Key) int {
		switch {
		case a.Events != b.Events && a.Events > b.Events:
			return -1
		case a.Events != b.Events:
			return 1
		}
		return strings.Compare(a.Key, b.Key)
	})
	return list[:min(n, len(list))]
}

// test returns nil where there are too few to tell: the usual limit is 5 in each.
func test(numbers []uint64) *Test {
	var all float64
	for _, n := range numbers {
		all += float64(n)
	}
	due := all / float64(len(numbers))
	if len(numbers) < 2 || due < 5 {
		return nil
	}
	t := &Test{Degrees: len(numbers) - 1}
	for _, n := range numbers {
		t.ChiSquare += (float64(n) - due) * (float64(n) - due) / due
	}
	t.P = distuv.ChiSquared{K: float64(t.Degrees)}.Survival(t.ChiSquare)
	return t
}

// Unevenness is how many times the mean the fullest member has.
func (l Load) Unevenness() float64 {
	if s := l.SpeedUp(); s > 0 {
		return float64(len(l.Members)) / s
	}
	return 0
}
