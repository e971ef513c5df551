package runner

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot/fleet"
)

// A stage runs the phases on an open broker.
type stage struct {
	*Site
	engine   Engine
	registry fleet.Registry // refuses a second member on a slot, and says what is missing
	leave    map[*Member]func() error
	report   *report.Report
	out      io.Writer
	binary   int  // events that went out in binary mode
	whole    bool // the stream was divided without a fault
}

// play starts the members and runs the phases. It returns whether all passed.
func (s *stage) play() (bool, error) {
	s.leave = map[*Member]func() error{}
	for _, m := range s.Members {
		if err := s.join(m); err != nil {
			return false, err
		}
	}
	for _, coverage := range s.registry.Coverage() {
		fmt.Fprintln(s.out, coverage)
	}
	for _, phase := range []func() error{s.stream, s.command, s.away} {
		if err := phase(); err != nil {
			return false, s.cause(err)
		}
		if s.interrupt.Err() != nil {
			fmt.Fprintln(s.out, "interrupted: the members have finished what was published")
			break
		}
	}
	if err := s.cursors(); err != nil {
		return false, s.cause(err)
	}
	s.repeats()
	return s.report.End(), nil
}

// end stops the members and closes the broker. It returns the first error.
func (s *stage) end() (err error) {
	for _, m := range s.Members {
		err = cmp.Or(err, s.part(m))
	}
	return cmp.Or(err, s.engine.Close())
}

func (s *stage) join(m *Member) error {
	if _, err := s.registry.Start(fleet.Worker{Name: m.Name, Filter: m.Filter, Topics: []string{s.Events}}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, timeout)
	defer cancel()
	leave, err := s.engine.Join(ctx, m)
	if err != nil {
		return fmt.Errorf("%s cannot join: %w", m.Name, err)
	}
	s.leave[m] = leave
	return nil
}

// part stops a member, if it runs.
func (s *stage) part(m *Member) error {
	leave := s.leave[m]
	if leave == nil {
		return nil
	}
	delete(s.leave, m)
	if _, err := s.registry.Stop(m.Name); err != nil {
		return err
	}
	if err := leave(); err != nil {
		return fmt.Errorf("%s cannot leave: %w", m.Name, err)
	}
	return nil
}

// running returns the members that have joined.
func (s *stage) running() []*Member {
	var list []*Member
	for _, m := range s.Members {
		if s.leave[m] != nil {
			list = append(list, m)
		}
	}
	return list
}
