package main

import (
	"context"
	"errors"
	"sync"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:       "cloudevents",
		Summary:    "cloudevents divides a stream among clients of the CloudEvents SDK.",
		Address:    runner.Address{Flag: "url", Meaning: "the NATS server or cluster there", Example: "nats://localhost:4222", Check: natsbroker.CheckURL},
		Structured: true,
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			return open(site, &cenats.RegularSubscriber{})
		},
	}
}

type engine struct {
	broker     *natsbroker.Broker
	nc         *nats.Conn // the publisher's
	subscriber cenats.Subscriber
}

func open(site *runner.Site, subscriber cenats.Subscriber) (runner.Engine, error) {
	broker, err := natsbroker.Open(site.URL, site.Fail)
	if err != nil {
		return nil, err
	}
	nc, err := broker.Connect("publisher")
	if err != nil {
		broker.Close()
		return nil, err
	}
	return &engine{broker, nc, subscriber}, nil
}

func (e *engine) Describe() string { return e.broker.Describe(e.nc) + ", through the CloudEvents SDK" }

func (e *engine) Publish(_ context.Context, topic string, event runner.Event) error {
	return e.nc.PublishMsg(event.NATS(topic))
}

// Join starts a client for each topic: a consumer of the SDK has one subject.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	nc, err := e.broker.Connect(m.Name)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var clients sync.WaitGroup
	leave := func() error {
		defer nc.Close()
		err := drain(nc)
		stop()
		clients.Wait()
		return err
	}
	for _, topic := range m.Topics {
		inner, err := cenats.NewConsumerFromConn(nc, topic)
		if err != nil {
			return nil, errors.Join(err, leave())
		}
		subscribed := make(chan struct{})
		inner.Subscriber = teller{e.subscriber, subscribed}
		ended := make(chan struct{})
		clients.Go(func() {
			defer close(ended)
			m.Fail(consume(running, inner, m.Filter, &m.Counter, work(m, topic)))
		})
		select {
		case <-subscribed:
		case <-ended:
			return nil, errors.Join(errors.New("the client has ended"), leave())
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), leave())
		}
	}
	if err := natsbroker.Ready(ctx, e.nc, nc, "ready."+m.Name); err != nil {
		return nil, errors.Join(err, leave())
	}
	return leave, nil
}

// A teller tells when the client has subscribed, which it does at some time after it has started.
type teller struct {
	cenats.Subscriber
	subscribed chan<- struct{}
}

func (t teller) Subscribe(conn *nats.Conn, subject string, cb nats.MsgHandler) (*nats.Subscription, error) {
	sub, err := t.Subscriber.Subscribe(conn, subject, cb)
	if err == nil {
		close(t.subscribed)
	}
	return sub, err
}

// work is the handler that was there before the filter.
func work(m *runner.Member, topic string) func(event.Event) {
	kind := slot.Own
	if m.Filter.Rule().Command(topic) {
		kind = slot.Bypass
	}
	return func(e event.Event) {
		received, err := runner.Decoded(e)
		m.Handle(slot.Verdict{Kind: kind}, received, false, err)
	}
}

func (e *engine) Close() error {
	e.nc.Close()
	e.broker.Close()
	return nil
}
