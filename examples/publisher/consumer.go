package main

import (
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// consume subscribes a member to the partition topics of its slots, and to commands. The counter's
// Foreign stays 0 as long as publishers and members agree.
func consume(nc *nats.Conn, base, command string, filter *slot.Filter, counter *slot.Counter, handle func(*nats.Msg, slot.Verdict)) error {
	topics := []string{command}
	for _, s := range filter.Member().Slots() {
		topics = append(topics, routing.PartitionTopic(base, s))
	}
	for _, topic := range topics {
		if _, err := nc.Subscribe(topic, func(msg *nats.Msg) {
			verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
				Topic: msg.Subject, Header: cloudevent.NATS.Values(msg.Header), Body: msg.Data}))
			if verdict.Admit() {
				handle(msg, verdict)
			}
		}); err != nil {
			return err
		}
	}
	return nil
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
