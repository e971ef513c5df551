package main

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
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
