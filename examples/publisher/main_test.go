package main

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"and a publisher that routes", "324 handled, 0 dropped by 3 member(s)", "demo:2/3                130         0         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events are lost")
	runnertest.Passes(t, program(), []string{"-members", "7"}, "0 dropped by 7 member(s)")
}

// A publisher that has another size sends events where they do not belong: to nobody, or to a member that says so.
func TestAnotherSizeIsNoticed(t *testing.T) {
	p := program()
	p.Open = func(_ context.Context, site *runner.Site) (runner.Engine, error) { return open(site, 4) }
	runnertest.Fails(t, p, nil, "lost: ", " events of other members: publisher and members disagree on the rule or the size")
}

func TestRoute(t *testing.T) {
	outsider, err := slot.NewSet("demo", 3)
	if err != nil {
		t.Fatal(err)
	}
	f := slot.NewFilter(outsider)
	for s, want := range []string{"ticks.part.0", "ticks.part.1", "ticks.part.2"} {
		key := slottest.Key(t, 3, s)
		m := cloudevent.Message{Topic: "ticks", Body: []byte(`{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"` + key + `"}`)}
		if got := route(f, m); got != want {
			t.Errorf("%q: got %s, want %s", key, got, want)
		}
	}
	empty := []string{"ticks.part.0", "ticks.part.1", "ticks.part.2"}[outsider.Slot("")]
	for topic, want := range map[string]string{"wrk.feed.command.7": "wrk.feed.command.7", "ticks": empty} {
		if got := route(f, cloudevent.Message{Topic: topic, Body: []byte("no event")}); got != want {
			t.Errorf("no event on %s: got %s, want %s", topic, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}
