package main

import (
	"context"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "nats",
		Summary: "nats divides a stream of CloudEvents among NATS core subscriptions.",
		Address: runner.Address{Flag: "url", Meaning: "the NATS server or cluster there", Example: "nats://localhost:4222", Check: natsbroker.CheckURL},
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			return open(site, consume)
		},
	}
}

type consumer func(*nats.Conn, string, *slot.Filter, *slot.Counter, func(*nats.Msg, slot.Verdict)) (*nats.Subscription, error)

type engine struct {
	broker  *natsbroker.Broker
	nc      *nats.Conn // the publisher's
	consume consumer
}

func open(site *runner.Site, consume consumer) (runner.Engine, error) {
	broker, err := natsbroker.Open(site.URL, site.Fail)
	if err != nil {
		return nil, err
	}
	nc, err := broker.Connect("publisher")
	if err != nil {
		broker.Close()
		return nil, err
	}
	return &engine{broker, nc, consume}, nil
}

func (e *engine) Describe() string { return e.broker.Describe(e.nc) }

func (e *engine) Publish(_ context.Context, topic string, event runner.Event) error {
	return e.nc.PublishMsg(event.NATS(topic))
}

func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	nc, err := e.broker.Connect(m.Name)
	if err != nil {
		return nil, err
	}
	if err := e.subscribe(ctx, nc, m); err != nil {
		nc.Close()
		return nil, err
	}
	return func() error {
		defer nc.Close()
		return drain(nc)
	}, nil
}

func (e *engine) subscribe(ctx context.Context, nc *nats.Conn, m *runner.Member) error {
	for _, topic := range m.Topics {
		if _, err := e.consume(nc, topic, m.Filter, &m.Counter, func(msg *nats.Msg, verdict slot.Verdict) {
			received, err := runner.Read(msg.Data, func(attribute string) string { return msg.Header.Get("ce-" + attribute) })
			m.Handle(verdict, received, false, err)
		}); err != nil {
			return err
		}
	}
	return natsbroker.Ready(ctx, e.nc, nc, "ready."+m.Name)
}

func (e *engine) Close() error {
	e.nc.Close()
	e.broker.Close()
	return nil
}
