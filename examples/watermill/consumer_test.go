package main

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	wnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

// route runs the consumer of index 0 of 2 on topic t, and returns when it has subscribed.
func route(t *testing.T, subscriber message.Subscriber, counter *slot.Counter, handle message.NoPublishHandlerFunc) {
	t.Helper()
	member, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		t.Fatal(err)
	}
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: closeTimeout}, watermill.NopLogger{})
	if err != nil {
		t.Fatal(err)
	}
	consume(router, subscriber, "member", []string{"t"}, slot.NewFilter(member), counter, handle)
	ended := make(chan error)
	go func() { ended <- router.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := errors.Join(router.Close(), <-ended); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-router.Running():
	case <-time.After(10 * time.Second):
		t.Fatal("the router does not run")
	}
}

// natsPubSub returns both ends of NATS core. The subscriber waits so long for an Ack.
func natsPubSub(t *testing.T, wait time.Duration) (message.Publisher, message.Subscriber) {
	t.Helper()
	conn, err := nats.Connect(start(t))
	if err != nil {
		t.Fatal(err)
	}
	closed := conn.StatusChanged(nats.CLOSED)
	t.Cleanup(func() {
		conn.Close()
		<-closed
	})
	config := wnats.PublisherConfig{Marshaler: &wnats.NATSMarshaler{}, SubjectCalculator: wnats.DefaultSubjectCalculator,
		JetStream: wnats.JetStreamConfig{Disabled: true}}
	pub, err := wnats.NewPublisherWithNatsConn(conn, config.GetPublisherPublishConfig(), watermill.NopLogger{})
	if err != nil {
		t.Fatal(err)
	}
	subscribe := subscription()
	if wait > 0 {
		subscribe.AckWaitTimeout = wait
	}
	sub, err := wnats.NewSubscriberWithNatsConn(conn, subscribe, watermill.NopLogger{})
	if err != nil {
		t.Fatal(err)
	}
	return pub, sub
}

func channelPubSub(t *testing.T, config gochannel.Config) (message.Publisher, message.Subscriber) {
	c := gochannel.NewGoChannel(config, watermill.NopLogger{})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, staysOpen{c}
}

// send publishes messages whose subject the member has, or the other one.
func send(t *testing.T, pub message.Publisher, slot int, ids ...string) {
	t.Helper()
	for _, id := range ids {
		msg := message.NewMessage(id, nil)
		msg.Metadata.Set("ce-specversion", "1.0")
		msg.Metadata.Set("ce-subject", slottest.Key(t, 2, slot))
		if err := pub.Publish("t", msg); err != nil {
			t.Error(err)
		}
	}
}

// An error is a Nack: GoChannel gives the message again, NATS core does not. What another member
// has is acknowledged on both.
func TestNack(t *testing.T) {
	for name, pubSub := range map[string]func(*testing.T) (message.Publisher, message.Subscriber){
		"GoChannel": func(t *testing.T) (message.Publisher, message.Subscriber) {
			return channelPubSub(t, gochannel.Config{BlockPublishUntilSubscriberAck: true})
		},
		"NATS core": func(t *testing.T) (message.Publisher, message.Subscriber) { return natsPubSub(t, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			pub, sub := pubSub(t)
			counter, got := new(slot.Counter), make(chan string, 10)
			failed := false
			route(t, sub, counter, func(msg *message.Message) error {
				got <- msg.UUID
				if !failed {
					failed = true
					return errors.New("it failed")
				}
				return nil
			})
			send(t, pub, 0, "fails")
			send(t, pub, 1, "foreign")
			send(t, pub, 0, "last")
			var list []string
			for !slices.Contains(list, "last") {
				list = append(list, runnertest.Next(t, got))
			}
			want, total := []string{"fails", "fails", "last"}, uint64(4)
			if name == "NATS core" {
				want, total = []string{"fails", "last"}, 3
			}
			if counts := counter.Counts(); !slices.Equal(list, want) || counts.Foreign != 1 || counts.Total() != total {
				t.Errorf("handled %v, want %v; counts %+v, want one foreign of %d", list, want, counts, total)
			}
		})
	}
}

// A subscriber that does not wait for the Ack gives out a message while the last one is still being handled.
func TestOrder(t *testing.T) {
	for name, pubSub := range map[string]func(*testing.T) (message.Publisher, message.Subscriber){
		"GoChannel that does not block": func(t *testing.T) (message.Publisher, message.Subscriber) {
			return channelPubSub(t, gochannel.Config{})
		},
		"AckWaitTimeout": func(t *testing.T) (message.Publisher, message.Subscriber) {
			return natsPubSub(t, 20*time.Millisecond)
		},
	} {
		t.Run(name, func(t *testing.T) {
			pub, sub := pubSub(t)
			var began atomic.Int64
			other := make(chan struct{})
			route(t, sub, new(slot.Counter), func(*message.Message) error {
				if began.Add(1) == 1 { // the first one ends when another has begun
					<-other
				} else {
					close(other)
				}
				return nil
			})
			send(t, pub, 0, "1", "2")
			select {
			case <-other:
			case <-time.After(10 * time.Second):
				close(other)
				t.Error("the second message waited for the first")
			}
		})
	}
}

// The subscribers of the example wait.
func TestWaitsForTheHandler(t *testing.T) {
	pub, sub := natsPubSub(t, 0)
	const n = 20
	running, got := make(chan struct{}, 1), make(chan string, n)
	route(t, sub, new(slot.Counter), func(msg *message.Message) error {
		select {
		case running <- struct{}{}:
		default:
			t.Error("two messages are handled at one time")
		}
		got <- msg.UUID
		<-running
		return nil
	})
	for i := range n {
		send(t, pub, 0, strconv.Itoa(i))
	}
	for i := range n {
		if id := runnertest.Next(t, got); id != strconv.Itoa(i) {
			t.Errorf("got %s, want %d", id, i)
		}
	}
}
