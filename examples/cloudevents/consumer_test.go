package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol/gochan"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

// members returns the filters of all members of a group of two.
func members(t *testing.T) (filters []*slot.Filter) {
	t.Helper()
	for i := range 2 {
		member, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: i})
		if err != nil {
			t.Fatal(err)
		}
		filters = append(filters, slot.NewFilter(member))
	}
	return filters
}

func newEvent(id int) event.Event {
	e := event.New()
	e.SetID(strconv.Itoa(id))
	e.SetType("t")
	e.SetSource("s")
	return e
}

// One event is handled after the other, and what has come when a member leaves is handled before it is gone.
func TestOrderAndDrain(t *testing.T) {
	broker, err := natsbroker.Open("", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	nc, err := broker.Connect("member")
	if err != nil {
		t.Fatal(err)
	}
	inner, err := cenats.NewConsumerFromConn(nc, "t")
	if err != nil {
		t.Fatal(err)
	}
	subscribed := make(chan struct{})
	inner.Subscriber = teller{&cenats.RegularSubscriber{}, subscribed}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const n = 50
	var running atomic.Bool
	began, goOn, ended := make(chan string, n), make(chan struct{}), make(chan error)
	go func() {
		ended <- consume(ctx, inner, slot.NewFilter(slot.Member{}), new(slot.Counter), func(e event.Event) {
			if running.Swap(true) {
				t.Error("two events are handled at one time")
			}
			began <- e.ID()
			<-goOn
			running.Store(false)
		})
	}()
	runnertest.Next(t, subscribed)
	for i := range n {
		if err := nc.Publish("t", fmt.Appendf(nil, `{"specversion":"1.0","id":"%d","type":"t","source":"s"}`, i)); err != nil {
			t.Error(err)
		}
	}
	if err := nc.Flush(); err != nil { // all have come to the client
		t.Fatal(err)
	}
	if id := runnertest.Next(t, began); id != "0" {
		t.Errorf("got %s first", id)
	}
	go func() {
		for nc.Status() != nats.DRAINING_SUBS {
			time.Sleep(time.Millisecond)
		}
		close(goOn)
	}()
	if err := drain(nc); err != nil {
		t.Error(err)
	}
	stop()
	if err := runnertest.Next(t, ended); err != nil {
		t.Error(err)
	}
	for i := 1; i < n; i++ {
		select {
		case id := <-began:
			if id != strconv.Itoa(i) {
				t.Errorf("got %s, want %d", id, i)
			}
		default:
			t.Fatalf("got %d events of %d", i, n)
		}
	}
}

// With the options that the SDK has by default, an event is handled while the one before it still
// is; with one poll goroutine alone, too.
func TestDefaultsBreakOrder(t *testing.T) {
	for name, options := range map[string][]client.Option{
		"defaults":                 {},
		"one poll goroutine":       {client.WithPollGoroutines(1)},
		"blocking, two goroutines": {client.WithBlockingCallback(), client.WithPollGoroutines(2)},
	} {
		t.Run(name, func(t *testing.T) {
			protocol := gochan.New()
			c, err := client.New(protocol, options...)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			var began atomic.Int64
			both, ended := make(chan struct{}), make(chan error)
			go func() {
				ended <- c.StartReceiver(ctx, func(event.Event) {
					if began.Add(1) == 2 {
						close(both)
					}
					<-both
				})
			}()
			for i := range 2 {
				e := newEvent(i)
				if err := protocol.Send(ctx, binding.ToMessage(&e)); err != nil {
					t.Error(err)
				}
			}
			runnertest.Next(t, both)
			stop()
			if err := runnertest.Next(t, ended); err != nil {
				t.Error(err)
			}
		})
	}
}

// Members that receive from one gochan share the events out: some come to the other member only, which drops them.
func TestSharedGochanLoses(t *testing.T) {
	const n = 200
	shared := gochan.New()
	counters := [2]slot.Counter{}
	var handled atomic.Int64
	var receivers sync.WaitGroup
	for i, filter := range members(t) {
		filtered, err := receiver.New(shared, filter, func(binding.Message) string { return "" }, receiver.Options{Verdict: counters[i].Count})
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.New(filtered, client.WithBlockingCallback(), client.WithPollGoroutines(1))
		if err != nil {
			t.Fatal(err)
		}
		receivers.Go(func() {
			if err := c.StartReceiver(t.Context(), func(event.Event) { handled.Add(1) }); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range n {
		e := newEvent(i)
		if err := shared.Send(t.Context(), binding.ToMessage(&e)); err != nil {
			t.Error(err)
		}
	}
	if err := shared.Close(t.Context()); err != nil {
		t.Error(err)
	}
	receivers.Wait()
	one, two := counters[0].Counts(), counters[1].Counts()
	if one.Total()+two.Total() != n || handled.Load()+int64(one.Foreign+two.Foreign) != n || one.Foreign+two.Foreign == 0 {
		t.Errorf("%d events: %d handled, %+v and %+v; want each to come to one member, and some to the wrong one", n, handled.Load(), one, two)
	}
}
