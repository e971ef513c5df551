package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot/fleet"
)

// watchOver runs the phases over NATS, then over Redis. An error is what keeps them from being run to the end.
func watchOver(ctx context.Context, o options, stdout io.Writer) (ok bool, err error) {
	r := report.New(stdout)
	var stages []*stage
	for _, via := range []struct {
		name, url string
		embed     func() (string, func(), error)
	}{
		{"NATS", o.url, embedNATS},
		{"Redis", o.redis, embedRedis},
	} {
		st := &stage{
			o: o, url: via.url, space: "slotkey-announce-" + rand.Text(), where: "the server given",
			ob: newObserver(o.ttl()), members: map[string]*process{}, report: r, via: via.name, patience: 10*o.ttl() + 10*time.Second,
		}
		if via.url == "" {
			url, stop, err := via.embed()
			if err != nil {
				return false, err
			}
			defer stop()
			st.url, st.where = url, "embedded in this process"
		}
		if st.store, err = openStore(ctx, st.url, st.space, o); err != nil {
			return false, fmt.Errorf("%s: %w", via.name, err)
		}
		defer st.store.close()
		defer func() { err = errors.Join(err, st.store.destroy(context.WithoutCancel(ctx))) }()
		stages = append(stages, st)
	}
	for _, st := range stages {
		fmt.Fprintf(stdout, "store: %s, %s\n", st.via, st.where)
		if err := st.phases(ctx); err != nil {
			return false, fmt.Errorf("%s: %w", st.via, err)
		}
	}
	return r.End(), nil
}

// A stage is one fleet, its store and its observer.
type stage struct {
	ctx               context.Context
	o                 options
	store             store
	url, space, where string
	ob                *observer
	members           map[string]*process // by a label
	report            *report.Report
	via               string
	patience          time.Duration // how long to wait for what is expected
}

func (st *stage) phases(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	st.ctx = ctx
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		if err := st.store.watch(ctx, st.ob.hear); err != nil {
			fail(err)
		}
	}()
	defer func() { fail(nil); <-watching }()
	defer func() {
		for _, p := range st.members {
			p.kill()
		}
	}()
	for _, phase := range []func() error{
		st.healthy, st.killed, st.restarted, st.doubled, st.forced, st.wrongSize, st.wrongRule,
	} {
		if err := phase(); err != nil {
			return err
		}
	}
	return nil
}

// run starts a member and keeps it under a label.
func (st *stage) run(label, name, member string, more ...string) error {
	p, err := start(st.o, st.url, st.space, name, member, more...)
	if err != nil {
		return err
	}
	st.members[label] = p
	return nil
}

func (st *stage) end(label string, how func(*process) error) error {
	p := st.members[label]
	delete(st.members, label)
	return how(p)
}

func kill(p *process) error { p.kill(); return nil }

func stop(p *process) error { return p.stop() }

// expect waits until the audit finds exactly what is wanted, and prints it; a wanted finding is its
// kind, the slots and the workers.
func (st *stage) expect(name, what string, alive int, want ...string) error {
	begin := time.Now()
	deadline := time.NewTimer(st.patience)
	defer deadline.Stop()
	again := time.NewTicker(st.o.interval / 2) // members go stale without news
	defer again.Stop()
	for {
		findings, heard := st.ob.audit(time.Now())
		got := []string{}
		for _, f := range findings {
			got = append(got, brief(f))
		}
		if slices.Equal(got, want) && st.living(heard) >= alive {
			shows := fmt.Sprintf("found after %.1f s", time.Since(begin).Seconds())
			if len(want) == 0 {
				shows = "nothing is found"
			}
			st.report.Phase(st.via+" "+name, what, shows)
			st.print(findings)
			return nil
		}
		select {
		case <-st.ctx.Done():
			return context.Cause(st.ctx)
		case <-deadline.C:
			st.report.Phase(st.via+" "+name, what, "", fmt.Sprintf("got %q, want %q", got, want))
			st.print(findings)
			return nil
		case <-st.ob.news:
		case <-again.C:
		}
	}
}

func (st *stage) print(findings []fleet.Finding) {
	for _, f := range findings {
		st.report.Note(f.String())
	}
}

// living counts the announcements of members that run.
func (st *stage) living(heard []fleet.Announcement) (n int) {
	for _, p := range st.members {
		if slices.ContainsFunc(heard, func(a fleet.Announcement) bool { return a.Incarnation == p.incarnation }) {
			n++
		}
	}
	return n
}

func brief(f fleet.Finding) string {
	var workers []string
	for _, i := range f.Instances() {
		workers = append(workers, i.Worker)
	}
	return fmt.Sprintf("%s %v %s", f.Kind, f.Slots, strings.Join(workers, ","))
}

func (st *stage) healthy() error {
	for i := range 3 {
		name := fmt.Sprint("web-", i)
		if err := st.run(name, name, fmt.Sprintf("pairs:%d/3", i)); err != nil {
			return err
		}
	}
	return st.expect("healthy", "3 processes announce pairs:0/3, pairs:1/3 and pairs:2/3", 3)
}

func (st *stage) killed() error {
	if err := st.end("web-2", kill); err != nil {
		return err
	}
	return st.expect("killed", "web-2 gets SIGKILL", 2, "missing [2] web-2", "stale [] web-2")
}

func (st *stage) restarted() error {
	if err := st.run("web-2", "web-2", "pairs:2/3"); err != nil {
		return err
	}
	return st.expect("restarted", "web-2 starts again, as a new incarnation that replaces the dead one", 3)
}

func (st *stage) doubled() error {
	if err := st.run("web-3", "web-3", "pairs:0/3"); err != nil {
		return err
	}
	if err := st.expect("doubled", "web-3 starts with the index of web-0", 4, "doubled [0] web-0,web-3"); err != nil {
		return err
	}
	if err := st.end("web-3", stop); err != nil {
		return err
	}
	return st.expect("stopped", "web-3 gets SIGTERM and takes its announcement back", 3)
}

func (st *stage) forced() error {
	if err := st.run("web-1 again", "web-1", "pairs:1/3"); err != nil {
		return err
	}
	if err := st.expect("forced", "a second web-1 starts while the first runs, as after a forced deletion", 4, "doubled [1] web-1,web-1"); err != nil {
		return err
	}
	if err := st.end("web-1", kill); err != nil {
		return err
	}
	st.members["web-1"] = st.members["web-1 again"]
	delete(st.members, "web-1 again")
	return st.expect("ended", "the first web-1 is ended at last", 3)
}

func (st *stage) wrongSize() error {
	if err := st.end("web-1", stop); err != nil {
		return err
	}
	if err := st.run("web-1", "web-1", "pairs:1/4"); err != nil {
		return err
	}
	return st.expect("misconfigured", "web-1 is started again with the size 4", 3, "mixed sizes [] web-0,web-1,web-2")
}

func (st *stage) wrongRule() error {
	if err := st.end("web-1", stop); err != nil {
		return err
	}
	if err := st.run("web-1", "web-1", "pairs:1/3", "-rule", "subject,id percent"); err != nil {
		return err
	}
	return st.expect("other rule", "web-1 is started again with percent-decoding, which the others do not have", 3, "mixed rules [] web-0,web-1,web-2")
}
