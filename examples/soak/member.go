package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
)

// announceEvery is how often a member announces itself.
const announceEvery = 250 * time.Millisecond

// A memberConfig is what a member's process is told.
type memberConfig struct {
	Engine      string        `json:"engine"`
	Addresses   []string      `json:"addresses"`
	Name        string        `json:"name"`
	Member      slot.Member   `json:"member"`
	Cursor      string        `json:"cursor"`
	Incarnation string        `json:"incarnation"` // random: tells the process from those before it
	Evidence    string        `json:"evidence"`    // the folder
	Work        time.Duration `json:"work"`        // the longest time that a handler takes
	Spoil       spoil         `json:"spoil"`
}

// cursorOf is the name of a member's cursor: that of its checkpoint, so that no member of another
// size or rule goes on from it.
func cursorOf(m slot.Member) (string, error) {
	return commit.Checkpoint{Member: m, Log: eventTopic}.Key()
}

// A member is a consumer: a process that reads the whole log and handles its own events.
type member struct {
	memberConfig
	filter   *slot.Filter
	client   client
	evidence *evidence
	slow     atomic.Int64 // how much longer handlers take, in nanoseconds
	failed   context.CancelCauseFunc
}

// run is the whole of a member's process. It ends when ctx does: then it handles what is in its
// inbox, acknowledges it, and returns.
func (c *memberConfig) run(ctx context.Context, lines <-chan string) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	m := &member{memberConfig: *c, filter: slot.NewFilter(c.Member), failed: fail}
	var err error
	if m.evidence, err = newEvidence(c.Evidence, c.Incarnation); err != nil {
		return err
	}
	if m.client, err = connect(c.Engine, c.Addresses, c.Name, 0); err != nil {
		return err
	}
	defer m.client.close()
	m.slow.Store(int64(c.Spoil.Work) * int64(time.Millisecond))
	go m.obey(ctx, lines)
	go m.announce(ctx)
	// Own events wait in an inbox whose handlers run at once; when it is full, the broker waits.
	box, err := inbox.New(inbox.Config{Lanes: 4, Depth: 32}, m.handle)
	if err != nil {
		return err
	}
	err = m.client.consume(ctx, c.Cursor, func(d delivery) error { return m.take(ctx, box, d) }, box.Close)
	if cause := context.Cause(ctx); err == nil && cause != context.Canceled {
		err = cause
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return nil
}

// A job is an own event on its way to the handler.
type job struct {
	delivery
	event events.Event
}

// take decides on one event, on its raw bytes. These are the lines that a consumer adds.
func (m *member) take(ctx context.Context, box *inbox.Inbox[job], d delivery) error {
	verdict := cloudevent.Decide(m.filter, d.topic, d.body)
	if m.Spoil.Hold && !verdict.Admit() {
		return nil
	}
	fresh, err := d.begin(verdict.Admit())
	if !fresh || err != nil {
		return err
	}
	e, err := events.Parse(d.body)
	if err != nil {
		return err
	}
	if m.Spoil.EarlyAck {
		if err := d.done(); err != nil {
			return err
		}
	}
	if err := box.Put(ctx, verdict.Sum, job{d, e}); err != nil {
		return nil // the process ends; the event was not acknowledged
	}
	return nil
}

// handle does the work, here by sleeping, leaves its evidence, and acknowledges.
func (m *member) handle(j job) {
	work := time.Duration(m.slow.Load())
	if m.Work > 0 {
		work += rand.N(m.Work)
	}
	time.Sleep(work)
	number, err := strconv.ParseUint(strings.TrimPrefix(j.event.ID, "event-"), 10, 64)
	if err == nil {
		r := j.record
		if m.Spoil.Mute {
			r = record{place: r.place}
		}
		r.Number, r.Entity = number, j.event.Key()
		err = m.evidence.add(r)
	}
	if err == nil && !m.Spoil.EarlyAck {
		err = j.done()
	}
	if err != nil {
		m.failed(err)
	}
}

// obey takes orders: "slow 30ms" makes each handler take so much longer.
func (m *member) obey(ctx context.Context, lines <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case line := <-lines:
			slow, err := time.ParseDuration(strings.TrimPrefix(line, "slow "))
			if err != nil {
				m.failed(fmt.Errorf("%q is not an order", line))
			}
			m.slow.Store(int64(slow))
		}
	}
}

// announce tells the fleet that the member is there, until it ends.
func (m *member) announce(ctx context.Context) {
	w := fleet.Worker{Name: m.Name, Filter: m.filter, Topics: []string{eventTopic}}
	started := time.Now()
	for {
		body, err := w.Announce(m.Incarnation, started, time.Now()).CloudEvent()
		if err != nil {
			m.failed(err)
			return
		}
		m.client.announce(body)
		select {
		case <-ctx.Done():
			return
		case <-time.After(announceEvery):
		}
	}
}
