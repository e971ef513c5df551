// Command jetstream is a consumer on NATS JetStream, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a durable pull consumer with explicit acknowledgement, one for each member. The
// rest of the program shows that it works, on a server inside the process or, with -url, on your server or cluster.
//
// What to know of this broker:
//
//   - A durable for each member is the broadcast. Members that share one durable compete for its messages: of n
//     members, (n-1)/n of the events are acknowledged by a member that drops them, and lost. A test of this program shows it.
//   - What is dropped must be acknowledged as well. It would come again after AckWait, and once MaxAckPending (1000) of them
//     are open, the consumer is given nothing more.
//   - A stream with WorkQueue retention allows one consumer for a subject, and one with Interest retention deletes what all have acknowledged: take
//     Limits.
//   - Names of durables have no dots.
//   - DeliverPolicy is fixed when the durable is made. DeliverAll shows a new member the whole stream, DeliverNew only what comes
//     from now on: then make all durables before the first event, or its slot has a gap. A durable of a member that is gone for good
//     is to be deleted, unless it has an InactiveThreshold.
//   - Events are kept for a member that is away, as far as the stream's limits go.
//   - Nak, AckWait and a crash deliver an event again, after later ones of its key. Where order matters more than flow, set MaxAckPending to 1, or let
//     the handler try again by itself and call InProgress. NumDelivered above 1 is the sign of it.
//   - An acknowledgement is not answered; DoubleAck is. One that is lost makes a repeat, and no loss.
//   - PublishAsync without a limit outruns the server: give it WithPublishAsyncMaxPending, and its stall wait.
package main

import (
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

// consume gives a member the messages of its durable. In place of m a consumer of yours has its filter, slot.NewFilter(member), and
// a slot.Counter.
func consume(durable jetstream.Consumer, m *runner.Member, handle func(jetstream.Msg, slot.Verdict) error) (jetstream.ConsumeContext, error) {
	return durable.Consume(func(msg jetstream.Msg) {
		verdict := m.Counter.Count(cloudevent.DecideMessage(m.Filter, cloudevent.Message{
			Topic: msg.Subject(), Header: cloudevent.NATS.Values(msg.Headers()), Body: msg.Data()}))
		if verdict.Admit() { // else another member has it
			if err := handle(msg, verdict); err != nil {
				m.Fail(msg.Nak()) // it comes again, behind others of its key
				return
			}
		}
		m.Fail(msg.Ack())
	})
}
