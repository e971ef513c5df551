package main

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

// A goal is a ratio of two costs in a table, on each input whose name matches a pattern. The worst input counts.
type goal struct {
	text        string
	table       string
	input       string // for path.Match
	above, over string // contenders: the cost of above is divided by that of over
	inputOver   string // the input of over, where it is not that of above
	perSecond   bool   // it is the events per second that are divided, not the costs
	want        float64
	atMost      bool
	// guard is the bound that a run with -guard holds to: so wide that no noise reaches it, and no
	// tenfold loss passes it. 0 is none.
	guard float64
}

// anyPeer as the above of a goal is the cheapest contender that is not ours and that lets the last
// of two subjects count.
const anyPeer = "any peer"

// goals are what the project wants of itself.
var goals = []goal{
	{text: "`Owns` to the bare FNV-1a loop, 36 bytes", table: "key", input: "36 B, *", above: owns, over: bareFNV, want: 1.1, atMost: true, guard: 4},
	{text: "`Slot` to the bare FNV-1a loop, 36 bytes, one after the other", table: "turn", input: "36 B, *", above: ownSlot, over: bareFNV, want: 1.25, atMost: true},
	{text: "four calls to four keys interleaved", table: "four", input: "4 keys of 36 B", above: fourSingle, over: fourInterleaved, want: 2},
	{text: "four keys interleaved to xxhash", table: "four", input: "4 keys of 36 B", above: fourInterleaved, over: fourXXHash, want: 1, atMost: true},
	{text: "SDK client's decode to `Decide`", table: "message", input: "*", above: sdkClient, over: decide, want: 18, guard: 4},
	{text: "any peer that sees a second subject to `Decide`", table: "message", input: "*", above: anyPeer, over: decide, want: 1},
	{text: "encoding/json into two fields to `Decide`", table: "message", input: "*", above: twoFields, over: decide, want: 4, guard: 2},
	{text: "jsontext in full to `Decide`", table: "message", input: "*", above: tokens, over: decide, want: 2.5, guard: 0.7},
	{text: "gjson to `Decide`, late subject", table: "message", input: "*late", above: gjsonGet, over: decide, want: 1, guard: 0.3},
	{text: "jsonparser to `Decide`, late subject", table: "message", input: "*late", above: parserGet, over: decide, want: 1, guard: 0.3},
	{text: "`ToEvent` to `DecideMessage`, HTTP", table: "binary", input: "HTTP", above: toEvent, over: decideHeader, want: 50, guard: 4},
	{text: "`DecideMessage` to three map lookups and the hash, HTTP", table: "binary", input: "HTTP", above: decideHeader, over: lookups, want: 2, atMost: true, guard: 8},
	{text: "SDK's decode of a batch to `Batch` and `Decide`", table: "batch", input: "*", above: batchSDK, over: batchDecide, want: 10, guard: 2.5},
	{text: "`Local` with 1024 members to `Local` with 1", table: "local", input: "1024", inputOver: "1", above: localDecide, over: localDecide, want: 1.2, atMost: true, guard: 6},
	{text: "a loop over 1024 filters to `Local`", table: "local", input: "1024", above: loopDecide, over: localDecide, want: 100, guard: 100},
	{text: "events/s, binary, 8 members: (b) to (a)", table: "end-to-end", input: "binary, 8", above: decideDrop, over: discard, perSecond: true, want: 0.95},
	{text: "the same by processor time: (a) to (b)", table: "end-to-end", input: "binary, 8", above: discard, over: decideDrop, want: 0.95},
	{text: "events/s, structured, 8 members: (b) to (a)", table: "end-to-end", input: "structured, 8", above: decideDrop, over: discard, perSecond: true, want: 0.7},
	{text: "the same by processor time: (a) to (b)", table: "end-to-end", input: "structured, 8", above: discard, over: decideDrop, want: 0.7},
	{text: "events/s, structured, 8 members: (b) to (c)", table: "end-to-end", input: "structured, 8", above: decideDrop, over: decodeDrop, perSecond: true, want: 4},
	{text: "the same by processor time: (c) to (b)", table: "end-to-end", input: "structured, 8", above: decodeDrop, over: decideDrop, want: 4},
}

