package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "watermill",
		Summary: "watermill divides a stream of CloudEvents among routers of Watermill.",
		Address: runner.Address{Flag: "url", Meaning: "the NATS server or cluster there", Example: "nats://localhost:4222", Check: natsbroker.CheckURL},
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			return open(site, "")
		},
	}
}

// A pubSub is a broker as Watermill sees it.
type pubSub interface {
	describe() string
	publisher() message.Publisher
	// join returns the member's own subscriber. ready is called when it has subscribed, and leave
	// when its router has ended.
	join(m *runner.Member) (sub message.Subscriber, ready func(context.Context) error, leave func() error, err error)
	close() error
}

type engine struct{ pubSub }

// open takes the queue group that all subscribers of NATS share: none, but in a test.
func open(site *runner.Site, queue string) (runner.Engine, error) {
	if site.URL == "" {
		return &engine{newChannel()}, nil
	}
	broker, err := newNATS(site, queue)
	if err != nil {
		return nil, err
	}
	return &engine{broker}, nil
}

func (e *engine) Describe() string { return e.describe() }

func (e *engine) Publish(_ context.Context, topic string, event runner.Event) error {
	msg := message.NewMessage(strconv.FormatUint(event.Seq, 10), event.Body)
	if event.ContentType != "" {
		msg.Metadata.Set("content-type", event.ContentType)
	}
	for name, value := range event.Attributes {
		msg.Metadata.Set("ce-"+name, value)
	}
	return e.publisher().Publish(topic, msg)
}

// Join runs a router for the member, with its filter in front of the handler.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: closeTimeout}, watermill.NopLogger{})
	if err != nil {
		return nil, err
	}
	subscriber, ready, leave, err := e.join(m)
	if err != nil {
		return nil, err
	}
	consume(router, subscriber, m.Name, m.Topics, m.Filter, &m.Counter, handler(m))
	var running sync.WaitGroup
	running.Go(func() { m.Fail(router.Run(context.WithoutCancel(ctx))) })
	stop := func() error {
		err := router.Close() // handlers finish first
		running.Wait()
		if err == nil {
			err = leave()
		}
		return err
	}
	select {
	case <-router.Running():
		err = ready(ctx)
	case <-ctx.Done():
		err = fmt.Errorf("the router does not run: %w", ctx.Err())
	}
	if err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// handler is what was there before the filter.
func handler(m *runner.Member) message.NoPublishHandlerFunc {
	return func(msg *message.Message) error {
		kind := slot.Own
		if m.Filter.Rule().Command(message.SubscribeTopicFromCtx(msg.Context())) {
			kind = slot.Bypass
		}
		received, err := runner.Read(msg.Payload, func(attribute string) string { return msg.Metadata.Get("ce-" + attribute) })
		m.Handle(slot.Verdict{Kind: kind}, received, false, err)
		return nil
	}
}

func (e *engine) Close() error { return e.close() }
