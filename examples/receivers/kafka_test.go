package receivers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/cloudevents/sdk-go/protocol/kafka_sarama/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestKafkaDivides(t *testing.T) {
	n := newKafka(t)
	testDivides(t, n)
	for i := range size { // stopped by now, with all offsets committed
		if got := n.committed(t, i); got != 300 {
			t.Errorf("member %d has committed %d, want 300: what is foreign counts as what is own", i, got)
		}
	}
}

// A committed offset covers all before it, so with callbacks that do not block a dropped event
// commits past an own one that is still being handled. That is why the documentation asks for
// blocking callbacks and one poll goroutine, or a frontier.
func TestKafkaSlowHandler(t *testing.T) {
	n := newKafka(t)
	testSlowHandler(t, n, func(t *testing.T, foreign int) {
		deadline := time.Now().Add(patience)
		for n.committed(t, 1) != int64(1+foreign) {
			if time.Now().After(deadline) {
				t.Fatalf("committed %d, want %d", n.committed(t, 1), 1+foreign)
			}
		}
	})
}

// kafkaNetwork is a Kafka cluster of one broker. The SDK's protocol consumes one topic, so a member
// has one for events and one for commands, in a consumer group of its own.
type kafkaNetwork struct {
	addresses []string
	admin     *kadm.Client
	senders   map[string]*kafka_sarama.Sender
}

func newKafka(t *testing.T) *kafkaNetwork {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, eventTopic, commandTopic))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	c, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &kafkaNetwork{cluster.ListenAddrs(), kadm.NewClient(c), map[string]*kafka_sarama.Sender{}}
}

func config() *sarama.Config {
	c := sarama.NewConfig()
	c.Consumer.Offsets.Initial = sarama.OffsetOldest
	c.Consumer.Offsets.AutoCommit.Interval = 10 * time.Millisecond
	c.Producer.Return.Successes = true
	return c
}

func group(member int, topic string) string { return fmt.Sprintf("pairs-%d-%s", member, topic) }

func (n *kafkaNetwork) join(t *testing.T, member int) (sources []source) {
	t.Helper()
	for _, topic := range []string{eventTopic, commandTopic} {
		c, err := kafka_sarama.NewConsumer(n.addresses, config(), group(member, topic), topic)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close(context.Background()) })
		sources = append(sources, source{c, func(m binding.Message) string {
			return string(binding.UnwrapMessage(m).(*kafka_sarama.Message).Headers["ce_kafkatopic"])
		}, nil})
	}
	return sources
}

func (n *kafkaNetwork) publish(t *testing.T, topic string, e event.Event, structured bool) {
	t.Helper()
	s, ok := n.senders[topic]
	if !ok {
		var err error
		if s, err = kafka_sarama.NewSender(n.addresses, config(), topic); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close(context.Background()) })
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

// committed returns the offset that a member has committed for events.
func (n *kafkaNetwork) committed(t *testing.T, member int) int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	offsets, err := n.admin.FetchOffsets(ctx, group(member, eventTopic))
	if err != nil {
		t.Fatal(err)
	}
	o, _ := offsets.Lookup(eventTopic, 0)
	return o.At
}
