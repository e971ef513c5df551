package resize

import (
	"slices"
	"strconv"
)

// An Action is what a member does in a rolling change. The zero Action is none.
type Action uint8

const (
	// Join: the member runs from now on, with the layout after the change.
	Join Action = iota + 1
	// Flip: the member, which has run with the layout before, runs with the one after.
	Flip
	// Leave: the member, which has run with the layout before, ends.
	Leave
)

var actionNames = [...]string{"none", "join", "flip", "leave"}

// String returns "join", "flip" or "leave"; "none" for the zero Action.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return "Action(" + strconv.Itoa(int(a)) + ")"
}

// MarshalText returns [Action.String]. It never fails.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the name of an action, "none" included. On an error, which is an [*Error], a is unchanged.
func (a *Action) UnmarshalText(text []byte) error {
	i := slices.Index(actionNames[:], string(text))
	if i < 0 {
		return &Error{"action", strconv.Quote(string(text)), "is not join, flip, leave or none", ErrText}
	}
	*a = Action(i)
	return nil
}

// A Step is one member's part in a rolling change.
type Step struct {
	Member int
	Action Action
	// After has the other members that take over keys of this one, in rising order. While one of
	// them has not taken its own step, keys are lost. And that it comes later is not enough: this
	// member may step only once its committed position is at or past the position at which each of
	// them began with the new layout. That is the drain condition of SPEC section 14; without it,
	// what was published before they began and was not handled yet has no owner.
	After []int
	// Unowned and Doubled are the shares of the keys that no member and that two members own, from
	// this step to the next.
	Unowned, Doubled Fraction
}

// A Change is a rolling change from one layout to another: members take their steps one after the other, and nothing
// but their order makes it safe.
type Change struct {
	From, To Layout
	// Moved is the share of the keys that have another member in the end, and Least the smallest
	// share that any rule would have to move to reach the same number of keys per member.
	Moved, Least Fraction
	Steps        []Step
}

// Simulate computes what a rolling change does, step by step, exactly: it counts the residues of
// the hash modulo the least common multiple of the two sizes. The shares are those of evenly spread
// hashes; the 2^32 hashes that there are differ from that by less than 1 in 4000.
//
// The order has each member that is in either layout, once. Without an order it is the one to take:
// where there is one that never leaves a key unowned, that with newcomers first, then members that
// flip, then those that leave, each group in rising order as far as that is safe. Where there is
// none, [Change.Safe] is false, and the order is newcomers, then flips, then those that leave.
//
// A zero Layout, and an order with a member too many, too few or twice, is an [*Error]. The time is
// linear in that multiple, which is at most 1 047 552: tens of milliseconds.
func Simulate(from, to Layout, order ...int) (Change, error) {
	for _, l := range []Layout{from, to} {
		if err := checkSlots(l.Size(), strconv.Itoa(l.Size())); err != nil {
			return Change{}, err
		}
	}
	r := newRolling(from, to)
	if len(order) == 0 {
		order = r.bestOrder()
	} else if err := r.check(order); err != nil {
		return Change{}, err
	}
	c := Change{From: from, To: to, Moved: r.share(r.moved()), Least: r.share(r.least())}
	for _, m := range order {
		c.Steps = append(c.Steps, r.step(m))
	}
	return c, nil
}

// Safe reports whether no step leaves a key without an owner, given the drain condition of
// [Step.After]. Of a Change that was computed without an order, it tells whether any order is safe.
func (c Change) Safe() bool {
	unowned, _ := c.Worst()
	return unowned.Num == 0
}

// Worst returns the largest shares of keys that have no owner, and that have two, after any step.
func (c Change) Worst() (unowned, doubled Fraction) {
	unowned, doubled = Fraction{0, 1}, Fraction{0, 1}
	for _, s := range c.Steps {
		if unowned.less(s.Unowned) {
			unowned = s.Unowned
		}
		if doubled.less(s.Doubled) {
			doubled = s.Doubled
		}
	}
	return unowned, doubled
}

// A rolling is the state between two steps.
type rolling struct {
	from, to         Layout
	old, new         []bool  // by member: runs with from, runs with to
	after            [][]int // by member: who takes over its keys
	common           int     // the greatest common divisor of the sizes
	residues         int     // their least common multiple
	unowned, doubled int     // residues
}

