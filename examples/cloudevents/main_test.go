package main

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	cenats "github.com/cloudevents/sdk-go/protocol/nats/v2"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
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

// To the SDK's protocol for NATS an event in binary mode is no event: nobody handles any of them.
// One member answers for them, that of the empty key, except where the data happens to have an id
// of its own.
func TestBinaryModeIsMalformed(t *testing.T) {
	p := program()
	p.Structured = false
	member, err := slot.NewSet("demo", 3)
	if err != nil {
		t.Fatal(err)
	}
	o := runnertest.Fails(t, p, nil)
	binary := regexp.MustCompile(`\((\d+) in binary mode\)`).FindStringSubmatch(o.Out)
	lost := regexp.MustCompile(`lost: (\d+) `).FindStringSubmatch(o.Out)
	if binary == nil || lost == nil || binary[1] == "0" || lost[1] != binary[1] {
		t.Errorf("got %q in binary mode, and %q lost, want as many:\n%s", binary, lost, o.Out)
	}
	malformed := regexp.MustCompile(`(member-\d) has (\d+) events as malformed`).FindAllStringSubmatch(o.Out, -1)
	if want := fmt.Sprintf("member-%d", member.Slot("")); len(malformed) != 1 || malformed[0][1] != want || len(malformed[0][2]) < 2 {
		t.Errorf("got %q, want %s to have most of them as malformed, and nobody else any:\n%s", malformed, want, o.Out)
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}
