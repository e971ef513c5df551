// Command cloudevents is a receiver of the CloudEvents SDK for Go, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: the SDK's client, with receiver.New around its protocol. The rest of the program
// shows that it works over NATS, on a server inside the process or, with -url, on your server or cluster. For the SDK's other protocols only
// the topic function differs.
//
// What to know of the SDK:
//
//   - The filter belongs around the protocol. A function in front of the handler, or a client option, runs after the event was decoded.
//   - Every member needs a protocol of its own, with a subscription of its own. QueueSubscriber, one consumer group, or one gochan for all
//     share events out: of n members, (n-1)/n of the events are lost. A test of this program shows it.
//   - Order needs client.WithBlockingCallback and client.WithPollGoroutines(1). By default there are several poll goroutines, and a
//     goroutine for each event.
//   - The protocol of Go's SDK for NATS reads every message as structured JSON. Events in binary mode are malformed to it, and go to the
//     one member that answers for those. The example nats reads both.
//   - The topic is in no field that all transports share: the topic function finds it in the transport's own message, so that commands are known.
//   - The protocol for JetStream acknowledges when it takes a message, not when the handler is done; that for Kafka marks offsets as
//     they are finished, past unfinished ones, unless the callback blocks.
//   - With NATS core nothing is kept for a member that is away.
package main

import (
	"context"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/slot"
)

// consume receives until the context ends.
func consume(ctx context.Context, inner *cenats.Consumer, filter *slot.Filter, counter *slot.Counter, handle func(event.Event)) error {
	filtered, err := receiver.New(inner, filter, topic, receiver.Options{Verdict: counter.Count})
	if err != nil {
		return err
	}
	c, err := client.New(filtered, client.WithBlockingCallback(), client.WithPollGoroutines(1))
	if err != nil {
		return err
	}
	return c.StartReceiver(ctx, handle)
}

func topic(m binding.Message) string {
	if m, ok := binding.UnwrapMessage(m).(*cenats.Message); ok {
		return m.Msg.Subject
	}
	return ""
}
