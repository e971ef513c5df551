package measure_test

import (
	"slices"
	"testing"
	"time"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

var sink []byte

// Contenders take turns, run about as often as a pass lasts, and their allocations are counted.
func TestRun(t *testing.T) {
	var turns []string
	spend := func(name string, allocate bool) measure.Contender {
		return measure.Contender{Name: name, Run: func(n int) {
			if n > 1 {
				turns = append(turns, name)
			}
			for range n {
				if allocate {
					sink = make([]byte, 4096)
				}
				for start := measure.Processor(); measure.Processor()-start < 100*time.Microsecond; {
				}
			}
		}}
	}
	group := measure.Group{Name: "g", Contenders: []measure.Contender{spend("a", false), spend("b", true)}}
	costs := measure.Run(measure.Settings{Passes: 3, Pass: 4 * time.Millisecond}, group)

	if got, want := []string{costs[0].Contender, costs[1].Contender}, []string{"a", "b"}; !slices.Equal(got, want) {
		t.Fatalf("costs of %v, want %v", got, want)
	}
	for _, c := range costs {
		if c.Time < 100_000 {
			t.Errorf("%s: %.0f ns, which is less than it spends", c.Contender, c.Time)
		}
		if c.Spread < 0 {
			t.Errorf("%s: spread %v", c.Contender, c.Spread)
		}
	}
	if got := costs[0].Allocs; got != 0 {
		t.Errorf("a: %d allocations, want 0", got)
	}
	if got := costs[1].Allocs; got != 1 {
		t.Errorf("b: %d allocations, want 1", got)
	}
	if got := costs[1].Bytes; got < 4096 {
		t.Errorf("b: %d bytes, want 4096 or a little more", got)
	}
	// After the search for the count: three passes, whose order turns, and the counting of allocations.
	if got, want := turns[len(turns)-8:], []string{"a", "b", "b", "a", "a", "b", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
}

func TestCheapest(t *testing.T) {
	for _, c := range []struct {
		values        []float64
		least, spread float64
	}{
		{[]float64{5}, 5, 0},
		{[]float64{12, 10, 30}, 10, 20},
		{[]float64{0, 0}, 0, 0},
	} {
		least, spread := measure.Cheapest(c.values)
		if least != c.least || spread < c.spread-1e-9 || spread > c.spread+1e-9 {
			t.Errorf("%v: least %v, spread %v; want %v, %v", c.values, least, spread, c.least, c.spread)
		}
	}
}

// Processor time passes while the process computes, and nothing takes it back.
func TestProcessor(t *testing.T) {
	first := measure.Processor()
	last := first
	for last-first < time.Millisecond {
		now := measure.Processor()
		if now < last {
			t.Fatalf("%v after %v", now, last)
		}
		last = now
	}
}
