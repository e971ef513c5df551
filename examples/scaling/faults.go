package main

import (
	"time"

	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// faults are what tests break on purpose, to see that the proof can fail. The zero faults break nothing.
type faults struct {
	mark     func(proof.Mark) []proof.Mark // what a worker publishes instead of its mark
	place    func(slot.Config) slot.Config // where a member believes that it stands
	patience time.Duration                 // how long to wait for a silent worker
}

func (f faults) marks(m proof.Mark) []proof.Mark {
	if f.mark == nil {
		return []proof.Mark{m}
	}
	return f.mark(m)
}

func (f faults) config(c slot.Config) slot.Config {
	if f.place == nil {
		return c
	}
	return f.place(c)
}

func (f faults) wait() time.Duration {
	if f.patience == 0 {
		return 10 * time.Second
	}
	return f.patience
}
