package proof

import (
	"fmt"
	"maps"
	"slices"
)

// A Ledger holds what was published against what was handled. Its memory is one entry for each key
// and for each event that is not yet settled, so that a stream may be as long as it likes. Not safe
// for concurrent use.
type Ledger struct {
	next    uint64           // the sequence that the next published event has
	open    map[uint64]entry // events since the last Settle
	keys    map[string]history
	members map[string]*Share
	result  Result
}

type entry struct {
	id, key string
	handled int
}

// A history is what is known of a key.
type history struct {
	worker string
	last   uint64 // the highest sequence handled
}

// A Share is what one member handled.
type Share struct {
	Handled int
	Keys    int // different keys
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{next: 1, open: map[uint64]entry{}, keys: map[string]history{}, members: map[string]*Share{}}
}

// Published records that an event goes out, and returns its sequence.
func (l *Ledger) Published(id, key string) (seq uint64) {
	seq = l.next
	l.next++
	l.open[seq] = entry{id: id, key: key}
	l.result.Published++
	return seq
}

// Handled records a member's mark. For each key, marks of one member must come in the order in
// which it handled the events.
func (l *Ledger) Handled(m Mark) {
	e, isOpen := l.open[m.Seq]
	switch {
	case m.Seq == 0 || m.Seq >= l.next:
		l.result.Unknown.add("%s reports event %d, which was not published", m.Worker, m.Seq)
		return
	case !isOpen: // settled: it was handled, or it is counted as lost and comes too late to be anything else
		l.result.Twice.add("event %d, %q, again by %s", m.Seq, m.Key(), m.Worker)
		return
	case e.id != m.ID || e.key != m.Key():
		l.result.Unknown.add("%s read event %d as %q, %q; published was %q, %q", m.Worker, m.Seq, m.Key(), m.ID, e.key, e.id)
	}
	e.handled++
	l.open[m.Seq] = e
	l.result.Handled++
	share := l.share(m.Worker)
	share.Handled++
	h, known := l.keys[e.key]
	switch {
	case e.handled > 1:
		l.result.Twice.add("event %d, %q, by %s", m.Seq, e.key, m.Worker)
	case !known:
		share.Keys++
		h.worker = m.Worker
	case h.worker != m.Worker:
		l.result.Split.add("%q, by %s and by %s", e.key, h.worker, m.Worker)
		h.worker = m.Worker
	case m.Seq < h.last:
		l.result.Disorder.add("event %d after event %d, %q, by %s", m.Seq, h.last, e.key, m.Worker)
	}
	h.last = max(h.last, m.Seq)
	l.keys[e.key] = h
}

// Settle closes the events published so far: those that nobody has reported are lost. Call it when every
// member has reported everything that it took up to here.
func (l *Ledger) Settle() {
	for _, seq := range slices.Sorted(maps.Keys(l.open)) {
		if e := l.open[seq]; e.handled == 0 {
			l.result.Lost.add("event %d, %q", seq, e.key)
		}
		delete(l.open, seq)
	}
}

// Open returns the number of events since the last Settle that nobody has handled yet.
func (l *Ledger) Open() int {
	open := 0
	for _, e := range l.open {
		if e.handled == 0 {
			open++
		}
	}
	return open
}

// Has reports whether the published event of that sequence was handled, or is settled: then another
// mark of it is a repeat.
func (l *Ledger) Has(seq uint64) bool {
	e, isOpen := l.open[seq]
	return seq > 0 && seq < l.next && (!isOpen || e.handled > 0)
}

// Owner returns the worker that last handled an event of the key.
func (l *Ledger) Owner(key string) (worker string, ok bool) {
	h, ok := l.keys[key]
	return h.worker, ok
}

func (l *Ledger) share(worker string) *Share {
	s := l.members[worker]
	if s == nil {
		s = &Share{}
		l.members[worker] = s
	}
	return s
}

// Share returns what a member has handled so far.
func (l *Ledger) Share(worker string) Share {
	if s := l.members[worker]; s != nil {
		return *s
	}
	return Share{}
}

// Result returns what the ledger says so far; call Settle first.
func (l *Ledger) Result() Result { return l.result }

// A Result says how a stream was divided.
type Result struct {
	Published, Handled int
	Lost               Faults // handled by nobody
	Twice              Faults // handled more than once
	Split              Faults // keys handled by more than one member
	Disorder           Faults // handled after a later event of the same key
	Unknown            Faults // reported, but not what was published
}

// Faults counts faults of one sort, and describes the first of them.
type Faults struct {
	Count int
	First string
}

func (f *Faults) add(format string, args ...any) {
	if f.Count == 0 {
		f.First = fmt.Sprintf(format, args...)
	}
	f.Count++
}

// OK reports whether every event was handled exactly once, and the events of each key by one member in order.
func (r Result) OK() bool { return r.Published == r.Handled && len(r.Problems()) == 0 }

// Problems returns a line for each sort of fault.
func (r Result) Problems() []string {
	var lines []string
	for _, p := range []struct {
		what string
		Faults
	}{
		{"lost", r.Lost}, {"handled again", r.Twice}, {"keys with two members", r.Split}, {"out of order", r.Disorder}, {"not as published", r.Unknown},
	} {
		if p.Count > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d (first: %s)", p.what, p.Count, p.First))
		}
	}
	return lines
}
