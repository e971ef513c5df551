// Command cloudevents is a receiver of the CloudEvents SDK for Go, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: the SDK's client, with receiver.New around
// its protocol. The rest of the program shows that it works over NATS, on a server inside the
// process or, with -url, on your server or cluster. For the SDK's other protocols only the topic
// function differs.
//
// What to know of the SDK:
//
//   - The filter belongs around the protocol. A function in front of the handler, or a client
//     option, runs after the event was decoded.
//   - Every member needs a protocol of its own, with a subscription of its own. QueueSubscriber,
//     one consumer group, or one gochan for all share events out: of n members, (n-1)/n of the
//     events are lost. Tests of this program show it.
//   - Order needs client.WithBlockingCallback and client.WithPollGoroutines(1). By default there
//     are several poll goroutines, and a goroutine for each event. Tests show both.
//   - The protocol of Go's SDK for NATS reads every message as structured JSON. Events in binary
//     mode are malformed to it, and go to the one member that answers for those. The example nats
//     reads both.
//   - The topic is in no field that all transports share: the topic function finds it in the
//     transport's own message, so that commands are known.
//   - The protocol for JetStream acknowledges when it takes a message, not when the handler is
//     done; that for Kafka marks offsets as they are finished, past unfinished ones, unless the
//     callback blocks. Where there is no stream of its name, that for JetStream makes one with the
//     subjects STREAM.*: let the subject be STREAM.something.
//   - With NATS core nothing is kept for a member that is away.
//   - An error of the handler brings nothing back: NATS has no more of the event, JetStream has it
//     acknowledged, and Kafka's offset stays unmarked only until the mark of a later event passes
//     it. What cannot be handled the handler must try again by itself, or put aside. Over HTTP the
//     sender has the error for an answer, and may try again.
//   - When the receiver's context ends, what NATS has already given to the client is lost, and a
//     goroutine that wants to hand it on stays for ever. Drain the connection first.
package main

import (
	"context"
	"errors"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/slot"
)

// consume receives until the context ends. To lose nothing, drain the connection before.
func consume(ctx context.Context, inner *cenats.Consumer, filter *slot.Filter, counter *slot.Counter, handle func(event.Event)) error {
	filtered, err := receiver.New(inner, filter, topic, receiver.Options{Verdict: counter.Count})
	if err != nil {
		return err
	}
	c, err := client.New(filtered, client.WithBlockingCallback(), client.WithPollGoroutines(1))
	if err != nil {
		return err
	}
	err = c.StartReceiver(ctx, handle)
	if ctx.Err() != nil && (errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrBadSubscription)) {
		return nil // it was drained, and has no subscription to drain any more
	}
	return err
}

// drain ends the subscriptions of a connection, and returns when all that had come has been taken
// by the receivers. It closes the connection.
func drain(nc *nats.Conn) error {
	closed := nc.StatusChanged(nats.CLOSED)
	if err := nc.Drain(); err != nil {
		return err
	}
	<-closed
	return nil
}

func topic(m binding.Message) string {
	if m, ok := binding.UnwrapMessage(m).(*cenats.Message); ok {
		return m.Msg.Subject
	}
	return ""
}
