package slot

import (
	"iter"
	"slices"

	"github.com/slotkey/slotkey/routing"
)

// A Local finds, among many filters in one process, those that admit an event: with one key and one
// hash, at a cost that does not grow with the number of members. It answers as a loop over
// [Filter.Decide] would, for members of any groups, sizes and rules. Groups stay independent: a
// full group has one owner of an event, two full groups have two.
//
// Only filters that admit the event are visited, so nothing counts the foreign ones one by one. For
// metrics, count the events of the process once, and for each filter its verdicts; what it did not
// admit of the events, it dropped:
//
//	foreign := events - counters[i].Counts().Total()
//
// It is immutable and safe for concurrent use. The zero Local has no filter. Members come and go by
// making a new one, in time and memory in proportion to the members and the sizes of their groups.
type Local struct {
	rules []localRule // in the order of their first filter
}

// A localRule holds the filters that decide under one rule: they share key and hash.
type localRule struct {
	rule      routing.Rule
	all       []int
	dedicated []int
	sizes     []localSize // in the order of their first filter
}

// A localSize lists the holders of each slot, one slot after the other. Groups of one size share
// it: the name of a group never enters the hash, so their events have one slot.
type localSize struct {
	size    uint32
	holders []int // indexes of filters, by slot
	end     []int // where each slot's part of holders ends
}

// NewLocal returns the Local of the given filters. They are known by their index in the order
// given. Two filters that hold one slot both own its events, as they would in two processes:
// whether that may be is not decided here but by fleet.Registry. A nil filter panics, as its
// methods do.
func NewLocal(filters ...*Filter) *Local {
	l := new(Local)
	for i, f := range filters {
		r := l.under(f.rule)
		r.all = append(r.all, i)
		if f.member.Dedicated() {
			r.dedicated = append(r.dedicated, i)
		} else if !r.has(f.member.size) {
			r.sizes = append(r.sizes, localSize{size: f.member.size})
		}
	}
	for i := range l.rules {
		for j := range l.rules[i].sizes {
			l.rules[i].sizes[j].fill(filters, l.rules[i].all)
		}
	}
	return l
}

func (l *Local) under(rule routing.Rule) *localRule {
	for i := range l.rules {
		if l.rules[i].rule == rule {
			return &l.rules[i]
		}
	}
	l.rules = append(l.rules, localRule{rule: rule})
	return &l.rules[len(l.rules)-1]
}

func (r *localRule) has(size uint32) bool {
	return slices.ContainsFunc(r.sizes, func(z localSize) bool { return z.size == size })
}

// fill takes in the members of the size among filters[i] for i in all.
func (z *localSize) fill(filters []*Filter, all []int) {
	bySlot := make([][]int, z.size)
	for _, i := range all {
		if m := filters[i].member; m.size == z.size {
			for s := range m.slots() {
				bySlot[s] = append(bySlot[s], i)
			}
		}
	}
	for _, holders := range bySlot {
		z.holders = append(z.holders, holders...)
		z.end = append(z.end, len(z.holders))
	}
}

// Decide returns the filters that admit an event, by their indexes, each with its verdict, which is
// what its own Decide returns. The order depends only on the filters: by rule, dedicated members
// first, then by size, rules and sizes in the order of their first filter, and filters of one slot
// in rising order; a command comes to the filters of one rule in rising order. It does not
// allocate.
func (l *Local) Decide(e routing.Event) iter.Seq2[int, Verdict] {
	return func(yield func(int, Verdict) bool) { l.decide(&e, yield) } // thin, so that it is inlined and stays off the heap
}

func (l *Local) decide(e *routing.Event, yield func(int, Verdict) bool) {
	for i := range l.rules {
		if r := &l.rules[i]; !r.judge(r.rule.Route(*e), yield) {
			return
		}
	}
}

// Judge is [Local.Decide] for an event that route makes a route of, such as a raw message. The
// function is called once for each rule that the filters differ in, with that rule:
//
//	for i, verdict := range local.Judge(func(rule routing.Rule) routing.Route { return cloudevent.Route(rule, message) }) {
//
// Judge does not allocate.
func (l *Local) Judge(route func(routing.Rule) routing.Route) iter.Seq2[int, Verdict] {
	return func(yield func(int, Verdict) bool) { l.judge(route, yield) }
}

func (l *Local) judge(route func(routing.Rule) routing.Route, yield func(int, Verdict) bool) {
	for i := range l.rules {
		if r := &l.rules[i]; !r.judge(route(r.rule), yield) {
			return
		}
	}
}

// judge yields the filters that admit route, and reports whether the caller wants more. The
// verdicts are those of Filter.Judge.
func (r *localRule) judge(route routing.Route, yield func(int, Verdict) bool) bool {
	if route.Command() {
		return yieldAll(r.all, Verdict{Bypass, -1, 0}, yield)
	}
	sum, hasKey := route.Sum()
	ours := Own
	if !hasKey {
		sum, ours = emptySum, Malformed
	}
	if !yieldAll(r.dedicated, Verdict{Own, -1, sum}, yield) {
		return false
	}
	for i := range r.sizes {
		z := &r.sizes[i]
		slot := sum % z.size
		if !yieldAll(z.heldBy(slot), Verdict{ours, int(slot), sum}, yield) {
			return false
		}
	}
	return true
}

// heldBy wants a slot below the size.
func (z *localSize) heldBy(slot uint32) []int {
	first := 0
	if slot > 0 {
		first = z.end[slot-1]
	}
	return z.holders[first:z.end[slot]]
}

func yieldAll(filters []int, v Verdict, yield func(int, Verdict) bool) bool {
	for _, i := range filters {
		if !yield(i, v) {
			return false
		}
	}
	return true
}
