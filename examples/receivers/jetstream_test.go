package receivers_test

import (
	"context"
	"testing"

	cejs "github.com/cloudevents/sdk-go/protocol/nats_jetstream/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
)

func TestJetStreamDivides(t *testing.T) { testDivides(t, newJetStream(t)) }

func TestJetStreamSlowHandler(t *testing.T) { testSlowHandler(t, newJetStream(t), nil) }

const stream = "EVENTS"

// jetStreamNetwork is a NATS server with one stream of events and commands. (The SDK's protocol
// acknowledges a message when it has taken it, not when it is finished: its Finish does nothing.)
type jetStreamNetwork struct {
	broker    *natsbroker.Broker
	publisher *nats.Conn
	senders   map[string]*cejs.Sender
}

func newJetStream(t *testing.T) *jetStreamNetwork {
	t.Helper()
	b, err := natsbroker.OpenJetStream("", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	n := &jetStreamNetwork{b, connect(t, b, "publisher"), map[string]*cejs.Sender{}}
	js, err := n.publisher.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{Name: stream, Subjects: []string{"ticks.>", "wrk.>"}}); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *jetStreamNetwork) join(t *testing.T, _ int) []source {
	t.Helper()
	options := []nats.SubOpt{nats.BindStream(stream), nats.ConsumerFilterSubjects("ticks.>", "wrk.>"), nats.DeliverAll()}
	c, err := cejs.NewConsumerFromConn(connect(t, n.broker, "member"), stream, "", nil, options)
	if err != nil {
		t.Fatal(err)
	}
	return []source{{c, func(m binding.Message) string { return binding.UnwrapMessage(m).(*cejs.Message).Msg.Subject }, nil}}
}

func (n *jetStreamNetwork) publish(t *testing.T, topic string, e event.Event, structured bool) {
	t.Helper()
	s, ok := n.senders[topic]
	if !ok {
		var err error
		if s, err = cejs.NewSenderFromConn(n.publisher, stream, topic, nil); err != nil {
			t.Fatal(err)
		}
		n.senders[topic] = s
	}
	ctx := context.Background()
	if structured {
		ctx = binding.WithForceStructured(ctx)
	}
	if err := s.Send(ctx, binding.ToMessage(&e)); err != nil {
		t.Fatal(err)
	}
}
