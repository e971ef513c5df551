package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/slot"
)

// lowType is the type of the events that may wait: a later one says the same again.
const lowType = "example.refreshed"

// retryAfter is when the broker is to deliver an event again that was refused.
const retryAfter = 20 * time.Millisecond

// A job is an own event on its way to its handler.
type job struct {
	msg     jetstream.Msg
	verdict slot.Verdict
	low     bool
}

// A consumer is one member.
type consumer struct {
	index   int
	filter  *slot.Filter
	box     *inbox.Inbox[job]
	sum     func(slot.Verdict) uint32 // by which the lane is chosen: the verdict's
	handled func(consumer *consumer, e events.Event, j job)
	refused func()
	failed  func(error)
}

// loop takes what the broker delivers until ctx ends, and then handles what is in the inbox.
func (c *consumer) loop(ctx context.Context, messages jetstream.MessagesContext) {
	defer c.box.Close()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if ctx.Err() != nil || errors.Is(err, jetstream.ErrMsgIteratorClosed) {
			return
		}
		if errors.Is(err, jetstream.ErrNoHeartbeat) {
			continue // what was asked for does not come; the iterator asks anew
		}
		if err == nil {
			err = c.take(ctx, msg)
		}
		if err != nil {
			c.failed(err)
			return
		}
	}
}

// take decides on one message, on its raw bytes, and puts into the inbox what is the member's own. It waits while that is full: then the loop
// asks the broker for no more.
func (c *consumer) take(ctx context.Context, msg jetstream.Msg) error {
	verdict := cloudevent.Decide(c.filter, msg.Subject(), msg.Data())
	if !verdict.Admit() {
		return msg.Ack()
	}
	event, err := cloudevent.Peek(msg.Data(), "type")
	if err == nil && event.Attributes["type"] == lowType {
		if c.box.Offer(c.sum(verdict), job{msg, verdict, true}) {
			return nil
		}
		c.refused()
		return msg.NakWithDelay(retryAfter)
	}
	if err := c.box.Put(ctx, c.sum(verdict), job{msg, verdict, false}); err != nil {
		return nil // the member ends; the broker delivers the event again
	}
	return nil
}

// handle does the work, here by sleeping, and acknowledges. Lanes call it at once.
func (c *consumer) handle(j job) {
	e, err := events.Parse(j.msg.Data())
	if err == nil {
		time.Sleep(rand.N(200 * time.Microsecond))
		c.handled(c, e, j)
		err = j.msg.Ack()
	}
	if err != nil {
		c.failed(err)
	}
}
