// Command watermill is a router of Watermill, run as the members of a group.
//
// The consumer is the function divide, in consumer.go: a middleware. The rest of the program shows that it works, on Watermill's
// GoChannel inside the process or, with -url, on your NATS server or cluster. For Watermill's other brokers the middleware is the same;
// their own traps are told in the examples for those brokers.
//
// What to know of Watermill:
//
//   - Add the filter before all other middleware, so that nothing else is spent on what is dropped: no retry, no tracing, no timeout.
//   - A middleware that returns nil, nil acknowledges the message. An error, even one that says "not mine", is a Nack, and the message comes
//     again, at once and for ever where the broker has no delay.
//   - The middleware is at home behind a subscriber that broadcasts. A QueueGroupPrefix of watermill-nats, one ConsumerGroup of watermill-kafka or
//     watermill-redisstream for all members, and a queue of watermill-amqp that members share (NewDurableQueueConfig; take
//     NewDurablePubSubConfig) share messages out: of n members, (n-1)/n of the events are lost. A test of this program shows it.
//   - The router starts a goroutine for each message. Order is kept only where the subscriber waits for the Ack before it gives out the next, as most
//     do; SubscribersCount above 1 breaks it, and GoChannel does unless it has BlockPublishUntilSubscriberAck.
//   - Metadata are the headers of the broker: "ce-subject" behind NATS, HTTP and Google Pub/Sub, "ce_subject" behind Kafka, none
//     behind Redis. Name that transport in the middleware. watermill-nats gives up on a message that has a header twice.
//   - The topic of the message is in its context. Under a wildcard it is the pattern, so let commands have a handler of their own.
//   - What is kept for a member that is away is the broker's affair: nothing with GoChannel, and with NATS core.
package main

import (
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// divide is a middleware that acknowledges what another member has.
func divide(filter *slot.Filter, counter *slot.Counter) message.HandlerMiddleware {
	return func(next message.HandlerFunc) message.HandlerFunc {
		return func(msg *message.Message) ([]*message.Message, error) {
			verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
				Topic: message.SubscribeTopicFromCtx(msg.Context()), Header: cloudevent.NATS.Map(msg.Metadata), Body: msg.Payload}))
			if !verdict.Admit() {
				return nil, nil
			}
			return next(msg)
		}
	}
}
