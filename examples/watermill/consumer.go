// Command watermill is a router of Watermill, run as the members of a group.
//
// The consumer is in consumer.go: divide is a middleware, consume puts it in front of a router's
// handlers, and subscription is a subscriber that is given everything. The rest of the program
// shows that it works, on Watermill's GoChannel inside the process or, with -url, on your NATS
// server or cluster. For Watermill's other brokers the middleware is the same; their own traps are
// told in the examples for those brokers.
//
// What to know of Watermill:
//
//   - Add the filter before all other middleware, so that nothing else is spent on what is dropped:
//     no retry, no tracing, no timeout.
//   - Handlers that publish nothing are added by AddConsumerHandler; AddNoPublisherHandler is its old name.
//   - A middleware that returns nil, nil acknowledges the message. An error, even one that says
//     "not mine", is a Nack. What that means is the broker's affair: GoChannel gives the message
//     again at once, and for ever; JetStream gives it again after NakDelay, at once if there is
//     none. Behind NATS core, which -url uses here, nobody has it any more: the event is lost.
//     Tests of this program show it.
//   - An event that cannot be handled: behind NATS core try again in the handler (middleware.Retry,
//     after the filter). In the end put it aside by middleware.PoisonQueue, which publishes it to a
//     topic of yours and acknowledges it.
//   - The middleware is at home behind a subscriber that broadcasts. A QueueGroupPrefix of
//     watermill-nats, one ConsumerGroup of watermill-kafka or watermill-redisstream for all
//     members, and a queue of watermill-amqp that members share (NewDurableQueueConfig; take
//     NewDurablePubSubConfig) share messages out: of n members, (n-1)/n of the events are lost. A
//     test of this program shows it.
//   - The router starts a goroutine for each message. Order is kept only where the subscriber waits
//     for the Ack before it gives out the next, as most do; SubscribersCount above 1 breaks it, and
//     GoChannel does unless it has BlockPublishUntilSubscriberAck.
//   - watermill-nats waits no longer than AckWaitTimeout, 30 seconds unless it is set. Then the
//     handler's context ends, and the next message is handled although the last one still is: order
//     is lost. Make it longer than any handler takes.
//   - Metadata are the headers of the broker: "ce-subject" behind NATS, HTTP and Google Pub/Sub,
//     "ce_subject" behind Kafka, none behind Redis. Name that transport in the middleware.
//     watermill-nats gives up on a message that has a header twice.
//   - The topic of the message is in its context. Under a wildcard it is the pattern, so let
//     commands have a handler of their own.
//   - What is kept for a member that is away is the broker's affair: nothing with GoChannel, and with NATS core.
package main

import (
	"time"

	wnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// closeTimeout is how long a router or a subscriber waits for handlers when it is closed.
const closeTimeout = 10 * time.Second

// subscription is that of a member on NATS core: without a queue group, and with one message after
// the other, however long it takes.
func subscription() wnats.SubscriberSubscriptionConfig {
	return wnats.SubscriberSubscriptionConfig{
		Unmarshaler: &wnats.NATSMarshaler{}, SubjectCalculator: wnats.DefaultSubjectCalculator, JetStream: wnats.JetStreamConfig{Disabled: true},
		SubscribersCount: 1, AckWaitTimeout: 24 * time.Hour, CloseTimeout: closeTimeout,
	}
}

// consume adds a member's handler to the member's own router, which has no middleware yet, once for each topic.
func consume(router *message.Router, subscriber message.Subscriber, member string, topics []string,
	filter *slot.Filter, counter *slot.Counter, handle message.NoPublishHandlerFunc) {
	router.AddMiddleware(divide(filter, counter))
	for _, topic := range topics {
		router.AddConsumerHandler(member+" "+topic, topic, subscriber, handle)
	}
}

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
