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
		"broker: Watermill's GoChannel", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events are lost")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// start starts a NATS server on a port of its own.
func start(t *testing.T) (url string) {
	t.Helper()
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	if !srv.ReadyForConnections(5 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return srv.ClientURL()
}

func TestNATS(t *testing.T) {
	runnertest.Passes(t, program(), []string{"-url", start(t)}, "324 events (112 in binary mode)", "through Watermill")
}

// Subscribers with one queue group share the messages out.
func TestQueueGroupLoses(t *testing.T) {
	p := program()
	p.Open = func(_ context.Context, site *runner.Site) (runner.Engine, error) { return open(site, "workers") }
	runnertest.Fails(t, p, []string{"-url", start(t)}, "lost: ", "the broker shares the events out")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}
