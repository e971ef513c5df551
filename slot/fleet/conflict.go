package fleet

import (
	"errors"
	"strconv"
)

// Why a [Registry] refuses a worker. Each refusal is a [*Conflict] that wraps one of them.
var (
	// ErrRunning: a worker of that name runs.
	ErrRunning = errors.New("fleet: runs already")
	// ErrSlotHeld: another worker holds a slot that this one would hold.
	ErrSlotHeld = errors.New("fleet: slot is held")
	// ErrSizeDiffers: another worker of the group has another size.
	ErrSizeDiffers = errors.New("fleet: size differs")
	// ErrRuleDiffers: another worker of the group decides under another rule.
	ErrRuleDiffers = errors.New("fleet: rule differs")
	// ErrPlanDiffers: another worker of the group has another plan.
	ErrPlanDiffers = errors.New("fleet: plan differs")
)

// A Conflict is a refusal: it says which running worker stands in the way, and how. It is what gRPC calls
// FAILED_PRECONDITION (ALREADY_EXISTS for [ErrRunning]) and HTTP 409.
type Conflict struct {
	Worker string // the name of the worker that was refused
	Other  string // the name of the running one
	Group  string // the group of both; empty for ErrRunning
	Topic  string // a topic or pattern that both would receive; empty for ErrRunning
	Slot   int    // the slot that both would hold, for ErrSlotHeld; else -1
	// Mine and Theirs are the sizes, rule texts or plans that differ; empty for ErrRunning and ErrSlotHeld.
	Mine, Theirs string
	Err          error // one of the Err variables
}

// Error returns one line that names both workers:
// `fleet: worker "b" may not start: worker "a" holds slot 1 of group "pairs" on "ticks"`.
func (c *Conflict) Error() string {
	text := "fleet: worker " + strconv.Quote(c.Worker) + " may not start: "
	other := "worker " + strconv.Quote(c.Other)
	place := " in group " + strconv.Quote(c.Group) + " on " + strconv.Quote(c.Topic)
	switch c.Err {
	case ErrRunning:
		return text + "a worker of that name runs"
	case ErrSlotHeld:
		return text + other + " holds slot " + strconv.Itoa(c.Slot) + " of group " + strconv.Quote(c.Group) + " on " + strconv.Quote(c.Topic)
	case ErrSizeDiffers:
		return text + "its size is " + c.Mine + ", that of " + other + place + " is " + c.Theirs
	case ErrRuleDiffers:
		return text + "its rule is " + strconv.Quote(c.Mine) + ", that of " + other + place + " is " + strconv.Quote(c.Theirs)
	}
	return text + "its plan is " + strconv.Quote(c.Mine) + ", that of " + other + place + " is " + strconv.Quote(c.Theirs)
}

// Unwrap returns the Err variable of the refusal.
func (c *Conflict) Unwrap() error { return c.Err }

// conflict returns how the running worker other stands in the way of w, or nil.
func conflict(w, other Worker, allowed func(Shape) bool) error {
	m, o := w.Filter.Member(), other.Filter.Member()
	if m.Dedicated() || o.Dedicated() || m.Group() != o.Group() {
		return nil
	}
	topic, ok := shared(divided(w.Topics, w.Filter.Rule()), divided(other.Topics, other.Filter.Rule()))
	if !ok {
		return nil
	}
	c := &Conflict{Worker: w.Name, Other: other.Name, Group: m.Group(), Topic: topic, Slot: -1}
	if mine, theirs := w.Shape(), other.Shape(); mine != theirs && !allowed(theirs) {
		switch {
		case mine.Size != theirs.Size:
			c.Mine, c.Theirs, c.Err = strconv.Itoa(mine.Size), strconv.Itoa(theirs.Size), ErrSizeDiffers
		case mine.Rule != theirs.Rule:
			c.Mine, c.Theirs, c.Err = mine.Rule.String(), theirs.Rule.String(), ErrRuleDiffers
		default:
			c.Mine, c.Theirs, c.Err = mine.Plan, theirs.Plan, ErrPlanDiffers
		}
		return c
	}
	if m.Size() != o.Size() || w.Filter.Rule() != other.Filter.Rule() {
		return nil // the two sides of a transition; their slots are not the same keys
	}
	for _, s := range m.Slots() {
		if o.Holds(s) {
			c.Slot, c.Err = s, ErrSlotHeld
			return c
		}
	}
	return nil
}
