package main

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: mochi-mqtt 2.", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// A shared subscription gives each event to one member.
func TestSharedSubscriptionLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, "$share/workers/")
	}
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "mqtt://127.0.0.1:1", "no MQTT 5 broker at 127.0.0.1:1")
	for url, want := range map[string]string{
		"http://127.0.0.1":           "with one of the schemes",
		"mqtt://":                    "wanted is an address like mqtt://localhost:1883",
		"127.0.0.1:1883":             "-url is malformed",
		"kafka://user:secret@host:1": `"kafka://user:xxxxx@host:1"`,
	} {
		runnertest.Refuses(t, program(), want, "-url", url)
	}
}
