package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// An act is something that happens just before a sequence is published.
type act struct {
	at   uint64
	what string
	do   func() error
}

// A scenario is one run: a group that goes through layouts while events arrive.
type scenario struct {
	options
	layouts []resize.Layout
	out     io.Writer
	began   time.Time
	rng     *mathrand.Rand
	stage   *stage
	crew    *crew
	plan    resize.Plan
	acts    []act
}

// An outcome is what a run leaves to be judged.
type outcome struct {
	plan      resize.Plan
	entities  []string // by sequence, from 1: entities[0] is that of sequence 1
	published []time.Time
	records   []record // the handled log
	lives     []life
}

// play runs the scenario. An error is what keeps it from being played to its end; whether events
// were handled right is for the proof.
func (s *scenario) play(ctx context.Context, b *broker, stderr io.Writer, f faults) (got outcome, err error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	nc, js, err := connect(ctx, b.url, "publisher")
	if err != nil {
		return got, err
	}
	defer nc.Close()
	s.stage = &stage{run: strings.ToLower(rand.Text()[:8]), js: js}
	if err := s.stage.create(ctx); err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, s.stage.remove()) }()
	config := memberConfig{URL: b.url, Run: s.stage.run, Work: 2 * time.Millisecond, Faults: f}
	if s.crew, err = newCrew(ctx, s.stage, config, stderr, func(err error) { fail(err) }); err != nil {
		return got, err
	}
	defer s.crew.killAll()
	if s.plan, err = resize.NewPlan(s.layouts[0]); err != nil {
		return got, err
	}
	if err := s.giveOut(ctx); err != nil {
		return got, err
	}
	for m := range s.layouts[0].Members() {
		if err := s.crew.start(m); err != nil {
			return got, err
		}
	}
	s.began = time.Now()
	s.say(0, "members %s start with the plan %v", span(0, s.layouts[0].Members()), s.plan)
	if err := s.crew.haveText(s.plan.String()); err != nil {
		return got, err
	}
	for i := 1; i < len(s.layouts); i++ {
		s.prepare(ctx, i, f)
	}
	slices.SortStableFunc(s.acts, func(a, b act) int { return cmp.Compare(a.at, b.at) })
	for range s.events * len(s.layouts) {
		got.entities = append(got.entities, fmt.Sprintf("entity-%03d", s.rng.IntN(s.entities)))
	}
	p := publisher{stage: s.stage, rate: s.rate, before: s.before}
	if err := p.run(ctx, got.entities); err != nil {
		return got, err
	}
	last := commit.At(uint64(len(got.entities)))
	if err := s.crew.haveCommitted(last, s.layouts[len(s.layouts)-1].Members()); err != nil {
		return got, err
	}
	s.say(last.Major, "is the last, and all have committed it")
	if err := s.crew.stopAll(); err != nil {
		return got, err
	}
	got.plan, got.lives, got.published = s.plan, s.crew.lives, p.published
	got.records, err = s.stage.readLog(ctx)
	return got, err
}

// before does what is to happen before a sequence is published.
func (s *scenario) before(sequence uint64) error {
	for len(s.acts) > 0 && s.acts[0].at <= sequence {
		next := s.acts[0]
		s.acts = s.acts[1:]
		if next.what != "" {
			s.say(sequence, "%s", next.what)
		}
		if err := next.do(); err != nil {
			return err
		}
	}
	return nil
}

// prepare draws what happens around the switch to layout i: the text of the plan is given out some
// time before it, newcomers start before or after it, one member that stays is killed and started
// again, and another is stopped and started again.
func (s *scenario) prepare(ctx context.Context, i int, f faults) {
	before, after := s.layouts[i-1], s.layouts[i]
	length := uint64(s.events)
	at := uint64(i)*length + 1
	lead := min(length/3, uint64(s.rate)*6/10)
	given := at - lead
	s.act(given, "", func() (err error) {
		if s.plan, err = s.plan.Extend(after, commit.At(at)); err != nil {
			return err
		}
		s.say(given, "the plan %v is given out", s.plan)
		return s.giveOut(ctx)
	})
	s.act(at, "", s.gate)
	for m := before.Members(); m < after.Members(); m++ {
		s.act(given+1+s.rng.Uint64N(lead+length/4), fmt.Sprintf("member %d starts", m), func() error { return s.crew.join(m, s.plan.String()) })
	}
	var stay []int
	for _, m := range s.rng.Perm(min(before.Members(), after.Members())) {
		if !f.deaf(m) {
			stay = append(stay, m)
		}
	}
	if len(stay) > 0 {
		m, when := stay[0], at-lead/2+s.rng.Uint64N(lead/2+length/8)
		s.act(when, fmt.Sprintf("member %d is killed", m), func() error { return s.crew.finish(m, true) })
		s.act(when+length/30+s.rng.Uint64N(length/10), fmt.Sprintf("member %d starts again", m), func() error { return s.crew.start(m) })
	}
	if len(stay) > 1 {
		m, when := stay[1], given+s.rng.Uint64N(lead+length/6)
		s.act(when, fmt.Sprintf("member %d stops", m), func() error { return s.crew.finish(m, false) })
		s.act(when+1+s.rng.Uint64N(length/10), fmt.Sprintf("member %d starts again", m), func() error { return s.crew.start(m) })
	}
}

func (s *scenario) act(at uint64, what string, do func() error) {
	s.acts = append(s.acts, act{at, what, do})
}

// giveOut stores the plan's text where all members, running or to come, find it.
func (s *scenario) giveOut(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := s.stage.kv.PutString(ctx, planKey, s.plan.String())
	return err
}

// gate keeps the publisher before a switch until every process that runs has the text. It is what
// an operator must see to. Mostly it opens at once, as the text was given out long before.
func (s *scenario) gate() error {
	waited := time.Now()
	if err := s.crew.haveText(s.plan.String()); err != nil {
		return err
	}
	g := s.plan.Generations()
	at := g[len(g)-1].From
	s.say(at.Major, "is the switch to %v; members %s have the text (waited %v)", g[len(g)-1].Layout, list(s.crew.members()), time.Since(waited).Round(time.Millisecond))
	for _, finding := range s.crew.audit() {
		s.say(at.Major, "audit: %v", finding)
	}
	return nil
}

func (s *scenario) say(sequence uint64, format string, args ...any) {
	fmt.Fprintf(s.out, "  %5.2fs  sequence %5d  %s\n", time.Since(s.began).Seconds(), sequence, fmt.Sprintf(format, args...))
}

// span names the members from low to high, which is not included.
func span(low, high int) string {
	if high-low == 1 {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d-%d", low, high-1)
}

func list(members []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(members), " ", ", "), "[]")
}