func newRolling(from, to Layout) *rolling {
	n := max(from.Members(), to.Members())
	r := &rolling{from: from, to: to, old: make([]bool, n), new: make([]bool, n), after: make([][]int, n)}
	r.common = from.Size() / fraction(to.Size(), from.Size()).Den
	r.residues = from.Size() / r.common * to.Size()
	for m := range from.Members() {
		r.old[m] = true
	}
	takers := make([]bool, n)
	for m := range from.Members() {
		clear(takers)
		for _, s := range from.Slots(m) {
			for t := s % r.common; t < to.Size(); t += r.common {
				takers[to.Holder(t)] = true
			}
		}
		takers[m] = false
		r.after[m] = trues(takers)
	}
	return r
}

// trues returns the indexes of what is true. A change of a large size makes a million of them, so it counts first.
func trues(flags []bool) []int {
	n := 0
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	indexes := make([]int, 0, n)
	for i, flag := range flags {
		if flag {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func (r *rolling) share(residues int) Fraction { return fraction(residues, r.residues) }

// A slot before and a slot after have one residue in common if they are equal modulo the common
// divisor of the sizes, else none.

// moved counts the residues whose member changes.
func (r *rolling) moved() (n int) {
	for s := range r.from.Size() {
		for t := s % r.common; t < r.to.Size(); t += r.common {
			if r.from.Holder(s) != r.to.Holder(t) {
				n++
			}
		}
	}
	return n
}

// least counts the residues that members must gain to have as many as they do in the end.
func (r *rolling) least() (n int) {
	for m := range r.old {
		gain := len(r.to.Slots(m))*(r.residues/r.to.Size()) - len(r.from.Slots(m))*(r.residues/r.from.Size())
		n += max(0, gain)
	}
	return n
}

func (r *rolling) action(member int) Action {
	switch {
	case member >= r.from.Members():
		return Join
	case member >= r.to.Members():
		return Leave
	}
	return Flip
}

// step lets a member take its step.
func (r *rolling) step(m int) Step {
	s := Step{Member: m, Action: r.action(m), After: r.after[m]}
	for _, slot := range r.from.Slots(m) {
		for t := slot % r.common; t < r.to.Size(); t += r.common {
			r.count(r.new[r.to.Holder(t)], -1)
		}
	}
	r.old[m] = false
	for _, slot := range r.to.Slots(m) {
		for t := slot % r.common; t < r.from.Size(); t += r.common {
			r.count(r.old[r.from.Holder(t)], +1)
		}
	}
	r.new[m] = s.Action != Leave
	s.Unowned, s.Doubled = r.share(r.unowned), r.share(r.doubled)
	return s
}

// count counts a residue that one owner leaves (-1) or gains (+1), given whether it has the other one.
func (r *rolling) count(other bool, change int) {
	if other {
		r.doubled += change
	} else {
		r.unowned -= change
	}
}

// check holds an order against the members that there are.
func (r *rolling) check(order []int) error {
	fail := func(limit string) error {
		return &Error{"order", "", limit, ErrOrder}
	}
	seen := make([]bool, len(r.old))
	for _, m := range order {
		switch {
		case m < 0 || m >= len(seen):
			return fail("has the member " + strconv.Itoa(m) + "; there are " + strconv.Itoa(len(seen)) + ", counted from 0")
		case seen[m]:
			return fail("has the member " + strconv.Itoa(m) + " twice")
		}
		seen[m] = true
	}
	if m := slices.Index(seen, false); m >= 0 {
		return fail("lacks the member " + strconv.Itoa(m))
	}
	return nil
}

// bestOrder returns the order that Simulate promises. A member is free to step when all who take
// over its keys have; so an order is safe if and only if it is a topological one.
func (r *rolling) bestOrder() []int {
	n := len(r.after)
	byAction := make([]int, n)
	for m := range byAction {
		byAction[m] = m
	}
	slices.SortStableFunc(byAction, func(a, b int) int { return int(r.action(a)) - int(r.action(b)) })
	waits := make([]int, n)
	for m, takers := range r.after {
		waits[m] = len(takers)
	}
	done := make([]bool, n)
	var order []int
	for len(order) < n {
		free := slices.IndexFunc(byAction, func(m int) bool { return !done[m] && waits[m] == 0 })
		if free < 0 {
			return byAction // they wait for each other
		}
		m := byAction[free]
		done[m] = true
		order = append(order, m)
		for giver, takers := range r.after {
			if _, found := slices.BinarySearch(takers, m); found {
				waits[giver]--
			}
		}
	}
	return order
}
