package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/report"
)

// run is the whole program, and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, f faults) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "scaling: %v (-h shows how to use it)\n", err)
		return 2
	}
	ok, err := phases(ctx, o, stdout, stderr, f)
	if err != nil {
		fmt.Fprintf(stderr, "scaling: %v\n", err)
	}
	if !ok || err != nil {
		return 1
	}
	return 0
}

// phases runs one phase after the other. An error is what keeps them from being run to the end.
func phases(ctx context.Context, o options, stdout, stderr io.Writer, f faults) (ok bool, err error) {
	stream := events.Sample()
	if o.events != "" {
		if stream, err = events.Load(o.events); err != nil {
			return false, err
		}
	}
	run, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(errInterrupted) })()
	s := &stage{ctx: run, fail: fail, report: report.New(stdout), faults: f}
	defer s.close()
	if err := s.open(o.url); err != nil {
		return false, s.cause(err)
	}
	fmt.Fprintf(stdout, "broker: %s\n", s.broker.Describe(s.nc))
	for _, phase := range []func() error{
		s.fanOut,
		s.exactlyOne,
		s.groupAndCommand,
		func() error { return s.events(stream, o.members, o.repeat, stderr) },
	} {
		if err := phase(); err != nil {
			return false, err
		}
	}
	return s.report.End(), nil
}
