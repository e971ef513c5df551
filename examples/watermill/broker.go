package main

import (
	"context"
	"errors"

	"github.com/ThreeDotsLabs/watermill"
	wnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
)

// A channel is Watermill's own broker within a process. Every subscription receives every message.
type channel struct{ *gochannel.GoChannel }

func newChannel() *channel {
	return &channel{gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})}
}

func (*channel) describe() string { return "Watermill's GoChannel, in this process" }

func (c *channel) publisher() message.Publisher { return c }

func (c *channel) join(*runner.Member) (message.Subscriber, func(context.Context) error, func() error, error) {
	return staysOpen{c}, func(context.Context) error { return nil }, func() error { return nil }, nil
}

// staysOpen is a subscriber that routers share, each of which would close it.
type staysOpen struct{ message.Subscriber }

func (staysOpen) Close() error { return nil }

func (c *channel) close() error { return c.Close() }

// A broker is NATS core, each member with a connection of its own.
type broker struct {
	*natsbroker.Broker
	conn  *nats.Conn // the publisher's
	pub   *wnats.Publisher
	queue string
}

func newNATS(site *runner.Site, queue string) (*broker, error) {
	open, err := natsbroker.Open(site.URL, site.Fail)
	if err != nil {
		return nil, err
	}
	b := &broker{Broker: open, queue: queue}
	if b.conn, err = open.Connect("publisher"); err != nil {
		return nil, err
	}
	config := wnats.PublisherConfig{Marshaler: &wnats.NATSMarshaler{}, JetStream: wnats.JetStreamConfig{Disabled: true}, SubjectCalculator: wnats.DefaultSubjectCalculator}
	b.pub, err = wnats.NewPublisherWithNatsConn(b.conn, config.GetPublisherPublishConfig(), watermill.NopLogger{})
	return b, err
}

func (b *broker) describe() string { return b.Describe(b.conn) + ", through Watermill" }

func (b *broker) publisher() message.Publisher { return b.pub }

func (b *broker) join(m *runner.Member) (message.Subscriber, func(context.Context) error, func() error, error) {
	conn, err := b.Connect(m.Name)
	if err != nil {
		return nil, nil, nil, err
	}
	config := subscription()
	config.QueueGroupPrefix = b.queue
	sub, err := wnats.NewSubscriberWithNatsConn(conn, config, watermill.NopLogger{})
	if err != nil {
		conn.Close()
		return nil, nil, nil, err
	}
	closed := conn.StatusChanged(nats.CLOSED)
	ready := func(ctx context.Context) error { return natsbroker.Ready(ctx, b.conn, conn, "ready."+m.Name) }
	leave := func() error {
		err := sub.Close() // drains the connection, if the router has not done so
		<-closed
		return err
	}
	return sub, ready, leave, nil
}

func (b *broker) close() error {
	err := b.pub.Close()
	b.conn.Close()
	b.Close()
	if errors.Is(err, nats.ErrConnectionClosed) {
		return nil
	}
	return err
}
