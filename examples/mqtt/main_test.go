package main

import (
	"context"
	"strings"
	"testing"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
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

// Nothing of a run stays on the broker: no session of a member, and none of the publisher.
func TestLeavesNothing(t *testing.T) {
	broker, address, _ := start(t, "127.0.0.1:0")
	runnertest.Passes(t, program(), []string{"-url", address}, "broker: MQTT broker at 127.0.0.1:")
	var left []string
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) { // it ends sessions after it has hung up
		if left = sessions(broker); len(left) == 0 {
			return
		}
	}
	t.Errorf("sessions left: %q", left)
}

func sessions(broker *mochi.Server) (ids []string) {
	for id := range broker.Clients.GetAll() {
		if strings.HasPrefix(id, "demo-") || strings.HasPrefix(id, "member-") {
			ids = append(ids, id)
		}
	}
	return ids
}
