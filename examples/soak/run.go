package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/slotkey/slotkey/examples/internal/report"
)

// errInterrupted is why a run ends on a signal that comes before the first event.
var errInterrupted = errors.New("interrupted")

// findWithin is how soon an intruder has to be found.
const findWithin = 10 * time.Second

// run is the whole program, and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, s spoil) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "soak: %v (-h shows how to use it)\n", err)
		return 2
	}
	ok, err := soak(ctx, o, stdout, s)
	if err != nil {
		fmt.Fprintf(stderr, "soak: %v\n", err)
	}
	if !ok || err != nil {
		return 1
	}
	return 0
}

func soak(ctx context.Context, o options, stdout io.Writer, s spoil) (ok bool, err error) {
	if err := o.check(); err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "slotkey-soak-")
	if err != nil {
		return false, err
	}
	defer func() {
		if ok || errors.Is(err, errInterrupted) || s.meant() {
			err = errors.Join(err, os.RemoveAll(dir))
		} else {
			fmt.Fprintf(stdout, "evidence and the broker's data are kept in %s\n", dir)
		}
	}()
	fmt.Fprintf(stdout, "seed %d; again: %s\n", o.seed, o.command())
	p := &play{options: o, spoil: s, out: stdout, dir: dir, began: time.Now(), pub: &publisher{}, got: outcome{records: map[string][]record{}, faults: map[fault]int{}}}
	if err = p.run(ctx); err != nil {
		return false, err
	}
	return judge(stdout, o, p.got), nil
}

// judge prints what a run has shown.
func judge(stdout io.Writer, o options, got outcome) bool {
	r := report.New(stdout)
	p := prove(got)
	r.Phase("log", fmt.Sprintf("%d events published in %v, %d in the log", len(got.published), round(got.elapsed), len(got.log)),
		standing(got), p.inLog...)
	if p.doubles > 0 && p.doubles <= got.forgets {
		r.Note(fmt.Sprintf("%d stand there once more: kfake, when it is killed, forgets the last numbers of its producer; Kafka would find them in its log", p.doubles))
	}
	repeats := 0
	for _, n := range p.repeats {
		repeats += n
	}
	processes := len(got.lives) - len(got.intruders)
	r.Phase("handled", fmt.Sprintf("%d of %d events by %d processes of %d members, %d of them again; %s", len(p.handled), len(got.published), processes, got.members, repeats, faults(got.faults)),
		"every event was handled by its one owner, each entity in order, and again only with evidence that it was delivered again", p.problems...)
	r.Note(p.reasons())
	r.Phase("cursors", fmt.Sprintf("%d members, %v after the first event", got.members, round(got.drained)),
		"all are at the end of the log, and nothing is pending, own or foreign", got.behind...)
	var restless []string
	if got.restless != "" {
		restless = []string{got.restless}
	}
	r.Phase("fleet", "the audit, at the end", "it hears of every member and finds nothing", restless...)
	intruders(r, got.intruders)
	r.Note(cost(o, got))
	return r.End()
}

func standing(got outcome) string {
	if got.forgets > 0 {
		return "every event stands in the log, each entity's in order"
	}
	return "every event stands in the log once, each entity's in order"
}

// intruders reports how they were found.
func intruders(r *report.Report, all []intruder) {
	for _, kind := range []struct {
		fault fault
		what  string
	}{{twin, "twins"}, {otherSize, "sizes"}} {
		var slowest time.Duration
		var problems []string
		n, handled := 0, 0
		for _, i := range all {
			if i.fault != kind.fault {
				continue
			}
			n++
			handled += i.handled
			slowest = max(slowest, i.found)
			switch {
			case i.finding == "":
				problems = append(problems, i.what+", and is not found")
			case i.found > findWithin:
				problems = append(problems, fmt.Sprintf("%s, and is found after %v", i.what, round(i.found)))
			}
		}
		if n > 0 {
			r.Phase(kind.what, fmt.Sprintf("intruders: %d; they handled %d events of others until they were ended", n, handled),
				fmt.Sprintf("the audit named each beside whom it disturbs, after %v at most from the start of its process", round(slowest)), problems...)
		}
	}
}

// faults lists what happened how often.
func faults(counts map[fault]int) string {
	names := map[fault]string{killMember: "kills", stopMember: "stops", pauseMember: "pauses", slowMember: "slow spells", downBroker: "restarts of the broker", downNode: "kills of a node", twin: "twins", otherSize: "other sizes"}
	var list []string
	total := 0
	for _, f := range []fault{killMember, stopMember, pauseMember, slowMember, downBroker, downNode, twin, otherSize} {
		if n := counts[f]; n > 0 {
			list = append(list, fmt.Sprintf("%s %d", names[f], n))
			total += n
		}
	}
	if total == 0 {
		return "no faults"
	}
	return fmt.Sprintf("%d faults: %s", total, strings.Join(list, ", "))
}

// cost says what the run took. Each member receives every event.
func cost(o options, got outcome) string {
	n := float64(len(got.published))
	var members time.Duration
	for _, l := range got.lives {
		if l.member >= 0 {
			members += l.cpu
		}
	}
	each := func(d time.Duration, by float64) string { return fmt.Sprintf("%.0f µs", float64(d.Microseconds())/by) }
	servers := "server"
	if o.nodes > 1 {
		servers = fmt.Sprintf("%d servers", o.nodes)
	}
	return fmt.Sprintf("published %.0f events/s, handled and acknowledged %.0f events/s\nprocessor time: %s for each event in a member, which receives all; %s in the %s, for all members",
		n/got.elapsed.Seconds(), n/got.drained.Seconds(), each(members, n*float64(got.members)), each(got.serverCPU, n), servers)
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
