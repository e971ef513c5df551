// Command jetstream is a consumer on NATS JetStream, run as the members of a group.
//
// The consumer is in consumer.go: config, the durable that each member has for itself, consume, and
// drain. The rest of the program shows that it works, on a server inside the process or, with -url,
// on your server or cluster.
//
// What to know of this broker:
//
//   - A durable for each member is the broadcast. Members that share one durable compete for its
//     messages: of n members, (n-1)/n of the events are acknowledged by a member that drops them,
//     and lost. A test of this program shows it.
//   - What is dropped must be acknowledged as well. It would come again after AckWait, and once
//     MaxAckPending (1000) of them are open, the consumer is given nothing new.
//   - AckWait runs from the delivery, also while an event waits in the client, which fetches 500
//     ahead unless told otherwise. The number fetched ahead times the time of a handler must stay
//     below AckWait, or events come again while they wait, and are handled twice and out of order.
//     InProgress helps the one event in hand, and none that wait behind it: with slow handlers
//     fetch fewer, down to one.
//   - Consume ends by itself when its durable is gone: deleted, or without a member for longer than
//     its InactiveThreshold. It tells only a ConsumeErrHandler; without one the process lives on
//     and receives nothing. A durable that is made again begins where its DeliverPolicy says.
//   - The iterator Messages has room for as many messages as it fetches ahead. While its loop is
//     busy the server's heartbeats take that up, until an event is dropped in the client
//     (nats.ErrSlowConsumer) and comes again only after AckWait: take Consume, or handlers that are
//     quick.
//   - A stream with WorkQueue retention allows one consumer for a subject, and one with Interest
//     retention deletes what all have acknowledged: take Limits.
//   - Names of durables have no dots.
//   - A durable's name says whose position it is. Where size or rule may change other than by
//     docs/resize.md, they belong into it, as in the key of a commit.Checkpoint: a member that goes
//     on with the durable of another size passes over events that were not its own then. With a
//     deal or a plan members that stay keep a name of group and index.
//   - DeliverPolicy is fixed when the durable is made. DeliverAll shows a new member the whole
//     stream, with all commands of old if they are in it; DeliverNew only what comes from now on:
//     then make all durables before the first event, or its slot has a gap. Delete the durable of a
//     member that is gone for good, or give durables an InactiveThreshold, longer than any member
//     is ever away.
//   - Events are kept for a member that is away, as far as the stream's limits go.
//   - Nak, AckWait and a crash deliver an event again, after later ones of its key; so can a member
//     that ends and is back within milliseconds. Where order matters more than flow, set
//     MaxAckPending to 1, or let the handler try again by itself and call InProgress. NumDelivered
//     above 1 is the sign of it.
//   - An event that always fails comes again for ever: by Nak at once and in a hot loop, by
//     NakWithDelay in peace, until there are MaxAckPending of them. MaxDeliver, or Term by the
//     handler, gives it up, and then nobody handles it, for only this member is its owner: store or
//     report it first.
//   - An acknowledgement is not answered; DoubleAck is. One that is lost makes a repeat, and no loss.
//   - A server that was killed may have forgotten its last deliveries and acknowledgements, and the
//     counts with them: what comes again has NumDelivered 1. A cluster of which all nodes were
//     killed takes some ten seconds until it answers. Meanwhile, and while a leader is elected,
//     Consume reports ErrNoHeartbeat, and Next returns it: go on.
//   - PublishAsync allows 4000 messages without an answer (WithPublishAsyncMaxPending). Then a
//     publish waits 200 ms and fails with ErrTooManyStalledMsgs: give it a longer WithStallWait,
//     handle the error, and look at what each future says.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

const (
	// prefetch is how many events a member's client has at most, twice as many after a reconnect.
	// So a handler may take half of ackWait/prefetch, here nearly half a second. For a slower one
	// fetch fewer, or wait longer.
	prefetch = 32
	// ackWait is also how long what a killed member had fetched waits until it comes again.
	ackWait = 30 * time.Second
	// retryAfter is when an event comes again that its handler refused.
	retryAfter = time.Second
	// heartbeat is the server's sign of life while there are no events. The client asks anew when
	// two are missing. Keep it short: with few events fetched ahead the client can forget to ask
	// (nats.go 1.55 passes over a request while it sends another), and only this makes it go on.
	heartbeat = 500 * time.Millisecond
)

// config is that of a member's durable, for js.CreateOrUpdateConsumer: the first start makes it,
// and the next ones find it where it was.
func config(name string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       name,
		DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
		MaxDeliver:    -1, // never given up
	}
}

// consume gives a member the messages of its durable, one after the other. What handle refuses with
// an error comes again; it may settle a message itself, by Term or DoubleAck. failed is told, from
// any goroutine, what ends the consumer or keeps an answer from the server.
func consume(durable jetstream.Consumer, filter *slot.Filter, counter *slot.Counter, handle func(jetstream.Msg, slot.Verdict) error,
	failed func(error)) (jetstream.ConsumeContext, error) {
	answered := func(err error) {
		if err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
			failed(err)
		}
	}
	return durable.Consume(func(msg jetstream.Msg) {
		verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
			Topic: msg.Subject(), Header: cloudevent.NATS.Values(msg.Headers()), Body: msg.Data()}))
		if verdict.Admit() { // else another member has it
			if err := handle(msg, verdict); err != nil {
				answered(msg.NakWithDelay(retryAfter)) // it comes again, behind others of its key
				return
			}
		}
		answered(msg.Ack())
	}, jetstream.PullMaxMessages(prefetch), jetstream.PullHeartbeat(heartbeat), jetstream.ConsumeErrHandler(ended(durable, failed)))
}

// ended passes on what ends a consumer for good. What passes by itself it passes over, such as a
// missing heartbeat while a leader is elected, but the same is heard of a durable that was deleted
// unseen: so it asks.
func ended(durable jetstream.Consumer, failed func(error)) jetstream.ConsumeErrHandlerFunc {
	return func(consuming jetstream.ConsumeContext, err error) {
		if errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrBadRequest) || errors.Is(err, jetstream.ErrConnectionClosed) {
			failed(err)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, gone := durable.Info(ctx); errors.Is(gone, jetstream.ErrConsumerNotFound) {
			consuming.Stop()
			failed(fmt.Errorf("%w: %w", err, gone))
		}
	}
}

// drain ends a consumer: it returns when all that was fetched has been handled and the
// acknowledgements are with the server. Close the connection only then. Where up to prefetch
// handlers take too long, Stop in place of Drain leaves what is fetched to the next start, after
// ackWait.
//
// In a cluster the node that leads the durable may still think that somebody waits for what was
// asked for, and send it events that come to nobody, until ackWait. Info goes there by the way that
// the news takes, behind it.
func drain(nc *nats.Conn, durable jetstream.Consumer, consuming jetstream.ConsumeContext) error {
	consuming.Drain()
	<-consuming.Closed()
	err := nc.Flush()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = durable.Info(ctx) // who does not answer sends nothing either
	return err
}
