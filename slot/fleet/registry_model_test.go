package fleet_test

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// carries says for each topic that the model uses which events come on it, spelt out: no matching of patterns.
var carries = map[string][]string{
	"ticks":           {"ticks"},
	"ticks.eu":        {"ticks.eu"},
	"ticks.*":         {"ticks.eu", "ticks.us"},
	">":               {"ticks", "ticks.eu", "ticks.us", "trades", "x.y.z"},
	"trades":          {"trades"},
	"wrk.a.command.b": {}, // only commands, which are not divided
}

// A modelWorker is a worker as the model sees it.
type modelWorker struct {
	name, group, plan string
	size              int // 0: dedicated
	slots             []int
	rule              routing.Rule
	topics            []string
}

func (w modelWorker) events() map[string]bool {
	events := map[string]bool{}
	for _, topic := range w.topics {
		for _, e := range carries[topic] {
			events[e] = true
		}
	}
	return events
}

// A model is the naive registry: for every event that exists, it looks at every slot of every worker.
type model map[string]modelWorker

// refuses returns what may stand in the way of w; a nil error means nothing does.
func (m model) refuses(w modelWorker, from, to *fleet.Shape) map[error]bool {
	if _, ok := m[w.name]; ok {
		return map[error]bool{fleet.ErrRunning: true}
	}
	why := map[error]bool{}
	for _, o := range m {
		if w.size == 0 || o.size == 0 || w.group != o.group {
			continue
		}
		mine := w.events()
		for e := range o.events() {
			if !mine[e] {
				continue
			}
			a, b := fleet.Shape{Size: w.size, Rule: w.rule, Plan: w.plan}, fleet.Shape{Size: o.size, Rule: o.rule, Plan: o.plan}
			if a != b && (from == nil || b != *from && b != *to) {
				why[map[bool]error{true: fleet.ErrSizeDiffers}[a.Size != b.Size]] = true
				why[map[bool]error{true: fleet.ErrRuleDiffers}[a.Rule != b.Rule]] = true
				why[map[bool]error{true: fleet.ErrPlanDiffers}[a.Plan != b.Plan]] = true
				continue
			}
			for _, s := range w.slots {
				if a.Size == b.Size && a.Rule == b.Rule && slices.Contains(o.slots, s) {
					why[fleet.ErrSlotHeld] = true
				}
			}
		}
	}
	delete(why, nil)
	return why
}

// coverage returns, for each group, size, rule and topic, the slots that run.
func (m model) coverage() map[string][]int {
	out := map[string][]int{}
	for _, w := range m {
		for _, topic := range w.topics {
			if w.size == 0 || len(carries[topic]) == 0 {
				continue
			}
			held := map[int]bool{}
			for _, o := range m {
				all := o.group == w.group && o.size == w.size && o.rule == w.rule
				for _, e := range carries[topic] {
					all = all && o.events()[e]
				}
				for _, s := range o.slots {
					if all {
						held[s] = true
					}
				}
			}
			slots := []int{}
			for s := range held {
				slots = append(slots, s)
			}
			sort.Ints(slots)
			out[fmt.Sprint(w.group, " ", w.size, " ", w.rule, " ", topic)] = slots
		}
	}
	return out
}

// The union of a member's topics may carry all of a pattern that no single one of them covers; the
// Registry compares pattern by pattern and so may report less. The topics above are chosen so that
// this does not happen: "ticks.*" carries ticks.us, which no other topic but ">" does.

func TestRegistryAgainstTheModel(t *testing.T) {
	percent := rule(t, "subject,id percent")
	draw := rapid.Custom(func(t *rapid.T) modelWorker {
		w := modelWorker{
			name:   rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "name"),
			topics: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"ticks", "ticks.eu", "ticks.*", ">", "trades", "wrk.a.command.b"}), 1, 3, rapid.ID[string]).Draw(t, "topics"),
		}
		if w.size = rapid.SampledFrom([]int{0, 2, 2, 2, 3}).Draw(t, "size"); w.size == 0 {
			return w
		}
		w.group = rapid.SampledFrom([]string{"g", "g", "g", "h"}).Draw(t, "group")
		w.slots = rapid.SliceOfNDistinct(rapid.IntRange(0, w.size-1), 0, 2, rapid.ID[int]).Draw(t, "slots")
		w.plan = rapid.SampledFrom([]string{"", "", "", "2,3@9"}).Draw(t, "plan")
		w.rule = rapid.SampledFrom([]routing.Rule{{}, {}, {}, percent}).Draw(t, "rule")
		return w
	})
	build := func(t *rapid.T, w modelWorker) fleet.Worker {
		m := slot.Member{}
		if w.size > 0 {
			var err error
			if m, err = slot.NewSet(w.group, w.size, w.slots...); err != nil {
				t.Fatal(err)
			}
		}
		return fleet.Worker{Name: w.name, Filter: slot.NewFilter(m).WithRule(w.rule), Topics: w.topics, Plan: w.plan}
	}
	agree := func(t *rapid.T, err error, want map[error]bool) bool {
		if (err != nil) != (len(want) > 0) {
			t.Fatalf("got %v, want one of %v", err, want)
		}
		for w := range want {
			if errors.Is(err, w) {
				return false
			}
		}
		if err != nil {
			t.Fatalf("got %v, want one of %v", err, want)
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		var r fleet.Registry
		m := model{}
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) {
				w := draw.Draw(t, "worker")
				_, err := r.Start(build(t, w))
				if agree(t, err, m.refuses(w, nil, nil)) {
					m[w.name] = w
				}
			},
			"start during a transition": func(t *rapid.T) {
				w, other := draw.Draw(t, "worker"), draw.Draw(t, "other side")
				from, to := build(t, other).Shape(), build(t, w).Shape()
				_, err := r.StartDuring(fleet.Transition{From: from, To: to}, build(t, w))
				if agree(t, err, m.refuses(w, &from, &to)) {
					m[w.name] = w
				}
			},
			"stop": func(t *rapid.T) {
				name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "name")
				_, err := r.Stop(name)
				if _, ok := m[name]; ok != (err == nil) || err != nil && !errors.Is(err, fleet.ErrNotRunning) {
					t.Fatalf("stop of %s: %v, runs: %v", name, err, ok)
				}
				delete(m, name)
			},
			"": func(t *rapid.T) {
				names := []string{}
				for _, w := range r.List() {
					names = append(names, w.Name)
				}
				want := []string{}
				for name := range m {
					want = append(want, name)
				}
				sort.Strings(want)
				if diff := cmp.Diff(want, names); diff != "" {
					t.Fatalf("list (-model +got):\n%s", diff)
				}
				got := map[string][]int{}
				for _, c := range r.Coverage() {
					if len(c.Running)+len(c.Missing) != c.Size {
						t.Fatalf("%+v: running and missing are not all slots", c)
					}
					for _, topic := range c.Topics {
						got[fmt.Sprint(c.Group, " ", c.Size, " ", c.Rule, " ", topic)] = append([]int{}, c.Running...)
					}
				}
				if diff := cmp.Diff(m.coverage(), got); diff != "" {
					t.Fatalf("coverage (-model +got):\n%s", diff)
				}
			},
		})
	})
}
