package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot"
)

// A stage is the members of a run, and what they did.
type stage struct {
	options
	sum       func(slot.Verdict) uint32
	fail      func(error)
	published []string // the entity of each event, by number
	consumers []*consumer
	durables  []jetstream.Consumer // what the broker has of each member
	gate      chan struct{}        // closed: handlers go on
	stops     []func()
	running   sync.WaitGroup
	refusals  atomic.Int64

	mu      sync.Mutex
	marks   []mark
	deepest int
}

// A mark is left by a handler.
type mark struct {
	member, number int
	entity         string
	sum            uint32
	low            bool
}

func newStage(o options, sum func(slot.Verdict) uint32, fail func(error)) *stage {
	return &stage{options: o, sum: sum, fail: fail, gate: make(chan struct{})}
}

const (
	// slowest is how long a handler takes at most, on a busy machine too.
	slowest = 50 * time.Millisecond
	// hold is how long handlers wait at the gate at most: until all is published and the inboxes are full.
	hold = 5 * time.Minute
)

// start starts the members; their handlers wait at the gate.
func (s *stage) start(ctx context.Context, stream jetstream.Stream) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i := range s.members {
		m, err := slot.New(slot.Config{Group: "inbox-demo", Size: s.members, Index: i})
		if err != nil {
			return err
		}
		durable := config(fmt.Sprint("member-", i), s.depth, slowest)
		durable.AckWait += hold
		d, err := stream.CreateConsumer(limited, durable)
		if err != nil {
			return err
		}
		c := &consumer{filter: slot.NewFilter(m), counter: new(slot.Counter), sum: s.sum, refused: func() { s.refusals.Add(1) }, failed: s.fail}
		c.work = func(j job) error { return s.work(i, c.box, j) }
		if c.box, err = inbox.New(inbox.Config{Lanes: s.options.lanes, Depth: s.depth, Low: s.low()}, c.handle); err != nil {
			return err
		}
		s.consumers, s.durables = append(s.consumers, c), append(s.durables, d)
		running, stop := context.WithCancel(ctx)
		s.stops = append(s.stops, stop)
		s.running.Go(func() { c.run(running, d) })
	}
	return nil
}

// stop ends all members, whatever state they are in.
func (s *stage) stop() {
	for _, stop := range s.stops {
		stop()
	}
	s.open()
	s.running.Wait()
}

func (s *stage) open() {
	select {
	case <-s.gate:
	default:
		close(s.gate)
	}
}

