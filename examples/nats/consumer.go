// Command nats is a consumer on NATS core subscriptions, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a subscription as it was, and one if. The rest of the program shows
// that it works, on a NATS server inside the process or, with -url, on your server or cluster.
//
// What to know of this broker:
//
//   - Subscribe is the broadcast. With QueueSubscribe each event reaches one member of the queue, whoever that is, and it drops it
//     two times in three: of n members, (n-1)/n of the events are lost. A test of this program shows it. The queue group of a
//     "responder" or of a micro service is the same.
//   - There is nothing to acknowledge: an event that is dropped is only not looked at.
//   - NATS core keeps nothing. What is published while a member is away, or while its connection is down, is lost for its slots; and a
//     consumer that is too slow loses messages as well, which the client reports to the error handler as nats.ErrSlowConsumer.
//     Where that matters use JetStream: see the example jetstream.
//   - A subscription runs its callback for one message after the other, so order is kept. Two subscriptions have no order between
//     them.
//   - Under a wildcard such as "orders.>" the topic of an event is the subject of its message. Commands come by a subscription of their
//     own, such as "wrk.<type>.command.*", and every member takes them.
package main

import (
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// consume subscribes a member.
func consume(nc *nats.Conn, topic string, filter *slot.Filter, counter *slot.Counter, handle func(*nats.Msg, slot.Verdict)) (*nats.Subscription, error) {
	return nc.Subscribe(topic, divide(filter, counter, handle))
}

// divide puts the filter in front of a handler. Events of other members are dropped before they are decoded.
func divide(filter *slot.Filter, counter *slot.Counter, handle func(*nats.Msg, slot.Verdict)) nats.MsgHandler {
	return func(msg *nats.Msg) {
		verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
			Topic: msg.Subject, Header: cloudevent.NATS.Values(msg.Header), Body: msg.Data}))
		if !verdict.Admit() {
			return // another member has it
		}
		handle(msg, verdict)
	}
}
