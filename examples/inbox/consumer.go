package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/slot"
)

const (
	// lowType is the type of the events that may wait: a later one says the same again.
	lowType = "example.refreshed"
	// pull is how many messages a member's client has fetched ahead at most, twice as many after a reconnect.
	pull = 32
	// heartbeat is the server's sign of life while there are no events. The client asks anew when
	// two are missing. Keep it short: with few events fetched ahead the client can forget to ask
	// (nats.go 1.55 passes over a request while it sends another), and only this makes it go on.
	heartbeat = 500 * time.Millisecond
	// refusedAfter and failedAfter say when the broker is to deliver an event again that the inbox
	// refused, and one whose handler failed.
	refusedAfter = 20 * time.Millisecond
	failedAfter  = time.Second
)

// config is that of a member's durable, for an inbox of that depth and handlers of which the slowest takes so long.
//
// AckWait runs from the delivery. An event waits in the client and in the inbox, at worst behind
// all others in one lane, and if AckWait ends before it is handled, it comes again, is handled
// twice, and out of order. InProgress by its handler would come too late. The price is that what a
// killed member had comes again only after AckWait: make the inbox no deeper than its lanes need.
//
// MaxAckPending counts what is in the inbox, what waits in front of it, and what was refused. The
// default of 1000 would never fill a large inbox.
func config(name string, depth int, slowest time.Duration) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       name,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       time.Duration(depth+2*pull) * slowest,
		MaxAckPending: 3 * (depth + pull),
	}
}

// A job is an own event on its way to its handler.
type job struct {
	msg     jetstream.Msg
	verdict slot.Verdict
	low     bool
}

// A consumer is one member.
type consumer struct {
	filter  *slot.Filter
	counter *slot.Counter
	box     *inbox.Inbox[job]         // hands jobs to handle
	sum     func(slot.Verdict) uint32 // by which the lane is chosen: the verdict's
	work    func(job) error           // called by all lanes at once
	refused func()
	failed  func(error)
}

// run takes what the broker delivers until ctx ends. Then it still takes what the client has
// fetched, and returns when all is handled, so that none of it waits for AckWait. Flush the
// connection after it, and close it.
//
// It is no loop around the iterator Messages: that has room for as many messages as it pulls, and
// while a full inbox stops the loop, the server's heartbeats take it up, until an event is dropped,
// which comes again only after AckWait.
func (c *consumer) run(ctx context.Context, durable jetstream.Consumer) {
	defer c.box.Close()
	consuming, err := durable.Consume(func(msg jetstream.Msg) {
		if err := c.take(context.WithoutCancel(ctx), msg); err != nil {
			c.failed(err)
		}
	}, jetstream.PullMaxMessages(pull), jetstream.PullHeartbeat(heartbeat), jetstream.ConsumeErrHandler(c.ended(durable)))
	if err != nil {
		c.failed(err)
		return
	}
	select {
	case <-ctx.Done():
		consuming.Drain()
		<-consuming.Closed()
	case <-consuming.Closed(): // c.ended has told why
	}
}

// ended passes on what ends a consumer for good. What passes by itself it passes over, such as a
// missing heartbeat while a leader is elected, but the same is heard of a durable that was deleted
// unseen: so it asks.
func (c *consumer) ended(durable jetstream.Consumer) jetstream.ConsumeErrHandlerFunc {
	return func(consuming jetstream.ConsumeContext, err error) {
		if errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrBadRequest) || errors.Is(err, jetstream.ErrConnectionClosed) {
			c.failed(err)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, gone := durable.Info(ctx); errors.Is(gone, jetstream.ErrConsumerNotFound) {
			consuming.Stop()
			c.failed(fmt.Errorf("%w: %w", err, gone))
		}
	}
}

// take decides on one message, on its raw bytes, and puts into the inbox what is the member's own.
// It waits while that is full: then the client asks the broker for no more.
func (c *consumer) take(ctx context.Context, msg jetstream.Msg) error {
	verdict := c.counter.Count(cloudevent.Decide(c.filter, msg.Subject(), msg.Data())) // all in structured mode
	if !verdict.Admit() {
		return msg.Ack()
	}
	event, err := cloudevent.Peek(msg.Data(), "type")
	if err == nil && event.Attributes["type"] == lowType {
		if c.box.Offer(c.sum(verdict), job{msg, verdict, true}) {
			return nil
		}
		c.refused()
		return msg.NakWithDelay(refusedAfter)
	}
	return c.box.Put(ctx, c.sum(verdict), job{msg, verdict, false})
}

// handle works, and acknowledges. Lanes call it at once. What fails comes again, behind later events of its key.
func (c *consumer) handle(j job) {
	answer := j.msg.Ack
	if err := c.work(j); err != nil {
		answer = func() error { return j.msg.NakWithDelay(failedAfter) }
	}
	if err := answer(); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) { // a handler may settle it itself, by Term or DoubleAck
		c.failed(err)
	}
}
