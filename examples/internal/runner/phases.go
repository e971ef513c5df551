package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slotkey/slotkey/examples/internal/proof"
)

// stream: the events, divided among the members.
func (s *stage) stream() error {
	o := s.options
	f := &feed{sources: s.sources, during: o.duration, rate: o.rate}
	if o.duration == 0 {
		f.count = len(s.sources)
	}
	published, err := s.flow(f)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result := s.ledger.Result()
	problems := append(result.Problems(), s.suspicions(published)...)
	s.whole = len(problems) == 0
	subjects, bare := s.subjects(min(published, len(s.sources)))
	shows := "each event handled once, by its one member, in the order of its subject"
	if bare > 0 {
		shows += fmt.Sprintf("; %d of %d had no subject and went by id", bare, min(published, len(s.sources)))
	}
	var dropped uint64
	for _, m := range s.Members {
		dropped += m.Counter.Counts().Foreign
	}
	what := fmt.Sprintf("%d events (%d in binary mode), %d subjects -> %d handled, %d dropped by %d member(s)",
		published, s.binary, subjects, result.Handled, dropped, len(s.Members))
	s.report.Phase("stream", what, shows, problems...)
	s.report.Note(s.table(published))
	return nil
}

// subjects counts the different subjects of the first n sources, and those that are bare of one.
func (s *stage) subjects(n int) (different, bare int) {
	known := map[string]bool{}
	for _, src := range s.sources[:n] {
		if src.Subject == "" {
			bare++
		} else {
			known[src.Subject] = true
		}
	}
	return len(known), bare
}

// suspicions are what the counts of the members say of the delivery. The mutex is held.
func (s *stage) suspicions(published int) (problems []string) {
	for _, m := range s.Members {
		if n := m.Counter.Counts().Malformed; n > 0 {
			problems = append(problems, fmt.Sprintf("%s has %d events as malformed: are their headers read, and by the names of this transport?", m.Name, n))
		}
	}
	if s.program.Routed {
		for _, m := range s.Members {
			if n := m.Counter.Counts().Foreign; n > 0 {
				problems = append(problems, fmt.Sprintf("%s was sent %d events of other members: publisher and members disagree on the rule or the size", m.Name, n))
			}
		}
		return problems
	}
	var together uint64
	for _, m := range s.Members {
		counts := m.Counter.Counts()
		together += counts.Total()
		if got := counts.Total(); got < uint64(published) {
			problems = append(problems, fmt.Sprintf("%s received %d of %d events", m.Name, got, published))
		}
		// By chance alone one of two members drops none of 40 events once in 2^40 streams.
		if counts.Foreign == 0 && counts.Total() >= 40 && len(s.Members) > 1 {
			problems = append(problems, fmt.Sprintf("%s never drops, although it is one of %d: is it sent its own events only?", m.Name, len(s.Members)))
		}
	}
	if len(problems) > 0 && together <= uint64(published) && len(s.Members) > 1 {
		problems = append(problems, fmt.Sprintf("all members together received %d: the broker shares the events out, and what one member drops nobody else is shown; delivery must be broadcast", together))
	}
	return problems
}

// manyMembers is from where on a line for each member would be too many.
const manyMembers = 17

// table says what each member did. The mutex is held.
func (s *stage) table(published int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-17s %9s %9s %9s %9s\n", "member", "handled", "dropped", "again", "keys")
	for i, m := range s.Members {
		if i == manyMembers {
			fmt.Fprintf(&b, "and %d more\n", len(s.Members)-i)
			break
		}
		counts, share := m.Counter.Counts(), s.ledger.Share(m.Name)
		again := uint64(0)
		if total := counts.Total(); total > uint64(published) && !s.program.Routed {
			again = total - uint64(published)
		}
		fmt.Fprintf(&b, "%-17s %9d %9d %9d %9d\n", m.Filter.Member(), share.Handled, counts.Foreign, again, share.Keys)
	}
	return b.String()
}

