package slot

import (
	"log/slog"
	"sync/atomic"
)

// A Counter counts verdicts by kind. The zero Counter is ready. It is safe for concurrent use and
// must not be copied after first use. Counting is one atomic addition; loops that run in parallel
// and at full speed have a Counter each and add up their [Counts].
type Counter struct {
	byKind [len(kindNames)]atomic.Uint64
}

// Count counts v and returns it, so that it fits around a decision:
//
//	if !counter.Count(filter.Decide(event)).Admit() {
//
// The zero Verdict, and any Kind that is not one of this package, is not counted.
func (c *Counter) Count(v Verdict) Verdict {
	if int(v.Kind) < len(c.byKind) {
		c.byKind[v.Kind].Add(1)
	}
	return v
}

// Counts returns the numbers so far. Under concurrent counting each number is exact at its own
// moment, and none ever falls.
func (c *Counter) Counts() Counts {
	return Counts{
		Own:       c.byKind[Own].Load(),
		Foreign:   c.byKind[Foreign].Load(),
		Bypass:    c.byKind[Bypass].Load(),
		Malformed: c.byKind[Malformed].Load(),
	}
}

// Counts are numbers of verdicts by kind.
type Counts struct {
	Own, Foreign, Bypass, Malformed uint64
}

// Total returns the number of all verdicts.
func (c Counts) Total() uint64 { return c.Own + c.Foreign + c.Bypass + c.Malformed }

// Plus returns the sums of the numbers of c and d.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Own + d.Own, c.Foreign + d.Foreign, c.Bypass + d.Bypass, c.Malformed + d.Malformed}
}

// LogValue makes a group of the four numbers.
func (c Counts) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Uint64("own", c.Own),
		slog.Uint64("foreign", c.Foreign),
		slog.Uint64("bypass", c.Bypass),
		slog.Uint64("malformed", c.Malformed),
	)
}
