package main

import (
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// consume subscribes a member to the partition topics of its slots, and to commands. In place of m a consumer of yours has its filter,
// slot.NewFilter(member), and a slot.Counter, whose Foreign stays 0 as long as publishers and members agree.
func consume(nc *nats.Conn, base, command string, m *runner.Member, handle func(*nats.Msg, slot.Verdict)) error {
	topics := []string{command}
	for _, s := range m.Filter.Member().Slots() {
		topics = append(topics, routing.PartitionTopic(base, s))
	}
	for _, topic := range topics {
		if _, err := nc.Subscribe(topic, func(msg *nats.Msg) {
			verdict := m.Count(cloudevent.DecideMessage(m.Filter, cloudevent.Message{
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
