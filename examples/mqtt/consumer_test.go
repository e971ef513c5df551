package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eclipse/paho.golang/paho"
	mochi "github.com/mochi-mqtt/server/v2"

	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

// start starts a broker, which ends with the test if stop has not ended it before.
func start(t *testing.T, address string) (broker *mochi.Server, url string, stop func()) {
	t.Helper()
	broker, url, err := embed(address)
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { broker.Close() })
	t.Cleanup(stop)
	return broker, url, stop
}

// A handled is a publication that came to a member's handler.
type handled struct {
	body  string
	again bool
}

// join starts a member that takes all events, and that leaves when the test ends if it has not left before.
func join(t *testing.T, address, id string, handle func(handled), failed func(error)) (leave func()) {
	t.Helper()
	parting, err := consume(t.Context(), config(server(t, address), id), []string{"t"}, slot.NewFilter(slot.Member{}), new(slot.Counter),
		func(p *paho.Publish, _ slot.Verdict) { handle(handled{string(p.Payload), p.Duplicate()}) }, failed)
	if err != nil {
		t.Fatal(err)
	}
	leave = sync.OnceFunc(func() {
		if err := parting(context.Background()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(leave)
	return leave
}

func server(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// publish publishes events as somebody else, one after the other. mochi-mqtt acknowledges before it
// hands an event to subscribers, and takes one packet of a client after the other: so the answer to
// one more says that all are where they belong.
func publish(t *testing.T, address string, bodies ...string) {
	t.Helper()
	manager, err := connect(t.Context(), passing(server(t, address), "publisher"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(bodies) + 1 {
		p := &paho.Publish{Topic: "another", QoS: 1}
		if i < len(bodies) {
			p = &paho.Publish{Topic: "t", QoS: 1, Payload: []byte(bodies[i])}
		}
		if _, err := manager.Publish(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
	if err := disconnect(manager); err != nil {
		t.Error(err)
	}
}

// A broker that starts again without its sessions: the member says so, subscribes anew and goes on.
func TestBrokerForgets(t *testing.T) {
	got, failed := make(chan handled, 10), make(chan error, 10)
	_, address, stop := start(t, "127.0.0.1:0")
	join(t, address, "member", func(h handled) { got <- h }, func(err error) { failed <- err })
	publish(t, address, "one")
	if h := runnertest.Next(t, got); h.body != "one" {
		t.Errorf("got %v", h)
	}
	stop()
	_, again, _ := start(t, strings.TrimPrefix(address, "mqtt://"))
	if again != address {
		t.Fatalf("the broker is back at %s, and was at %s", again, address)
	}
	if err := runnertest.Next(t, failed); !errors.Is(err, errSessionLost) {
		t.Errorf("got %v, want %v", err, errSessionLost)
	}
	publish(t, address, "two")
	if h := runnertest.Next(t, got); h.body != "two" {
		t.Errorf("got %v", h)
	}
}

// What was not acknowledged when the connection broke comes again, marked, in order and before what
// is newer; and a session that was kept is nothing to report.
func TestConnectionBreaks(t *testing.T) {
	got, goOn := make(chan handled, 100), make(chan struct{})
	broker, address, _ := start(t, "127.0.0.1:0")
	join(t, address, "member", func(h handled) {
		got <- h
		<-goOn
	}, func(err error) { t.Error(err) })
	publish(t, address, "1", "2", "3", "4", "5")
	first := runnertest.Next(t, got) // and is being handled
	session, ok := broker.Clients.Get("member")
	if !ok {
		t.Fatal("the member has no session")
	}
	session.Stop(errors.New("broken"))
	publish(t, address, "6")
	close(goOn)
	list := []handled{first}
	for list[len(list)-1].body != "6" {
		list = append(list, runnertest.Next(t, got))
	}
	i := slices.IndexFunc(list, func(h handled) bool { return h.again })
	if i < 1 || i > 5 {
		t.Fatalf("got %v: nothing came again", list)
	}
	for n, h := range list[:i] { // as many as the client had read
		if want := (handled{fmt.Sprint(n + 1), false}); h != want {
			t.Errorf("before the break: got %v, want %v", h, want)
		}
	}
	var bodies []string
	for _, h := range list[i:] {
		bodies = append(bodies, h.body)
	}
	if want := []string{"1", "2", "3", "4", "5", "6"}; !slices.Equal(bodies, want) {
		t.Errorf("after the break: got %v, want %v", bodies, want)
	}
}

// What waits for a member, or was not acknowledged, does not keep it from subscribing.
func TestSubscribesBeforeItHandles(t *testing.T) {
	got, goOn := make(chan handled, 10), make(chan struct{})
	_, address, _ := start(t, "127.0.0.1:0")
	join(t, address, "member", func(handled) {}, func(err error) { t.Error(err) })()
	publish(t, address, "1", "2", "3")
	join(t, address, "member", func(h handled) {
		<-goOn
		got <- h
	}, func(err error) { t.Error(err) })
	close(goOn)
	for _, want := range []string{"1", "2", "3"} {
		if h := runnertest.Next(t, got); h.body != want {
			t.Errorf("got %v, want %s", h, want)
		}
	}
}

// ends tells of connections that end.
type ends struct {
	mochi.HookBase
	ended chan<- string // the client's id
}

func (*ends) ID() string { return "ends" }

func (*ends) Provides(hook byte) bool { return hook == mochi.OnDisconnect }

func (h *ends) OnDisconnect(client *mochi.Client, _ error, _ bool) { h.ended <- client.ID }

// A member with the client id of another throws that one out, which comes again and does the same.
func TestOneClientID(t *testing.T) {
	ended := make(chan string, 1000)
	broker, address, _ := start(t, "127.0.0.1:0")
	if err := broker.AddHook(&ends{ended: ended}, nil); err != nil {
		t.Fatal(err)
	}
	// mochi-mqtt counts its connections in a WaitGroup, which may not rise from zero when Close
	// waits for it: this one keeps it above until the others are gone.
	join(t, address, "keeper", func(handled) {}, func(error) {})
	join(t, address, "member", func(handled) {}, func(error) {})
	join(t, address, "member", func(handled) {}, func(error) {})
	if id := runnertest.Next(t, ended); id != "member" { // of both, the first: nobody has left
		t.Errorf("the connection of %s ended", id)
	}
}

// A first subscription that the broker refuses is an error of consume's.
func TestRefused(t *testing.T) {
	_, address, _ := start(t, "127.0.0.1:0")
	_, err := consume(t.Context(), config(server(t, address), "member"), []string{"a/#/b"}, slot.NewFilter(slot.Member{}), new(slot.Counter),
		func(*paho.Publish, slot.Verdict) {}, func(err error) { t.Error(err) })
	if err == nil || !strings.HasPrefix(err.Error(), "cannot subscribe: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a/#/b: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := consume(ctx, config(server(t, address), "member"), nil, nil, nil, nil, nil); err == nil {
		t.Error("connected although the context had ended")
	}
}
