package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot/resize"
)

// errInterrupted is why a run ends on a signal.
var errInterrupted = errors.New("interrupted")

// run is the whole program, and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, f faults) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "reshard: %v (-h shows how to use it)\n", err)
		return 2
	}
	ok, err := runs(ctx, o, stdout, stderr, f)
	if err != nil {
		fmt.Fprintf(stderr, "reshard: %v\n", err)
	}
	if !ok || err != nil {
		return 1
	}
	return 0
}

func runs(ctx context.Context, o options, stdout, stderr io.Writer, f faults) (ok bool, err error) {
	whole, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(errInterrupted) })()
	b, err := openBroker(o.url)
	if err != nil {
		return false, err
	}
	defer b.close()
	nc, _, err := connect(whole, b.url, "reshard")
	if err != nil {
		return false, err
	}
	defer nc.Close()
	fmt.Fprintf(stdout, "broker: %s\n", b.describe(nc))
	r := report.New(stdout)
	for _, layouts := range o.runs {
		name := names(layouts, " -> ")
		fmt.Fprintf(stdout, "%s: %d entities, %d events at %d a second, seed %d\n", name, o.entities, o.events*len(layouts), o.rate, o.seed)
		s := &scenario{options: o, layouts: layouts, out: stdout, rng: rand.New(rand.NewPCG(o.seed, 0))}
		got, err := s.play(whole, b, stderr, f)
		if err != nil {
			if cause := context.Cause(whole); cause != nil {
				err = cause
			}
			return false, err
		}
		if err := judge(r, o, name, layouts, got); err != nil {
			return false, err
		}
	}
	return r.End(), nil
}

// judge prints what a run has shown, and draws it.
func judge(r *report.Report, o options, name string, layouts []resize.Layout, got outcome) error {
	p := prove(got)
	what := fmt.Sprintf("plan %v: %d events -> %d handled, %d of them again after a restart, by %d processes of %d members",
		got.plan, len(got.entities), len(p.handled), p.repeats, len(got.lives), got.plan.Members())
	r.Phase(name, what, "every event was handled by its one owner, each entity in order, and again only where a process was started again behind its committed position", p.problems...)
	r.Note(p.shares())
	for i := 1; i < len(layouts); i++ {
		change, err := resize.Simulate(layouts[i-1], layouts[i])
		if err != nil {
			return err
		}
		moved, of := p.moved(i)
		r.Note(fmt.Sprintf("%v -> %v: %d of %d entities moved to another member; of many, %v would, and %v at least", layouts[i-1], layouts[i], moved, of, change.Moved, change.Least))
	}
	file, err := p.draw(o.pictures, name)
	if err != nil {
		return fmt.Errorf("the picture: %w", err)
	}
	r.Note("picture: " + file)
	return nil
}

func names(layouts []resize.Layout, separator string) string {
	var texts []string
	for _, l := range layouts {
		texts = append(texts, l.String())
	}
	return strings.Join(texts, separator)
}
