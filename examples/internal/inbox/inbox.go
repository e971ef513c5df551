// Package inbox is the place behind the filter: a member's bounded queue, from which several
// handlers take events at once without ever changing the order of one key.
//
//	box, err := inbox.New(inbox.Config{Lanes: 4, Depth: 64, Low: 48}, handle)
//	…
//	if verdict := cloudevent.Decide(filter, topic, body); !verdict.Admit() {
//		ack()
//	} else if err := box.Put(ctx, verdict.Sum, event); err != nil {
//		return err // ctx ended
//	}
//
// It is made to be copied, and yours from then on: inbox.go and lane.go, with nothing but the
// standard library. What it promises:
//
//   - First in, first out for each key. Events of one sum go to one lane, and a lane handles one
//     after the other. Between lanes there is no order. Events without a key share a lane, and so
//     do commands.
//   - Back-pressure. Put waits while Depth events are in the inbox, so whoever reads from the
//     broker stops as well, and nothing piles up in the process. One slow lane can fill the inbox
//     and so stop all: that is the price of a bound.
//   - Refusal. Offer never waits, and says no from Low events on. An event that is given back to
//     the broker leaves its place in the order: offer only what may be late.
//   - Lanes by a second pass of the finalizer over the verdict's sum, [Lane], so that no key is
//     hashed again and every lane of every member has its share. The sum modulo lanes would not do:
//     its remainder has chosen the member already, so that of four lanes of a member of four three
//     would be idle.
//   - An event counts until its handler returns. It is to acknowledge there: then no event that the
//     inbox has is lost with the process. Where the broker delivers again what is not acknowledged
//     in time, that time must be longer than Depth events take in one lane, with what the client
//     has fetched ahead: examples/inbox shows how.
//
// It does not retry, and handles no panic: a handler that fails gives its event back, or reports it, by itself.
package inbox

import (
	"context"
	"fmt"
	"sync"
)

// Limits of a Config.
const (
	MaxLanes = 1024
	MaxDepth = 1 << 20
)

// A Config is the size of an Inbox.
type Config struct {
	// Lanes is how many handlers run at once, 1 to MaxLanes.
	Lanes int
	// Depth is how many events are in the inbox at most, those in their handlers included; Lanes to MaxDepth.
	Depth int
	// Low is the number of events in the inbox from which on it refuses those of low priority, 1 to
	// Depth; 0 stands for Depth.
	Low int
}

// An Inbox hands events to handlers: those of one sum to one handler, in the order in which they
// came. New makes one. Put, Offer and Close are for one goroutine, the consumer's loop; Len is for
// any.
type Inbox[T any] struct {
	room  chan struct{} // holds a token for each event that is in the inbox
	lanes []chan T      // each has room for all, so that who has a token never waits
	low   int
	done  sync.WaitGroup
}

// New returns an Inbox and starts its handlers. handle is called by all lanes at once. An event
// counts as in the inbox until handle returns, so acknowledge there: then the broker never has more
// events out than Depth and what its client fetches ahead.
func New[T any](c Config, handle func(T)) (*Inbox[T], error) {
	for _, limit := range []struct {
		name             string
		value, low, high int
	}{{"lanes", c.Lanes, 1, MaxLanes}, {"depth", c.Depth, c.Lanes, MaxDepth}, {"low", c.Low, 0, c.Depth}} {
		if limit.value < limit.low || limit.value > limit.high {
			return nil, fmt.Errorf("inbox: %s %d is not from %d to %d", limit.name, limit.value, limit.low, limit.high)
		}
	}
	b := &Inbox[T]{room: make(chan struct{}, c.Depth), low: c.Low}
	if c.Low == 0 {
		b.low = c.Depth
	}
	for range c.Lanes {
		lane := make(chan T, c.Depth)
		b.lanes = append(b.lanes, lane)
		b.done.Go(func() {
			for event := range lane {
				handle(event)
				<-b.room
			}
		})
	}
	return b, nil
}

// Put adds an event. While the inbox is full it waits, and so does the consumer's loop: the broker
// keeps what comes next. It fails only when ctx ends, with the cause; then the event was not added.
func (b *Inbox[T]) Put(ctx context.Context, sum uint32, event T) error {
	select {
	case b.room <- struct{}{}:
		b.lanes[Lane(sum, len(b.lanes))] <- event
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Offer adds an event of low priority, unless as many events as Config.Low are there already: it
// never waits. What becomes of an event that was refused is for the caller to say: it may be given
// back to the broker for later, or dropped for good. Given back, it is out of order.
func (b *Inbox[T]) Offer(sum uint32, event T) bool {
	if len(b.room) >= b.low {
		return false
	}
	b.room <- struct{}{} // only handlers change the number meanwhile, and they make room
	b.lanes[Lane(sum, len(b.lanes))] <- event
	return true
}

// Len returns how many events are in the inbox.
func (b *Inbox[T]) Len() int { return len(b.room) }

// Close returns when all events that were put have been handled. Nothing may be put afterwards.
func (b *Inbox[T]) Close() {
	for _, lane := range b.lanes {
		close(lane)
	}
	b.done.Wait()
}
