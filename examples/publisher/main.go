package main

import (
	"context"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "publisher",
		Summary: "publisher sends each CloudEvent to a topic that only its owner reads.",
		Address: runner.Address{Flag: "url", Meaning: "the NATS server or cluster there", Example: "nats://localhost:4222", Check: natsbroker.CheckURL},
		Routed:  true,
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			return open(site, len(site.Members))
		},
	}
}

type engine struct {
	broker   *natsbroker.Broker
	nc       *nats.Conn   // the publisher's
	outsider *slot.Filter // the publisher's view of the group
	site     *runner.Site
}

// open takes the size that the publisher believes the group to have.
func open(site *runner.Site, size int) (runner.Engine, error) {
	outsider, err := slot.NewSet(site.Members[0].Filter.Member().Group(), size)
	if err != nil {
		return nil, err
	}
	broker, err := natsbroker.Open(site.URL, site.Fail)
	if err != nil {
		return nil, err
	}
	nc, err := broker.Connect("publisher")
	if err != nil {
		broker.Close()
		return nil, err
	}
	return &engine{broker, nc, slot.NewFilter(outsider), site}, nil
}

func (e *engine) Describe() string {
	return e.broker.Describe(e.nc) + ", and a publisher that routes"
}

func (e *engine) Publish(_ context.Context, topic string, event runner.Event) error {
	msg := event.NATS(topic)
	msg.Subject = route(e.outsider, cloudevent.Message{Topic: topic, Header: cloudevent.NATS.Values(msg.Header), Body: msg.Data})
	return e.nc.PublishMsg(msg)
}

func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	nc, err := e.broker.Connect(m.Name)
	if err != nil {
		return nil, err
	}
	err = consume(nc, e.site.Events, e.site.Command(), m.Filter, &m.Counter, func(msg *nats.Msg, verdict slot.Verdict) {
		received, err := runner.Read(msg.Data, func(attribute string) string { return msg.Header.Get("ce-" + attribute) })
		m.Handle(verdict, received, false, err)
	})
	if err == nil {
		err = natsbroker.Ready(ctx, e.nc, nc, "ready."+m.Name)
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return func() error {
		defer nc.Close()
		return drain(nc)
	}, nil
}

func (e *engine) Close() error {
	e.nc.Close()
	e.broker.Close()
	return nil
}
