package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// A play is one run.
type play struct {
	options
	spoil  spoil
	out    io.Writer
	dir    string
	broker *broker
	client client
	crew   *crew
	pub    *publisher
	began  time.Time
	got    outcome
	// interrupt ends on a signal.
	interrupt context.Context
	// accepted is how many events the broker had when it was last disturbed.
	accepted uint64
}

// An outcome is what a run leaves to be judged.
type outcome struct {
	members   int
	published []string // the entity of each event, by number from 1
	log       []logged
	unread    string // why the log could not be read; empty: it was
	lives     []*life
	records   map[string][]record // by incarnation
	faults    map[fault]int
	intruders []intruder
	restless  string   // why the fleet was not whole at the end; empty: it was
	behind    []string // cursors that are not at the end
	elapsed   time.Duration
	drained   time.Duration // from the first event to the last acknowledgement
	serverCPU time.Duration
	// forgets is how many events may stand in the log twice: where the broker, each time it is
	// killed, forgets what its producers had sent last, they send as much once more.
	forgets int
}

// An intruder is a process that is not to be in the group, and how it was found.
type intruder struct {
	what    string
	fault   fault
	found   time.Duration
	finding string // empty: it was not
	handled int
}

// run plays the whole. When ctx ends, no fault begins any more, no event is published, and what
// there is comes to its end as always; before the first event the run ends at once. An error is
// what keeps the run from its end; whether events were handled right is for the proof.
func (p *play) run(ctx context.Context) (err error) {
	p.interrupt = ctx
	ctx, lost := context.WithCancelCause(context.WithoutCancel(ctx))
	defer lost(nil)
	starting := context.AfterFunc(p.interrupt, func() { lost(errInterrupted) })
	defer starting()
	if err := os.Mkdir(filepath.Join(p.dir, "evidence"), 0o755); err != nil {
		return err
	}
	if p.broker, err = newBroker(p.options, p.dir, func(err error) { lost(err) }); err != nil {
		return err
	}
	defer p.broker.stop(true)
	if err := p.broker.start(); err != nil {
		return err
	}
	if p.client, err = connect(p.engine, p.broker.addresses(), "soak", p.ackWait()); err != nil {
		return err
	}
	defer p.client.close()
	config := memberConfig{
		Engine: p.engine, Addresses: p.broker.addresses(), Evidence: filepath.Join(p.dir, "evidence"), Work: 2 * time.Millisecond, Spoil: p.spoil,
	}
	if p.rate == 0 {
		config.Work = 0
	}
	if p.crew, err = newCrew(config, p.members, func(err error) { lost(err) }); err != nil {
		return err
	}
	defer p.crew.killAll()
	if err := p.prepare(ctx); err != nil {
		return p.cause(ctx, err)
	}
	if !starting() {
		return errInterrupted
	}
	p.began = time.Now()
	p.pub = &publisher{client: p.client, rate: p.rate, entities: p.entities, rng: rand.New(rand.NewPCG(p.seed, 2))}
	publishing := make(chan error, 1)
	go func() {
		err := p.pub.run(ctx)
		if err != nil {
			lost(err)
		}
		publishing <- err
	}()
	err = p.perform(ctx)
	p.pub.done.Store(true)
	if err := errors.Join(err, <-publishing); err != nil {
		return p.cause(ctx, err)
	}
	return p.cause(ctx, p.finish(ctx))
}

// cause prefers what made ctx end to what came of it.
func (p *play) cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// prepare makes the log, the cursors and the members, and returns when all are there.
func (p *play) prepare(ctx context.Context) error {
	limited, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the broker is not ready in time"))
	defer cancel()
	if err := p.client.create(limited); err != nil {
		return err
	}
	for _, m := range p.crew.members {
		cursor, err := cursorOf(m)
		if err != nil {
			return err
		}
		if err := p.client.open(limited, cursor, false); err != nil {
			return err
		}
	}
	if err := p.client.listen(ctx, p.crew.hear); err != nil {
		return err
	}
	for i := range p.crew.members {
		if err := p.crew.start(i); err != nil {
			return err
		}
	}
	if p.spoil.Size > 0 {
		return nil
	}
	return until(ctx, patience, p.crew.healthy)
}

// finish waits until all is handled, ends the members, and gathers what they leave.
func (p *play) finish(ctx context.Context) error {
	p.say("no more events")
	for _, m := range p.crew.members {
		cursor, err := cursorOf(m)
		if err != nil {
			return err
		}
		err = until(ctx, cmp.Or(p.spoil.Drain, patience), func() error {
			limited, cancel := context.WithTimeout(ctx, 2*patience)
			defer cancel()
			text, err := p.client.behind(limited, cursor)
			if err == nil && text != "" {
				err = errors.New(text)
			}
			return err
		})
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			p.got.behind = append(p.got.behind, fmt.Sprintf("%v: %v", m, err))
		}
	}
	p.got.drained = time.Since(p.began)
	if err := until(ctx, 2*ttl, p.crew.healthy); err != nil {
		p.got.restless = err.Error()
	}
	if err := p.crew.stopAll(); err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, 5*patience, errors.New("the log cannot be read"))
	defer cancel()
	var err error
	if p.got.log, err = p.client.read(limited); err != nil {
		p.got.unread = err.Error() // what the members did is to be judged all the same
	}
	if err := p.broker.stop(false); err != nil {
		return err
	}
	for _, s := range p.broker.servers {
		p.got.serverCPU += s.used
	}
	p.got.members, p.got.published, p.got.lives, p.got.elapsed = p.members, p.pub.log, p.crew.lives, p.pub.elapsed
	intruders := 0
	for _, l := range p.crew.lives {
		records, err := readEvidence(filepath.Join(p.dir, "evidence"), l.incarnation)
		if err != nil {
			return err
		}
		if l.member >= 0 {
			p.got.records[l.incarnation] = records
			continue
		}
		p.got.intruders[intruders].handled = len(records)
		intruders++
	}
	return nil
}

func (p *play) say(format string, args ...any) {
	fmt.Fprintf(p.out, "  %7.2fs  event %6d  %s\n", time.Since(p.began).Seconds(), p.pub.count.Load(), fmt.Sprintf(format, args...))
}
