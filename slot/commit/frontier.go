package commit

import (
	"strconv"
	"sync"
)

// MaxBatch is the largest number of own events at one position.
const MaxBatch = 1 << 20

// A Frontier knows up to which position of a log everything is done, for one member and one
// assignment of the log. The member's foreign events are done at once ([Frontier.Skip]), its own
// and its commands when their handlers end ([Frontier.Begin], [Frontier.Done]). The position to
// commit never passes an own event that is not finished, and never sticks on foreign ones.
//
// Begin and Skip are called in the order of delivery, each before the event goes to its handler; so
// one goroutine calls them. Done and all other methods may be called by any, at any time. Positions
// need not be consecutive.
//
// A Frontier remembers its unfinished positions and the last 64 jumps over positions, nothing else:
// its memory does not depend on how many events pass. Calls take amortised constant time.
//
// A position that comes again is no fault. One that is in flight stays so; one that is finished, or
// lies before the start, changes nothing. A position that was never reported, below one that was,
// is refused with [ErrOrder]: the commit may already have passed it, so calls were not in the order
// of delivery. (Behind the last 64 jumps the two cannot be told apart, and such a position counts
// as finished.)
//
// [From] and [After] make a Frontier. The zero Frontier is not started: its methods fail with
// [ErrNotStarted]. When the log is assigned anew, or read again from an earlier position, make a
// new one.
type Frontier struct {
	mu      sync.Mutex
	started bool
	floor   Position // where it started: positions below are of before
	// highest is the highest position reported, or that of After.
	highest    Position
	hasHighest bool
	skipped    bool // highest was reported by Skip
	flight     flight
	jumps      jumps
	released   uint64
}

// From returns the Frontier of a member that reads from the position first on: a newcomer, a log at
// its beginning, or one that stores the next position to read, as Kafka does: From(At(offset)) for
// a committed offset, or for that of the first record after an assignment. Until something is done it has nothing to commit, and what is stored stays
// right.
func From(first Position) *Frontier { return &Frontier{started: true, floor: first} }

// After returns the Frontier of a member that goes on behind last, a position that
// [Frontier.Committable] returned, and that is finished. The event at last, if it comes again, is
// not fresh. So last is never the next position to read, such as an offset committed in Kafka: see
// [From].
func After(last Position) *Frontier {
	return &Frontier{started: true, floor: last.next(), highest: last, hasHighest: true}
}

// Skip reports that the event at p, or every event of a batch at p, is foreign. It does not allocate.
func (f *Frontier) Skip(p Position) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	isNew, err := f.arrive(p)
	if isNew {
		f.advance(p)
		f.skipped = true
	}
	return err
}

// Begin reports that the event at p is the member's own, or a command, and is about to be handled.
// fresh is false where p was reported before: the event has come again, and is in its handler or
// finished.
func (f *Frontier) Begin(p Position) (fresh bool, err error) { return f.BeginBatch(p, 1) }

// BeginBatch is Begin for a message with several events, which share its position; own of them are
// the member's own. Begun twice, a batch has the same number both times. own is 1 to [MaxBatch]; a
// batch without own events is skipped.
func (f *Frontier) BeginBatch(p Position, own int) (fresh bool, err error) {
	if own < 1 || own > MaxBatch {
		return false, &Error{"events", strconv.Itoa(own), "is not from 1 to " + strconv.Itoa(MaxBatch), ErrBatch}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	isNew, err := f.arrive(p)
	if err != nil {
		return false, err
	}
	if e := f.flight.find(p); e != nil && e.own != own {
		return false, &Error{"events", strconv.Itoa(own), "is not the " + strconv.Itoa(e.own) + " with which position " + p.String() + " began", ErrBatch}
	}
	if !isNew {
		if f.skipped && p == f.highest {
			return false, &Error{"position", p.String(), "was skipped: the own events at one position begin together, and it is skipped only if there are none", ErrBatch}
		}
		return false, nil
	}
	f.flight.add(p, f.highest, f.hasHighest, own)
	f.advance(p)
	f.skipped = false
	return true, nil
}

// Done reports that nothing remains to be done for the event at p. Of a failed event that is to
// hold the frontier until it succeeds it is not called; of one that is given up, [Frontier.Release]
// is. A second Done changes nothing.
func (f *Frontier) Done(p Position) error { return f.DoneEvent(p, 0) }

// DoneEvent is Done for one event of a batch: the event-th of its own ones, from 0.
func (f *Frontier) DoneEvent(p Position, event int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, err := f.begun(p)
	if e == nil || err != nil {
		return err
	}
	if event < 0 || event >= e.own {
		return &Error{"event", strconv.Itoa(event), "is not one of the " + strconv.Itoa(e.own) + " own events at position " + p.String() + ", which count from 0", ErrBatch}
	}
	if e.finish(event) {
		f.flight.remove(p)
	}
	return nil
}

// Release gives up on what is unfinished at p, because it has been put aside as a dead letter: the
// frontier no longer waits for it. It returns how many events that were.
func (f *Frontier) Release(p Position) (events int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, err := f.begun(p)
	if e == nil || err != nil {
		return 0, err
	}
	events = e.left
	f.released += uint64(events)
	f.flight.remove(p)
	return events, nil
}

// Committable returns the last position that is done together with all before it. It never falls.
// ok is false while there is none, that is, nothing was done since [From]. Where a log wants the
// next position to read, as Kafka does, commit the one that follows, and start with [From] and not
// with [After] when it is read back.
func (f *Frontier) Committable() (p Position, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.flight.oldest(); e != nil {
		return e.before, e.hasBefore
	}
	return f.highest, f.hasHighest
}

// Delivered returns the highest position that was reported, or that of [After]; ok is false while there is none.
func (f *Frontier) Delivered() (p Position, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.highest, f.hasHighest
}

// Unfinished returns the number of positions that were begun and are not finished, and the lowest
// of them, which holds the frontier.
func (f *Frontier) Unfinished() (positions int, oldest Position) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.flight.oldest(); e != nil {
		oldest = e.at
	}
	return f.flight.len(), oldest
}

// Released returns the number of events that [Frontier.Release] gave up.
func (f *Frontier) Released() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.released
}

// arrive tells a position that is new from one that was there before; one that was left out is an error.
func (f *Frontier) arrive(p Position) (isNew bool, err error) {
	switch {
	case !f.started:
		return false, notStarted()
	case f.hasHighest && f.highest.Before(p), !f.hasHighest && !p.Before(f.floor):
		return true, nil
	case f.jumps.over(p):
		return false, f.outOfOrder(p)
	}
	return false, nil
}

// advance makes p the highest position.
func (f *Frontier) advance(p Position) {
	if f.hasHighest {
		if !p.follows(f.highest) {
			f.jumps.add(f.highest.next(), p)
		}
	} else if p != f.floor {
		f.jumps.add(f.floor, p)
	}
	f.highest, f.hasHighest = p, true
}

// begun returns what is in flight at p, nil where it is finished.
func (f *Frontier) begun(p Position) (*entry, error) {
	isNew, err := f.arrive(p)
	if isNew {
		return nil, &Error{"position", p.String(), "was never begun", ErrOrder}
	}
	return f.flight.find(p), err
}

func (f *Frontier) outOfOrder(p Position) error {
	return &Error{"position", p.String(), "was never reported, although " + f.highest.String() + " was: events are reported in the order of delivery", ErrOrder}
}

func notStarted() error {
	return &Error{"frontier", "", "is not started: From and After make one", ErrNotStarted}
}