// work is the work of the handlers of all members, here by sleeping.
func (s *stage) work(member int, box *inbox.Inbox[job], j job) error {
	e, err := events.Parse(j.msg.Data())
	if err != nil {
		s.fail(err)
		return err
	}
	<-s.gate
	time.Sleep(rand.N(200 * time.Microsecond))
	number, err := strconv.Atoi(e.ID)
	if err != nil {
		s.fail(err)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marks = append(s.marks, mark{member, number, e.Key(), j.verdict.Sum, j.low})
	s.deepest = max(s.deepest, box.Len())
	return nil
}

// until waits until nothing is left, for as long as it becomes less.
func until(ctx context.Context, what string, left func() (uint64, error)) error {
	least, deadline := uint64(math.MaxUint64), time.Now().Add(patience)
	for {
		n, err := left()
		if err != nil || n == 0 {
			return err
		}
		if n < least {
			least, deadline = n, time.Now().Add(patience)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waited too long: %s", what)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// full shows what happens while no handler comes back: inboxes fill up, and the broker keeps the rest.
func (s *stage) full(ctx context.Context, r *report.Report) error {
	err := until(ctx, "for the inboxes to be full", func() (room uint64, err error) {
		for _, c := range s.consumers {
			room += uint64(s.depth - c.box.Len())
		}
		return room, nil
	})
	if err != nil {
		return err
	}
	var problems []string
	kept := uint64(0)
	for i, d := range s.durables {
		info, err := d.Info(ctx)
		if err != nil {
			return err
		}
		kept += info.NumPending
		if info.NumPending == 0 {
			problems = append(problems, fmt.Sprintf("the broker keeps nothing for member %d", i))
		}
	}
	if s.refusals.Load() == 0 {
		problems = append(problems, "nothing of low priority was refused")
	}
	r.Phase("back-pressure", fmt.Sprintf("handlers wait; %d inboxes hold %d events each, and the broker keeps %d deliveries", s.members, s.depth, kept),
		"a full inbox stops its member's consumer, and nothing piles up in the process", problems...)
	r.Note(fmt.Sprintf("from %d events on an inbox refused those of low priority: %d times, each given back to be delivered again after %v", s.low(), s.refusals.Load(), refusedAfter))
	return nil
}

// handle lets the handlers go on until all is done, and judges what they did.
func (s *stage) handle(ctx context.Context, r *report.Report) error {
	s.open()
	for _, d := range s.durables {
		err := until(ctx, "for all events to be handled", func() (uint64, error) {
			info, err := d.Info(ctx)
			if err != nil {
				return 0, err
			}
			return info.NumPending + uint64(info.NumAckPending), nil
		})
		if err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	times, last, by := make([]int, len(s.published)), map[string]int{}, map[string]int{}
	var late, split, once int
	low := 0
	for _, m := range s.marks {
		times[m.number]++
		if member, known := by[m.entity]; known && member != m.member || s.published[m.number] != m.entity {
			split++
		}
		by[m.entity] = m.member
		if m.low {
			low++
			continue // one that was refused comes later than it was
		}
		if before, known := last[m.entity]; known && m.number < before {
			late++
		}
		last[m.entity] = m.number
	}
	for _, n := range times {
		if n != 1 {
			once++
		}
	}
	var problems []string
	for _, p := range []struct {
		n    int
		what string
	}{{once, "events were not handled exactly once"}, {split, "times an entity changed its member"}, {late, "times an event came after a later one of its entity"}, {max(0, s.deepest-s.depth), "events too many were in an inbox"}} {
		if p.n > 0 {
			problems = append(problems, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	r.Phase("order", fmt.Sprintf("%d events about %d entities, handled by %d members in %d lanes each, %d of them of low priority", len(s.marks), len(by), s.members, s.options.lanes, low),
		"each event was handled once, each entity by one member and, but for low priority, in its order", problems...)
	return nil
}

// lanes shows how the entities lay in the members' lanes, and how they would have by the sum alone.
func (s *stage) lanes(r *report.Report) {
	idle := func(lane func(uint32) int) (idle int, table string) {
		var lines []string
		for member := range s.members {
			entities := make([]map[string]bool, s.options.lanes)
			for _, m := range s.marks {
				if m.member != member {
					continue
				}
				i := lane(m.sum)
				if entities[i] == nil {
					entities[i] = map[string]bool{}
				}
				entities[i][m.entity] = true
			}
			var counts []string
			for _, e := range entities {
				counts = append(counts, fmt.Sprint(len(e)))
				if len(e) == 0 {
					idle++
				}
			}
			lines = append(lines, fmt.Sprintf("member %d: %s", member, strings.Join(counts, " ")))
		}
		return idle, strings.Join(lines[:min(len(lines), 4)], "\n")
	}
	all := s.members * s.options.lanes
	none, table := idle(func(sum uint32) int { return inbox.Lane(sum, s.options.lanes) })
	plain, other := idle(func(sum uint32) int { return int(sum % uint32(s.options.lanes)) })
	var problems []string
	if none > 0 {
		problems = append(problems, fmt.Sprintf("%d of %d lanes had nothing to do", none, all))
	}
	r.Phase("lanes", fmt.Sprintf("%d, by a second pass of the finalizer over the verdict's sum", all), "every lane of every member had work", problems...)
	r.Note("entities by lane:\n" + table)
	r.Note(fmt.Sprintf("by sum mod %d, %d of %d lanes would have been idle:\n%s", s.options.lanes, plain, all, other))
}
