package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot"
)

// NATS core drops what a slow consumer does not fetch in time. So the publisher works in windows, and
// begins the next when every member has been through the last.
const (
	window      = 256     // events
	windowBytes = 4 << 20 // of bodies, well below what the server keeps for a connection (64 MiB)
)

// events: a stream of real events on one topic, divided among the members of a group.
func (s *stage) events(all []events.Event, members, repeat int, progress io.Writer) error {
	topic := s.topic("events")
	var roles []role
	for i := range members {
		member, err := slot.New(s.faults.config(slot.Config{Group: group, Size: members, Index: i}))
		if err != nil {
			return err
		}
		roles = append(roles, role{fmt.Sprintf("member-%d", i), member, []string{topic}})
	}
	c, err := s.assemble(topic, roles...)
	if err != nil {
		return err
	}
	defer c.disband()
	total := len(all) * repeat
	ledger := proof.NewLedger()
	last := map[string]slot.Counts{} // what each member said in the end
	bar := report.NewBar(progress, "events", total)
	defer bar.Clear()
	var quiet silence
	for done := 0; done < total && quiet == ""; {
		done, err = c.window(ledger, all, topic, done, total)
		if err != nil {
			return err
		}
		err = c.collect(members, ledger.Handled, func(s seen) { last[s.Worker] = s.Counts })
		if err != nil && !errors.As(err, &quiet) {
			return fmt.Errorf("after %d of %d events: %w", done, total, err)
		}
		ledger.Settle()
		bar.Set(done)
	}
	bar.Clear()
	s.sum(c, ledger, last, quiet, all, total)
	return nil
}

// window publishes the events from number done on, until a window is full or all are out, and returns
// how many are out. The last event asks the members to report.
func (c *crew) window(ledger *proof.Ledger, all []events.Event, topic string, done, total int) (int, error) {
	limit, bytes := min(done+window, total), 0
	for reply := ""; done < limit && reply == ""; {
		e := all[done%len(all)]
		done++
		bytes += len(e.Body)
		if done == limit || bytes >= windowBytes {
			reply = c.reply()
		}
		if err := c.publish(topic, e, ledger.Published(e.ID, e.Key()), reply); err != nil {
			return done, c.cause(err)
		}
	}
	return done, nil
}

// sum prints the outcome: the proof, and what each member handled and dropped.
func (s *stage) sum(c *crew, ledger *proof.Ledger, last map[string]slot.Counts, quiet silence, all []events.Event, total int) {
	result := ledger.Result()
	problems := result.Problems()
	for _, w := range c.workers {
		if n := last[w.id].Total(); n != uint64(result.Published) && quiet == "" {
			problems = append(problems, fmt.Sprintf("%s received %d of %d events", w.id, n, result.Published))
		}
	}
	if quiet != "" {
		problems = append(problems, fmt.Sprintf("stopped after %d of %d events: %s", result.Published, total, quiet))
	}
	subjects, bare := subjects(all)
	shows := "each event handled exactly once, none lost, each subject in order"
	if bare > 0 {
		shows += fmt.Sprintf("; %d without a subject went by id", bare*total/len(all))
	}
	s.report.Phase("events", fmt.Sprintf("%d events, %d subjects -> %d marker(s) from %d member(s)", total, subjects, result.Handled, len(c.workers)),
		shows, problems...)
	s.report.Note(shares(c, ledger, last))
}

// subjects counts the different subjects, and the events that are bare of one.
func subjects(all []events.Event) (different, bare int) {
	known := map[string]bool{}
	for _, e := range all {
		if e.Subject == "" {
			bare++
		} else {
			known[e.Subject] = true
		}
	}
	return len(known), bare
}

// manyMembers is from where on a line for each member would be too many.
const manyMembers = 17

// shares is a table of what each member handled and dropped.
func shares(c *crew, ledger *proof.Ledger, last map[string]slot.Counts) string {
	var b strings.Builder
	if len(c.workers) < manyMembers {
		fmt.Fprintf(&b, "%-17s %9s %9s %9s\n", "member", "handled", "dropped", "keys")
		for _, w := range c.workers {
			share := ledger.Share(w.id)
			fmt.Fprintf(&b, "%-17s %9d %9d %9d\n", w.filter.Member(), share.Handled, last[w.id].Foreign, share.Keys)
		}
		return b.String()
	}
	const columns = 16
	most := 0
	for _, w := range c.workers {
		most = max(most, ledger.Share(w.id).Handled)
	}
	width := 1 + len(strconv.Itoa(most))
	fmt.Fprintf(&b, "handled by each member, from %v on, %d to a line\n", c.workers[0].filter.Member(), columns)
	for i, w := range c.workers {
		if i%columns == 0 {
			fmt.Fprintf(&b, "%5d:", i)
		}
		fmt.Fprintf(&b, "%*d", width, ledger.Share(w.id).Handled)
		if i%columns == columns-1 || i == len(c.workers)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