// An outcome is a goal with what was measured.
type outcome struct {
	Goal     string  `json:"goal"`
	Input    string  `json:"input"` // the worst
	Want     float64 `json:"want"`
	AtMost   bool    `json:"at_most"`
	Measured float64 `json:"measured"`
	Met      bool    `json:"met"`
	guard    float64
	guarded  bool
}

// measured looks a goal up in the results; ok is false where its table was not run.
func (g *goal) measured(results []result) (o outcome, ok bool) {
	o = outcome{Goal: g.text, Want: g.want, AtMost: g.atMost, guard: g.guard, Measured: math.Inf(1)}
	if g.atMost {
		o.Measured = math.Inf(-1)
	}
	for _, r := range results {
		if r.Name != g.table {
			continue
		}
		for i := range r.Columns {
			ratio, found := g.ratio(&r, &r.Columns[i])
			if found && g.atMost == (ratio > o.Measured) {
				o.Measured, o.Input, ok = ratio, r.Columns[i].Name, true
			}
		}
	}
	o.Met = g.within(o.Measured, g.want)
	o.guarded = g.guard == 0 || g.within(o.Measured, g.guard)
	return o, ok
}

// divisor is the pattern of the inputs of over.
func (g *goal) divisor() string {
	if g.inputOver != "" {
		return g.inputOver
	}
	return g.input
}

// ratio returns that of the goal on an input; ok is false where it is none of the goal's.
func (g *goal) ratio(r *result, c *column) (ratio float64, ok bool) {
	if !matches(g.input, c.Name) {
		return 0, false
	}
	divisor := c
	if g.inputOver != "" {
		divisor = r.column(g.inputOver)
	}
	above, ok1 := c.cost(g.above)
	if g.above == anyPeer {
		above, ok1 = c.cheapestPeer()
	}
	over, ok2 := divisor.cost(g.over)
	if !ok1 || !ok2 {
		return 0, false
	}
	if g.perSecond {
		return above.PerSecond / over.PerSecond, true
	}
	return above.Time / over.Time, true
}

// cheapestPeer returns what anyPeer stands for.
func (c *column) cheapestPeer() (cheapest measure.Cost, ok bool) {
	for _, cost := range c.Costs {
		if isOurs(cost.Contender) || strings.HasSuffix(cost.Contender, "*") {
			continue
		}
		if !ok || cost.Time < cheapest.Time {
			cheapest, ok = cost, true
		}
	}
	return cheapest, ok
}

func (g *goal) within(ratio, bound float64) bool {
	if g.atMost {
		return ratio <= bound
	}
	return ratio >= bound
}

// outcomes are those of all goals whose tables were run.
func outcomes(results []result) []outcome {
	var all []outcome
	for i := range goals {
		if o, ok := goals[i].measured(results); ok {
			all = append(all, o)
		}
	}
	return all
}

// guarded is the want of a run with -guard: the contenders of goals that have a guard.
func guarded(table string) func(group, contender string) bool {
	return func(group, contender string) bool {
		for _, g := range goals {
			if g.guard == 0 || g.table != table {
				continue
			}
			if matches(g.input, group) && contender == g.above || matches(g.divisor(), group) && contender == g.over {
				return true
			}
		}
		return false
	}
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// allocating returns an error if one of our own contenders allocates.
func allocating(results []result) error {
	for _, r := range results {
		for _, c := range r.Columns {
			for _, cost := range c.Costs {
				if isOurs(cost.Contender) && cost.Allocs != 0 {
					return fmt.Errorf("table %s, %s: %s allocates %d times, want 0", r.Name, c.Name, cost.Contender, cost.Allocs)
				}
			}
		}
	}
	return nil
}

// isOurs tells the library's own contenders.
func isOurs(contender string) bool {
	switch contender {
	case owns, ownSlot, hashOnly, decide, decideHeader, batchDecide, localDecide, localJudge, loopDecide, loopJudge:
		return true
	}
	return false
}
