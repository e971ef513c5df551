package main

import (
	"context"
	"testing"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"through the CloudEvents SDK", "324 events (0 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events are lost")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Consumers of one queue share the events out.
func TestQueueSubscriberLoses(t *testing.T) {
	p := program()
	p.Open = func(_ context.Context, site *runner.Site) (runner.Engine, error) {
		return open(site, &cenats.QueueSubscriber{Queue: "workers"})
	}
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// To the SDK's protocol for NATS an event in binary mode is no event: one member answers for all of them.
func TestBinaryModeIsMalformed(t *testing.T) {
	p := program()
	p.Structured = false
	runnertest.Fails(t, p, nil, "lost: ")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}
