package main

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: 3 sidecars in this process", "324 events (0 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Without a consumerID of its own every replica is in one consumer group.
func TestSharedConsumerIDLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) { return open(ctx, site, true) }
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// A real sidecar is told from its own answers, and asks its app once.
func TestThroughSidecars(t *testing.T) {
	var apps, sidecars []string
	running := newTopics(false)
	defer running.close()
	for range 2 {
		app, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		s, err := running.start("http://"+app, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		apps, sidecars = append(apps, app), append(sidecars, s)
	}
	args := []string{"-members", "2", "-listen", strings.Join(apps, ","), "-url", strings.Join(sidecars, ",")}
	runnertest.Passes(t, program(), args, "broker: Dapr stand-in, ", "324 events", "away: left out; when a sidecar")
}

func TestAddresses(t *testing.T) {
	o := runnertest.Run(t, program(), "-members", "1", "-listen", "127.0.0.1:0", "-url", "http://127.0.0.1:1")
	if o.Status != 1 || o.Out != "" || strings.Count(o.Err, "\n") != 1 || !strings.Contains(o.Err, "no Dapr sidecar at http://127.0.0.1:1: ") {
		t.Errorf("status %d, %q\n%s", o.Status, o.Err, o.Out)
	}
	runnertest.Refuses(t, program(), "wanted is an address like http://127.0.0.1:3501", "-members", "1", "-listen", "a:1", "-url", "localhost:3500")
	runnertest.Refuses(t, program(), "-url needs -listen", "-members", "1", "-url", "http://127.0.0.1:3500")
}
