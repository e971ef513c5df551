package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// An act is one side of a step: what begins it, or what ends it.
type act struct {
	at   time.Duration
	what string
	do   func() error
}

// perform plays the schedule, one act after another. What an act takes moves all that follow. On a
// signal it undoes what lasts, and returns.
func (p *play) perform(ctx context.Context) error {
	steps := schedule(p.options)
	if p.spoil.Steps != nil {
		steps = p.spoil.Steps
	}
	var acts []act
	lasting := map[int]func() error{} // what ends each step that has begun and lasts
	for i, s := range steps {
		begin, end := p.sides(ctx, s)
		acts = append(acts, act{s.at, s.String(), func() error {
			p.got.faults[s.fault]++
			if p.engine == "kafka" && s.fault == downBroker && s.hard {
				p.got.forgets += maxBatch
			}
			if end != nil {
				lasting[i] = end
			}
			return begin()
		}})
		if end != nil {
			acts = append(acts, act{s.at + s.hold, "", func() error {
				delete(lasting, i)
				return end()
			}})
		}
	}
	acts = append(acts, act{p.duration, "", func() error { return nil }})
	slices.SortStableFunc(acts, func(a, b act) int { return cmp.Compare(a.at, b.at) })
	start := p.began
	for _, a := range acts {
		select {
		case <-time.After(time.Until(start.Add(a.at))):
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-p.interrupt.Done():
			p.say("interrupted: what was published is handled, and judged")
			for _, i := range slices.Sorted(maps.Keys(lasting)) {
				if err := lasting[i](); err != nil {
					return err
				}
			}
			return nil
		}
		if a.what != "" {
			p.say("%s", a.what)
		}
		if err := a.do(); err != nil {
			return err
		}
		if late := time.Since(start) - a.at; late > 0 {
			start = start.Add(late)
		}
	}
	return nil
}

// sides returns what begins a step and what ends it, if anything does.
func (p *play) sides(ctx context.Context, s step) (begin, end func() error) {
	target := func() (*life, error) {
		if l := p.crew.running[s.target]; l != nil {
			return l, nil
		}
		return nil, fmt.Errorf("member %d does not run", s.target)
	}
	on := func(do func(*life) error) func() error {
		return func() error {
			l, err := target()
			if err != nil {
				return err
			}
			return do(l)
		}
	}
	switch s.fault {
	case killMember, stopMember:
		return func() error { return p.crew.finish(s.target, s.fault == killMember) }, func() error { return p.crew.start(s.target) }
	case pauseMember:
		return on(func(l *life) error { return pause(l.process.cmd.Process) }), on(func(l *life) error { return resume(l.process.cmd.Process) })
	case slowMember:
		return on(func(l *life) error { return l.process.say("slow 40ms") }), on(func(l *life) error { return l.process.say("slow 0s") })
	case downBroker:
		return func() error { return p.disturb(ctx, func() error { return p.broker.stop(s.hard) }) }, p.broker.start
	case downNode:
		node := p.broker.servers[s.target]
		return func() error { return p.disturb(ctx, func() error { return node.stop(true) }) }, node.start
	}
	return func() error { return p.intrude(ctx, s) }, nil
}

// disturb does something to the broker, once it has taken events since the last time.
func (p *play) disturb(ctx context.Context, do func() error) error {
	err := until(ctx, patience, func() error {
		if p.pub.count.Load() == p.accepted {
			return errors.New("the broker takes no events")
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = do()
	p.accepted = p.pub.count.Load()
	return err
}

// intrude starts an intruder when all is well, and waits until the audit names it.
func (p *play) intrude(ctx context.Context, s step) error {
	if err := until(ctx, patience, p.crew.healthy); err != nil {
		return fmt.Errorf("the group is not whole: %w", err)
	}
	name, m, kind := "intruder", p.crew.members[s.target], fleet.Doubled
	if s.fault == twin && s.hard {
		name = memberName(s.target)
	}
	if s.fault == otherSize {
		var err error
		if m, err = slot.New(slot.Config{Group: group, Size: p.members + 1, Index: s.target}); err != nil {
			return err
		}
		kind = fleet.MixedSizes
	}
	cursor := fmt.Sprint("intruder-", len(p.got.intruders))
	if err := p.client.open(ctx, cursor, true); err != nil {
		return err
	}
	l, err := p.crew.intrude(name, m, cursor)
	if err != nil {
		return err
	}
	got := intruder{what: s.String(), fault: s.fault}
	err = until(ctx, patience, func() error {
		for _, f := range p.crew.audit() {
			if f.Kind == kind && names(f, l.incarnation) && (s.fault != twin || names(f, p.crew.running[s.target].incarnation)) {
				got.finding, got.found = f.String(), time.Since(l.start)
				return nil
			}
		}
		return errors.New("the intruder is not found")
	})
	if ctx.Err() != nil {
		return err
	}
	p.say("  %s", cmp.Or(got.finding, "it is not found"))
	if err := p.crew.end(l, true); err != nil {
		return err
	}
	p.crew.forget(l)
	p.got.intruders = append(p.got.intruders, got)
	return p.client.forget(ctx, cursor)
}

func names(f fleet.Finding, incarnation string) bool {
	return slices.ContainsFunc(f.Instances(), func(i fleet.Instance) bool { return i.Incarnation == incarnation })
}
