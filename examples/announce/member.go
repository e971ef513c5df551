package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// announce is a member: it announces until it is ended by a signal, or until whoever started it is
// gone and closes stdin.
func announce(ctx context.Context, o options, stdin io.Reader, stdout io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		io.Copy(io.Discard, stdin)
		cancel()
	}()
	s, err := openStore(ctx, o.store, o.space, o)
	if err != nil {
		return err
	}
	defer s.close()

	worker := fleet.Worker{Name: o.name, Filter: slot.NewFilter(o.member).WithRule(o.rule), Topics: []string{o.topic}}
	incarnation, started := rand.Text(), time.Now()
	ticker := time.NewTicker(o.interval)
	defer ticker.Stop()
	for first := true; ; first = false {
		if err := s.put(ctx, worker.Announce(incarnation, started, time.Now())); err != nil && ctx.Err() == nil {
			return err
		}
		if first {
			fmt.Fprintln(stdout, incarnation)
		}
		select {
		case <-ctx.Done(): // a planned end; a killed member cannot say this
			return s.withdraw(context.WithoutCancel(ctx), incarnation)
		case <-ticker.C:
		}
	}
}
