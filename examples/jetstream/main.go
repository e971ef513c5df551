package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "jetstream",
		Summary: "jetstream divides a stream of CloudEvents among durable consumers.",
		Address: runner.Address{Flag: "url", Meaning: "the NATS server or cluster there", Example: "nats://localhost:4222", Check: natsbroker.CheckURL},
		Keeps:   true,
		Open: func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
			return open(ctx, site, func(m *runner.Member) string { return m.Name })
		},
	}
}

type engine struct {
	broker  *natsbroker.Broker
	nc      *nats.Conn // the publisher's
	js      jetstream.JetStream
	site    *runner.Site
	durable func(*runner.Member) string
}

// reconnect lets a connection outlive a restart of its server: JetStream keeps what it missed.
func reconnect(o *nats.Options) error {
	o.AllowReconnect, o.MaxReconnect = true, 60
	return nil
}

func open(ctx context.Context, site *runner.Site, durable func(*runner.Member) string) (runner.Engine, error) {
	broker, err := natsbroker.OpenJetStream(site.URL, site.Fail)
	if err != nil {
		return nil, err
	}
	e := &engine{broker: broker, site: site, durable: durable}
	if err := e.start(ctx); err != nil {
		e.nc.Close()
		broker.Close()
		return nil, err
	}
	return e, nil
}

// start makes the stream. The subjects of commands are in it, so that they wait for a member as other events do.
func (e *engine) start(ctx context.Context) (err error) {
	if e.nc, err = e.broker.Connect("publisher", reconnect); err != nil {
		return err
	}
	if e.js, err = jetstream.New(e.nc); err != nil {
		return err
	}
	err = untilAnswered(ctx, func(ctx context.Context) error {
		_, err := e.js.CreateStream(ctx, jetstream.StreamConfig{Name: e.site.Space, Subjects: []string{e.site.Events, e.site.Command()}})
		return err
	})
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%s has no JetStream", e.broker.Describe(e.nc))
	}
	if err != nil {
		return fmt.Errorf("%s: no stream could be made: %w", e.broker.Describe(e.nc), err)
	}
	return nil
}

// untilAnswered tries until there is an answer: a cluster that elects a leader gives none.
func untilAnswered(ctx context.Context, try func(context.Context) error) error {
	for {
		attempt, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := try(attempt)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

func (e *engine) Describe() string { return e.broker.Describe(e.nc) + ", with JetStream" }

// Publish tries again where an answer is missing, as when the server goes away before it answers.
// The message's id lets the server drop the second of two.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	id := jetstream.WithMsgID(topic + strconv.FormatUint(event.Seq, 10))
	for {
		_, err := publish(ctx, e.js, event.NATS(topic), id)
		if err == nil || errors.Is(err, nats.ErrMaxPayload) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// publish waits for an answer for two seconds at most.
func publish(ctx context.Context, js jetstream.JetStream, msg *nats.Msg, id jetstream.PublishOpt) (*jetstream.PubAck, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return js.PublishMsg(ctx, msg, id)
}

func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	nc, err := e.broker.Connect(m.Name, reconnect)
	if err != nil {
		return nil, err
	}
	durable, consuming, err := e.consume(ctx, nc, m)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return func() error {
		defer nc.Close()
		return drain(nc, durable, consuming)
	}, nil
}

func (e *engine) consume(ctx context.Context, nc *nats.Conn, m *runner.Member) (jetstream.Consumer, jetstream.ConsumeContext, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, nil, err
	}
	var durable jetstream.Consumer
	err = untilAnswered(ctx, func(ctx context.Context) (err error) {
		durable, err = js.CreateOrUpdateConsumer(ctx, e.site.Space, config(e.durable(m)))
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	consuming, err := consume(durable, m.Filter, &m.Counter, func(msg jetstream.Msg, verdict slot.Verdict) error {
		about, err := msg.Metadata()
		if err != nil {
			return err
		}
		received, err := runner.Read(msg.Data(), func(attribute string) string { return msg.Headers().Get("ce-" + attribute) })
		m.Handle(verdict, received, about.NumDelivered > 1, err)
		return nil
	}, m.Fail)
	return durable, consuming, err
}

// Pending is what the durable has not delivered, and what it has delivered and not seen acknowledged.
func (e *engine) Pending(ctx context.Context, m *runner.Member) (int, error) {
	durable, err := e.js.Consumer(ctx, e.site.Space, e.durable(m))
	if err != nil {
		return 0, err
	}
	info, err := durable.Info(ctx)
	if err != nil {
		return 0, err
	}
	return int(info.NumPending) + info.NumAckPending, nil
}

// Close deletes the stream, and the durables with it.
func (e *engine) Close() error {
	defer e.broker.Close()
	defer e.nc.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := e.js.DeleteStream(ctx, e.site.Space); err != nil {
		return fmt.Errorf("the stream %s could not be deleted: %w", e.site.Space, err)
	}
	return nil
}
