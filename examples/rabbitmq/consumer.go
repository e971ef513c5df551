// Command rabbitmq is a consumer on RabbitMQ, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a loop over deliveries, and one if. The
// rest of the program shows that it works, on your server; RabbitMQ does not run inside a Go
// process.
//
// What to know of this broker:
//
//   - A queue for each member, bound to the exchange of the events, is the broadcast. Members that
//     consume from one queue compete: of n members, (n-1)/n of the events are acknowledged by a
//     member that drops them, and lost. An exclusive consumer, as here, lets the broker refuse the
//     second; a test of this program shows it.
//   - What is dropped must be acknowledged as well. It stays with the member otherwise, and once
//     the prefetch limit of them are open, nothing more comes.
//   - Without Qos the broker sends all that waits, at once.
//   - The queue is durable, and neither exclusive nor auto-delete: events wait in it while its
//     member is away, as far as its limits go. It takes events from when it is bound: make all
//     queues before the first event. The queue of a member that is gone for good fills up until it
//     is deleted.
//   - Each queue has a copy of every event: storage grows with the members. A stream, one log for
//     all, does not; a member then keeps its offset by commit.Frontier.
//   - After a Nack, a kill or a lost connection an event comes again, marked as redelivered, and
//     behind those of its key that were with the member already, unless the prefetch is 1.
//   - A Nack with requeue brings the event back at once. For one that cannot be handled give a
//     quorum queue a delivery limit, and a dead-letter exchange: its only owner has given it up
//     then.
//   - After a crash the old consumer stands until the broker misses its heartbeats, and the
//     exclusive one that takes its place is refused so long: start again.
//   - CloudEvents have a binding for AMQP 1.0. Its names, "cloudEvents:subject" or
//     "cloudEvents_subject", are usual on 0.9.1 as well.
//   - A topic exchange, bound with "orders.#", keeps the routing key as the topic of the event, so
//     that commands are known.
package main

import (
	"context"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// prefetch is how many events may be with a member, not yet acknowledged.
const prefetch = 100

// declare makes the exchange and the member's queue, unless they are there, and binds the topics.
func declare(ch *amqp.Channel, exchange, queue string, topics []string) error {
	if err := ch.ExchangeDeclare(exchange, "topic", true, false, false, false, nil); err != nil {
		return err
	}
	if _, err := ch.QueueDeclare(queue, true, false, false, false, nil); err != nil {
		return err
	}
	for _, topic := range topics {
		if err := ch.QueueBind(queue, topic, exchange, false, nil); err != nil {
			return err
		}
	}
	return nil
}

// consume takes from the member's queue until ctx ends, and finishes what it was given. It returns
// earlier, with an error, when the channel ends or the queue does.
func consume(ctx context.Context, ch *amqp.Channel, queue string, filter *slot.Filter, counter *slot.Counter, handle func(amqp.Delivery, slot.Verdict) error) error {
	closed := ch.NotifyClose(make(chan *amqp.Error, 1))
	if err := ch.Qos(prefetch, 0, false); err != nil {
		return err
	}
	const exclusive = true // a second member on this queue is refused
	deliveries, err := ch.Consume(queue, queue, false, exclusive, false, false, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { ch.Cancel(queue, false) })() // deliveries ends behind what has come already
	for d := range deliveries {
		header := cloudevent.AMQP.Lookup(func(name string) (string, bool) {
			value, ok := d.Headers[name].(string)
			return value, ok
		})
		verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
			Topic: d.RoutingKey, ContentType: d.ContentType, Header: header, Body: d.Body}))
		if verdict.Admit() { // else another member has it
			if err := handle(d, verdict); err != nil {
				if err := d.Nack(false, true); err != nil {
					return err
				}
				continue
			}
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	select {
	case err := <-closed:
		if err != nil { // nil: by ourselves
			return err
		}
	default:
	}
	if ctx.Err() == nil {
		return errors.New("the queue was deleted, or the channel closed")
	}
	return nil
}
