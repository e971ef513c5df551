package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server returns the address of a running server. scripts/checks/servers.sh starts one for these tests.
func server(t *testing.T) string {
	url := os.Getenv("RABBITMQ_URL")
	if url == "" {
		t.Skip("RABBITMQ_URL does not name a server")
	}
	return url
}

func TestProgram(t *testing.T) {
	url := server(t)
	runnertest.Passes(t, program(), []string{"-url", url},
		"broker: RabbitMQ ", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2", "its 28 events waited for it")
	runnertest.Passes(t, program(), []string{"-url", url, "-members", "5"})
}

// The broker refuses a second member on a queue.
func TestSharedQueueIsRefused(t *testing.T) {
	url := server(t)
	p := program()
	p.Open = func(_ context.Context, site *runner.Site) (runner.Engine, error) {
		return open(site, func(*runner.Member) string { return site.Members[0].Name })
	}
	o := runnertest.Run(t, p, "-url", url)
	if o.Status != 1 || !strings.Contains(o.Err, "ACCESS_REFUSED") || !strings.Contains(o.Err, "exclusive") {
		t.Errorf("status %d, %s\n%s", o.Status, o.Err, o.Out)
	}
}

// channel returns a channel, and a queue of its own that is bound to the topic "t" of its exchange.
func channel(t *testing.T) (ch *amqp.Channel, name string, publish func(key string)) {
	t.Helper()
	conn, err := dial(server(t))
	if err != nil {
		t.Fatal(err)
	}
	if ch, err = conn.Channel(); err != nil {
		t.Fatal(err)
	}
	name = "test-" + strings.ToLower(t.Name())
	if err := declare(ch, name, name, []string{"t"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		conn, err := dial(server(t))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		ch, err := conn.Channel()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ch.QueueDelete(name, false, false, false); err != nil {
			t.Error(err)
		}
		if err := ch.ExchangeDelete(name, false, false); err != nil {
			t.Error(err)
		}
	})
	return ch, name, func(key string) {
		t.Helper()
		headers := amqp.Table{"cloudEvents:specversion": "1.0", "cloudEvents:id": "1", "cloudEvents:type": "t", "cloudEvents:source": "s", "cloudEvents:subject": key}
		if err := ch.Publish(name, "t", false, false, amqp.Publishing{Headers: headers, Body: []byte(key)}); err != nil {
			t.Fatal(err)
		}
	}
}

// A handler's error brings the event again, marked; a foreign event is gone; when ctx ends, nothing
// is left in the queue.
func TestConsume(t *testing.T) {
	ch, queue, publish := channel(t)
	member, err := slot.New(slot.Config{Group: "g", Size: 2, Index: 1})
	if err != nil {
		t.Fatal(err)
	}
	own, foreign := slottest.Key(t, 2, 1), slottest.Key(t, 2, 0)
	publish(own)
	publish(foreign)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var counter slot.Counter
	var got []string
	err = consume(ctx, ch, queue, slot.NewFilter(member), &counter, func(d amqp.Delivery, _ slot.Verdict) error {
		if got = append(got, string(d.Body)); !d.Redelivered {
			return errors.New("not now")
		}
		time.AfterFunc(100*time.Millisecond, cancel)
		return nil
	})
	if want := []string{own, own}; err != nil || !slices.Equal(got, want) || counter.Counts() != (slot.Counts{Own: 2, Foreign: 1}) {
		t.Errorf("handled %q, %+v, %v; want %q", got, counter.Counts(), err, want)
	}
	if n, err := ch.QueuePurge(queue, false); err != nil || n != 0 {
		t.Errorf("%d events are left, %v", n, err)
	}
}

// A queue that is deleted under a member ends it with an error.
func TestDeletedQueue(t *testing.T) {
	ch, queue, publish := channel(t)
	publish("k")
	err := consume(t.Context(), ch, queue, slot.NewFilter(slot.Member{}), new(slot.Counter), func(amqp.Delivery, slot.Verdict) error {
		conn, err := dial(server(t))
		if err != nil {
			return err
		}
		defer conn.Close()
		other, err := conn.Channel()
		if err == nil {
			_, err = other.QueueDelete(queue, false, false, false)
		}
		if err != nil {
			t.Error(err)
		}
		return nil
	})
	if err == nil {
		t.Error("a member without a queue goes on")
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "amqp://user:secret@127.0.0.1:1", "no RabbitMQ at 127.0.0.1:1: ")
	for _, url := range []string{"http://127.0.0.1", "127.0.0.1:5672", "amqp://x:secret@h:port"} {
		runnertest.Refuses(t, program(), "-url is malformed; wanted is an address like amqp://guest:guest@localhost:5672", "-url", url)
	}
	runnertest.Refuses(t, program(), "-url is missing: there is no such broker inside the process; name the RabbitMQ server there, such as amqp://guest:guest@localhost:5672")
}
