package main

import (
	"strings"
	"testing"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

func costs(pairs ...any) []measure.Cost {
	var all []measure.Cost
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, measure.Cost{Contender: pairs[i].(string), Time: pairs[i+1].(float64), PerSecond: 1e9 / pairs[i+1].(float64)})
	}
	return all
}

var someResults = []result{
	{Name: "other", Columns: []column{{"300 B late", costs("a", 1.0, "b", 100.0)}}},
	{Name: "t", Columns: []column{
		{"300 B early", costs("a", 60.0, "b", 3.0, "quick *", 1.0)},
		{"300 B late", costs("a", 50.0, "b", 5.0, decide, 2.0, "quick *", 1.0)},
		{"1", costs("b", 4.0)},
	}},
}

func TestGoals(t *testing.T) {
	for name, c := range map[string]struct {
		goal goal
		want outcome
		ok   bool
	}{
		"the worst of at least":  {goal{input: "300 B*", above: "a", over: "b", want: 10}, outcome{Measured: 10, Input: "300 B late", Met: true, guarded: true}, true},
		"the worst of at most":   {goal{input: "300 B*", above: "a", over: "b", want: 19, atMost: true}, outcome{Measured: 20, Input: "300 B early", guarded: true}, true},
		"a guard that is broken": {goal{input: "300 B*", above: "a", over: "b", want: 18, guard: 11}, outcome{Measured: 10, Input: "300 B late"}, true},
		"a guard that holds":     {goal{input: "300 B*", above: "a", over: "b", want: 18, guard: 10}, outcome{Measured: 10, Input: "300 B late", guarded: true}, true},
		"per second":             {goal{input: "300 B late", above: "a", over: "b", perSecond: true, want: 1}, outcome{Measured: 0.1, Input: "300 B late", guarded: true}, true},
		"over two inputs":        {goal{input: "300 B late", inputOver: "1", above: "b", over: "b", want: 2}, outcome{Measured: 1.25, Input: "300 B late", guarded: true}, true},
		"any peer":               {goal{input: "300 B late", above: anyPeer, over: decide, want: 2}, outcome{Measured: 2.5, Input: "300 B late", Met: true, guarded: true}, true},
		"no such contender":      {goal{input: "*", above: "c", over: "b"}, outcome{}, false},
		"no such input":          {goal{input: "2 B", above: "a", over: "b"}, outcome{}, false},
	} {
		c.goal.table = "t"
		got, ok := c.goal.measured(someResults)
		if ok != c.ok {
			t.Errorf("%s: found %v, want %v", name, ok, c.ok)
		}
		if ok && (got.Measured != c.want.Measured || got.Input != c.want.Input || got.Met != c.want.Met || got.guarded != c.want.guarded) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Each goal names a table and contenders that there are, and a guard is wider than the goal.
func TestGoalsAreOfTables(t *testing.T) {
	var results []result
	for _, table := range tables {
		if table.groups == nil {
			continue // whole systems: see TestEndToEnd
		}
		groups, err := table.groups()
		if err != nil {
			t.Fatal(err)
		}
		r := result{Name: table.name}
		for _, group := range groups {
			c := column{Name: group.Name}
			for i, contender := range group.Contenders {
				c.Costs = append(c.Costs, measure.Cost{Contender: contender.Name, Time: float64(i + 1)})
			}
			r.Columns = append(r.Columns, c)
		}
		results = append(results, r)
	}
	for _, g := range goals {
		if _, found := g.measured(results); !found && g.table != endToEndTable.name {
			t.Errorf("%s: no such table, input or contender", g.text)
		}
		if g.guard != 0 && g.guard != g.want && g.within(g.guard, g.want) {
			t.Errorf("%s: the guard %v is narrower than the goal %v", g.text, g.guard, g.want)
		}
	}
}

func TestGuard(t *testing.T) {
	r := &report{Goals: []outcome{{Goal: "fine", guarded: true}, {Goal: "tenfold", Input: "300 B", Measured: 1.8, guard: 4}}}
	err := guard(r)
	if err == nil || !strings.Contains(err.Error(), "tenfold, 300 B: 1.80, which is beyond even 4") || strings.Contains(err.Error(), "fine") {
		t.Errorf("error %v", err)
	}
	r = &report{Tables: []result{{Name: "t", Columns: []column{{"300 B", []measure.Cost{{Contender: decide, Allocs: 1}, {Contender: sdkClient, Allocs: 50}}}}}}}
	if err := guard(r); err == nil || !strings.Contains(err.Error(), decide+" allocates 1 times") {
		t.Errorf("error %v", err)
	}
	if err := guard(new(report)); err != nil {
		t.Errorf("error %v of nothing", err)
	}
}
