// Command nats is a consumer on NATS core subscriptions, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a subscription as it was, and one if. The
// rest of the program shows that it works, on a NATS server inside the process or, with -url, on
// your server or cluster.
//
// What to know of this broker:
//
//   - Subscribe is the broadcast. With QueueSubscribe each event reaches one member of the queue,
//     whoever that is, and that one most often drops it: of n members, (n-1)/n of the events are
//     lost. A test of this program shows it. The queue group of a "responder" or of a micro service
//     is the same.
//   - There is nothing to acknowledge: an event that is dropped is only not looked at. And there is
//     nothing to refuse: an event that cannot be handled is gone when the callback returns. Try
//     again within it, while all others wait, or put the event aside.
//   - NATS core keeps nothing. What is published while a member is away, or while its connection is
//     down, is lost for its slots; and a consumer that is too slow loses messages as well, which
//     the client reports to the error handler as nats.ErrSlowConsumer. Where that matters use
//     JetStream: see the example jetstream.
//   - A subscription runs its callback for one message after the other, so order is kept. Two
//     subscriptions have no order between them.
//   - Commands need a subscription of their own, in every member. Their subjects are
//     wrk.<type>.command.<id>, so a subscription to "orders.>" is never shown one: subscribe to
//     "wrk.<type>.command.*" as well, through the same consume. The filter lets every member have
//     them.
//   - Under a wildcard such as "orders.>" the topic of an event is the subject of its message.
//   - To leave, drain: Unsubscribe and Close throw away what has come and waits for the callback.
//     Drain waits for nats.DrainTimeout at most, 30 seconds if not set.
package main

import (
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// consume subscribes a member to a subject: the stream, or the commands.
func consume(nc *nats.Conn, topic string, filter *slot.Filter, counter *slot.Counter,
	handle func(*nats.Msg, slot.Verdict)) (*nats.Subscription, error) {
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

// drain ends the subscriptions of a connection, and closes it. It returns when the callbacks of all
// that had come have ended.
func drain(nc *nats.Conn) error {
	closed := nc.StatusChanged(nats.CLOSED)
	if err := nc.Drain(); err != nil {
		return err
	}
	<-closed
	return nil
}
