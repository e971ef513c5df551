package main

import (
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// fails checks that the run as a whole fails, and says why.
func (o outcome) fails(t *testing.T, wants ...string) {
	t.Helper()
	if o.status != 1 || o.err != "" || !strings.Contains(o.out, "\nFAIL: ") {
		t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
	}
	for _, want := range wants {
		o.has(t, want)
	}
}

// onMember breaks what a member of the last phase does with the event of a sequence.
func onMember(seq uint64, break_ func(proof.Mark) []proof.Mark) faults {
	return faults{mark: func(m proof.Mark) []proof.Mark {
		if m.Seq == seq && strings.HasPrefix(m.Worker, "member-") {
			return break_(m)
		}
		return []proof.Mark{m}
	}}
}

func TestDroppedEvent(t *testing.T) {
	o := try(t, onMember(300, func(proof.Mark) []proof.Mark { return nil }))
	o.fails(t, "  FAIL  lost: 1 (first: event 300, ", "324 events, 64 subjects -> 323 marker(s)", "\nFAIL: events\n")
}

func TestRepeatedEvent(t *testing.T) {
	o := try(t, onMember(1, func(m proof.Mark) []proof.Mark { return []proof.Mark{m, m} }))
	o.fails(t, "  FAIL  handled again: 1 (first: event 1, ", "\nFAIL: events\n")
}

// The repeat of an event whose window is long over is seen too.
func TestLateRepeat(t *testing.T) {
	o := try(t, onMember(900, func(m proof.Mark) []proof.Mark {
		early := m
		early.Seq -= 648 // two rounds of the sample before: the same event
		return []proof.Mark{m, early}
	}), "-repeat", "3")
	o.fails(t, "  FAIL  handled again: 1 (first: event 252, ", "\nFAIL: events\n")
}

func TestSwappedEvents(t *testing.T) {
	var held []proof.Mark
	broken := func(m proof.Mark) []proof.Mark { // one member: no other goroutine
		if !strings.HasPrefix(m.Worker, "member-") || len(held) > 1 {
			return []proof.Mark{m}
		}
		if len(held) == 0 {
			held = append(held, m)
			return nil
		}
		if m.Key() != held[0].Key() {
			return []proof.Mark{m}
		}
		held = append(held, m)
		return []proof.Mark{m, held[0]}
	}
	o := try(t, faults{mark: broken}, "-members", "1")
	o.fails(t, "  FAIL  out of order: 1 (first: event 1 after event ", "\nFAIL: events\n")
}

func TestWrongEvent(t *testing.T) {
	o := try(t, onMember(7, func(m proof.Mark) []proof.Mark { m.Subject = "another"; return []proof.Mark{m} }))
	o.fails(t, "  FAIL  not as published: 1 (first: member-", "\nFAIL: events\n")
}

// Two members that both believe to be the first, as after a copied configuration.
func TestSlotTwice(t *testing.T) {
	o := try(t, faults{place: func(c slot.Config) slot.Config {
		if c.Index == 1 {
			c.Index = 0
		}
		return c
	}})
	o.fails(t, "group: 3 events -> 3 marker(s); per-event counts [0, 2, 1]", "lost: 90 ", "handled again: 104 ", "\nFAIL: group, events\n")
}

// One member was not told that the group has grown.
func TestMixedSizes(t *testing.T) {
	o := try(t, faults{place: func(c slot.Config) slot.Config {
		if c.Index == 1 {
			c.Size--
		}
		return c
	}})
	o.fails(t, "  FAIL  lost: ", "  FAIL  handled again: ", "events\n")
}

// No filter at all: every member handles everything.
func TestNoGroup(t *testing.T) {
	o := try(t, faults{place: func(slot.Config) slot.Config { return slot.Config{} }})
	o.fails(t, "group: 3 events -> 9 marker(s); per-event counts [3, 3, 3]", "handled again: 648 ", "\nFAIL: group, events\n")
}

// A worker that hangs is named by its absence, and the run ends.
func TestSilentWorker(t *testing.T) {
	release := make(chan struct{})
	f := onMember(1, func(m proof.Mark) []proof.Mark { <-release; return nil })
	f.patience = 2 * time.Second
	var out strings.Builder
	status := run(t.Context(), nil, writer(func(p []byte) {
		out.Write(p)
		if strings.HasPrefix(string(p), "events: ") {
			close(release)
		}
	}), &out, f)
	outcome{out: out.String(), status: status}.fails(t, "stopped after 256 of 324 events: no word for 2s, 2 of 3 reports came; nothing from member-", "\nFAIL: events\n")
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }
