package main

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: nats-server 2.", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it", "cursors: 3 member(s)\n  PASS")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Members of one durable compete.
func TestSharedDurableLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, func(*runner.Member) string { return "shared" })
	}
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// What a handler refuses comes again, and behind a later event of its key.
func TestNakBreaksOrder(t *testing.T) {
	broker, err := natsbroker.OpenJetStream("", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	nc, err := broker.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "s", Subjects: []string{"t"}}); err != nil {
		t.Fatal(err)
	}
	durable, err := js.CreateConsumer(ctx, "s", jetstream.ConsumerConfig{Durable: "member-0", AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2"} {
		if _, err := js.Publish(ctx, "t", []byte(`{"specversion":"1.0","id":"`+id+`","source":"s","type":"t","subject":"a"}`)); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var order []uint64
	all := make(chan struct{})
	m := runner.NewMember("member-0", slot.NewFilter(slot.Member{}), func(err error) { t.Error(err) })
	consuming, err := consume(durable, m, func(msg jetstream.Msg, _ slot.Verdict) error {
		mu.Lock()
		defer mu.Unlock()
		about, err := msg.Metadata()
		if err != nil {
			return err
		}
		order = append(order, about.Sequence.Stream)
		if len(order) == 1 {
			return errors.New("not now")
		}
		if len(order) == 3 {
			close(all)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer consuming.Stop()
	select {
	case <-all:
	case <-ctx.Done():
		t.Fatal("the event did not come again")
	}
	if got, want := order, [3]uint64{1, 2, 1}; len(got) != 3 || [3]uint64(got) != want {
		t.Errorf("handled in the order %v, want %v", got, want)
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	defer plain.WaitForShutdown()
	defer plain.Shutdown()
	if !plain.ReadyForConnections(5 * time.Second) {
		t.Fatal("the server is not ready")
	}
	runnertest.Dead(t, program(), plain.ClientURL(), " has no JetStream")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}