// command: an event that addresses one worker reaches all members, in spite of the group.
func (s *stage) command() error {
	s.mu.Lock()
	s.commanded = map[string]int{}
	s.mu.Unlock()
	e := s.sources[0].event(0, false)
	if err := s.publish(s.Command(), e); err != nil {
		return err
	}
	if _, err := s.await(func() bool { return len(s.commanded) == len(s.Members) }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var problems []string
	for _, m := range s.Members {
		if n := s.commanded[m.Name]; n != 1 {
			problems = append(problems, fmt.Sprintf("%s handled the command %d times", m.Name, n))
		}
	}
	s.report.Phase("command", fmt.Sprintf("1 event on %s -> %d member(s)", s.Command(), len(s.commanded)),
		"as a command it reaches all", problems...)
	return nil
}

// awayEvents is how many events are published while a member is away.
const awayEvents = 60

// away: the last member stops for a while. Its slot waits, and nobody takes over.
func (s *stage) away() error {
	if !s.whole {
		return nil // owners are not known
	}
	if stayer, ok := s.engine.(Stayer); ok && stayer.Stays() != "" {
		fmt.Fprintf(s.out, "away: left out; %s\n", stayer.Stays())
		return nil
	}
	m := s.Members[len(s.Members)-1]
	f := &feed{away: m}
	s.mu.Lock()
	for _, src := range s.sources {
		if _, known := s.ledger.Owner(src.Key()); known && len(f.sources) < awayEvents {
			f.sources = append(f.sources, src)
		}
	}
	before := s.ledger.Result()
	s.mu.Unlock()
	if f.count = len(f.sources); f.count == 0 {
		return nil // interrupted before there was an event
	}
	if err := s.part(m); err != nil {
		return err
	}
	others := s.running()
	coverage := fmt.Sprintf("group %s has no member running", group)
	for _, c := range s.registry.Coverage() {
		coverage = c.String()
	}
	from := s.from(s.Members)
	behind := map[*Member]uint64{m: from[m]}
	delete(from, m)
	published := 0
	for f.more() && s.interrupt.Err() == nil {
		n, err := s.window(f)
		if published += n; err != nil {
			return err
		}
		ok, err := s.await(func() bool { return s.ledger.Open() <= f.waiting && s.through(from, published) })
		if err != nil {
			return err
		}
		if !ok {
			break
		}
	}
	if err := s.join(m); err != nil {
		return err
	}
	if s.program.Keeps {
		if _, err := s.await(func() bool { return s.ledger.Open() == 0 && s.through(behind, published) }); err != nil {
			return err
		}
	}
	s.settle()
	s.mu.Lock()
	kept := s.ledger.Result().Handled - before.Handled - (published - f.waiting)
	s.mu.Unlock()
	again := *f
	again.next, again.away = 0, nil
	more, err := s.flow(&again)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	problems := problemsSince(before, s.ledger.Result())
	lost := s.ledger.Result().Lost.Count - before.Lost.Count
	if !s.program.Keeps && lost == f.waiting {
		problems = slices.DeleteFunc(problems, func(p string) bool { return strings.HasPrefix(p, "lost: ") })
	} else if !s.program.Keeps {
		problems = append(problems, fmt.Sprintf("%d events were lost, %s had %d", lost, m.Name, f.waiting))
	}
	what := fmt.Sprintf("%s stops, %d events, %s is back, %d events more", m.Name, published, m.Name, more)
	shows := fmt.Sprintf("its %d events are lost, as nothing keeps them; the others had theirs, and now it has its own again", f.waiting)
	if s.program.Keeps {
		shows = fmt.Sprintf("its %d events waited for it, and no other member took them", kept)
	}
	s.report.Phase("away", what, shows, problems...)
	if len(others) > 0 {
		s.report.Note("meanwhile: " + coverage)
	}
	return nil
}

// cursors: the broker holds nothing back for any member, neither its own events nor those that it dropped.
func (s *stage) cursors() error {
	pender, ok := s.engine.(Pender)
	if !ok {
		return nil
	}
	problems := []string{"not looked at"}
	for end := time.Now().Add(s.silence()); len(problems) > 0 && time.Now().Before(end) && s.ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		problems = nil
		for _, m := range s.Members {
			ctx, cancel := context.WithTimeout(s.ctx, timeout)
			n, err := pender.Pending(ctx, m)
			cancel()
			if err != nil {
				return fmt.Errorf("%s: pending: %w", m.Name, err)
			}
			if n != 0 {
				problems = append(problems, fmt.Sprintf("%s has %d events pending", m.Name, n))
			}
		}
	}
	s.report.Phase("cursors", fmt.Sprintf("%d member(s)", len(s.Members)), "nothing is pending: all have acknowledged their own events, and those that they dropped", problems...)
	return nil
}

// repeats: what the broker delivered once more, and owned up to.
func (s *stage) repeats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n uint64
	for _, m := range s.Members {
		n += m.again
	}
	if n > 0 {
		fmt.Fprintf(s.out, "again: %d event(s) came to their own member once more, marked as delivered again\n", n)
	}
}

// problemsSince returns the faults that result has beyond before.
func problemsSince(before, result proof.Result) []string {
	for _, p := range []struct{ now, was *proof.Faults }{
		{&result.Lost, &before.Lost}, {&result.Twice, &before.Twice}, {&result.Split, &before.Split},
		{&result.Disorder, &before.Disorder}, {&result.Unknown, &before.Unknown},
	} {
		p.now.Count -= p.was.Count
	}
	return result.Problems()
}
