// Package measure compares what several pieces of code cost, side by side in one run.
//
// Costs are processor time of the whole process, garbage collection included, not time on the wall:
// on a machine that does other things too, it says the same. Contenders take turns, pass by pass,
// so that a slow moment hits all of them, and each one's cheapest pass counts, since noise only
// ever adds.
package measure

import (
	"runtime"
	"slices"
	"time"
)

// A Contender is one way to do what all contenders of its group do.
type Contender struct {
	Name string
	// Run does it n times, in a loop of its own, so that no call through a pointer is counted with each.
	Run func(n int)
}

// A Group is what is compared: contenders on the same input.
type Group struct {
	Name       string
	Contenders []Contender
}

// Settings say how long to measure.
type Settings struct {
	Passes int           // of each contender, at least 1
	Pass   time.Duration // the processor time of one pass
}

// A Cost is what one operation of a contender costs.
type Cost struct {
	Contender string  `json:"contender"`
	Time      float64 `json:"ns"`             // nanoseconds of processor time, in the cheapest pass
	Spread    float64 `json:"spread_percent"` // by how much the median pass was above the cheapest
	Allocs    uint64  `json:"allocs"`
	Bytes     uint64  `json:"bytes"`
	PerSecond float64 `json:"events_per_second,omitempty"` // of whole systems, by the clock on the wall
}

// Run measures a group; the costs are in the order of its contenders.
func Run(s Settings, g Group) []Cost {
	times := make([][]float64, len(g.Contenders))
	counts := make([]int, len(g.Contenders))
	for i, c := range g.Contenders {
		counts[i] = count(c, s.Pass)
	}
	for pass := range s.Passes {
		for i := range g.Contenders {
			turn := (i + pass) % len(g.Contenders)
			times[turn] = append(times[turn], timed(g.Contenders[turn], counts[turn]))
		}
	}
	costs := make([]Cost, len(g.Contenders))
	for i, c := range g.Contenders {
		costs[i] = Cost{Contender: c.Name}
		costs[i].Time, costs[i].Spread = Cheapest(times[i])
		costs[i].Allocs, costs[i].Bytes = allocated(c, min(counts[i], 1000))
	}
	return costs
}

// Cheapest returns the least of the values, and by how many percent the median is above it.
func Cheapest(values []float64) (least, spread float64) {
	sorted := slices.Sorted(slices.Values(values))
	least, median := sorted[0], sorted[len(sorted)/2]
	if least <= 0 {
		return least, 0
	}
	return least, (median/least - 1) * 100
}

// count returns how many operations take about the time of one pass.
func count(c Contender, pass time.Duration) int {
	for n := 1; ; n *= 4 {
		start := Processor()
		c.Run(n)
		if spent := Processor() - start; spent >= pass/8 {
			return max(1, int(float64(n)*float64(pass)/float64(spent)))
		}
	}
}

// timed returns the nanoseconds of one operation in a pass of n.
func timed(c Contender, n int) float64 {
	runtime.GC() // nobody pays for what another left behind
	start := Processor()
	c.Run(n)
	return float64(Processor()-start) / float64(n)
}

// allocated returns the allocations of one operation, rounded down: a background allocation of the runtime's own is not
// the contender's.
func allocated(c Contender, n int) (allocs, bytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.Run(n)
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / uint64(n), (after.TotalAlloc - before.TotalAlloc) / uint64(n)
}
