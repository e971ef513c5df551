package runner

import (
	"fmt"

	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// A Member is one consumer of the group. Its consumer has the filter, and counts each verdict once.
type Member struct {
	Name    string // unique on the broker; letters, digits and "-"
	Index   int
	Filter  *slot.Filter
	Counter slot.Counter
	Topics  []string // what it receives: the stream, and the commands

	site     *Site
	finished uint64 // events that its handler is through with; guarded by the site's mutex
	again    uint64 // events that came to its handler again, with evidence of redelivery
}

// settled returns the number of events that the member has dropped, or handled to the end. The site's mutex is held.
func (m *Member) settled() uint64 { return m.finished + m.Counter.Counts().Foreign }

// Handle is the work on an event that was admitted. Here it takes down that the work was done.
// again says that the broker calls this a redelivery; a handler in earnest is idempotent on source
// and id. An error in err, from reading the event, ends the run.
func (m *Member) Handle(v slot.Verdict, e Received, again bool, err error) {
	if err != nil {
		m.site.Fail(fmt.Errorf("%s cannot read an event: %w", m.Name, err))
		return
	}
	m.site.mu.Lock()
	mark := proof.Mark{Worker: m.Name, Seq: e.Seq, ID: e.ID, Subject: e.Subject, Verdict: v.Kind.String()}
	owner, _ := m.site.ledger.Owner(mark.Key())
	switch {
	case v.Kind == slot.Bypass:
		m.site.commanded[m.Name]++
	case again && owner == m.Name && m.site.ledger.Has(e.Seq): // nobody else may say so
		m.again++
	default:
		m.site.ledger.Handled(mark)
	}
	m.finished++
	m.site.mu.Unlock()
	m.site.tell()
}

// Fail ends the run, with the member's name in front of err. A nil error is none.
func (m *Member) Fail(err error) {
	if err != nil {
		m.site.Fail(fmt.Errorf("%s: %w", m.Name, err))
	}
}
