package receivers_test

import (
	"context"
	"testing"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
)

func TestNATSDivides(t *testing.T) { testDivides(t, newNATS(t)) }

func TestNATSSlowHandler(t *testing.T) { testSlowHandler(t, newNATS(t), nil) }

// natsNetwork is a NATS server. A subject is a topic; one subscription to all of them keeps events
// and commands in one order.
type natsNetwork struct {
	broker    *natsbroker.Broker
	publisher *nats.Conn
	senders   map[string]*cenats.Sender
}

func newNATS(t *testing.T) *natsNetwork {
	t.Helper()
	b, err := natsbroker.Open("", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return &natsNetwork{b, connect(t, b, "publisher"), map[string]*cenats.Sender{}}
}

func connect(t *testing.T, b *natsbroker.Broker, name string) *nats.Conn {
	t.Helper()
	conn, err := b.Connect(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func (n *natsNetwork) join(t *testing.T, _ int) []source {
	t.Helper()
	c, err := cenats.NewConsumerFromConn(connect(t, n.broker, "member"), ">")
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	c.Subscriber = natsSubscriber{func() { close(ready) }}
	return []source{{c, func(m binding.Message) string { return binding.UnwrapMessage(m).(*cenats.Message).Msg.Subject }, ready}}
}

// natsSubscriber subscribes as the SDK does, and tells when the server knows of it.
type natsSubscriber struct{ ready func() }

func (s natsSubscriber) Subscribe(conn *nats.Conn, subject string, cb nats.MsgHandler) (*nats.Subscription, error) {
	subscription, err := (&cenats.RegularSubscriber{}).Subscribe(conn, subject, cb)
	if err == nil {
		err = conn.Flush()
	}
	if err == nil {
		s.ready()
	}
	return subscription, err
}

// publish ignores structured: the SDK's protocol for NATS has no other mode.
func (n *natsNetwork) publish(t *testing.T, topic string, e event.Event, _ bool) {
	t.Helper()
	s, ok := n.senders[topic]
	if !ok {
		var err error
		if s, err = cenats.NewSenderFromConn(n.publisher, topic); err != nil {
			t.Fatal(err)
		}
		n.senders[topic] = s
	}
	if err := s.Send(context.Background(), binding.ToMessage(&e)); err != nil {
		t.Fatal(err)
	}
}
