package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

func TestMain(m *testing.M) {
	if os.Getenv("NATS_EXAMPLE") != "" { // TestSignal runs the program in this binary
		main()
	}
	goleak.VerifyTestMain(m)
}

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: nats-server 2.", "324 events (112 in binary mode)", "demo:2/3                130       194",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events are lost")
	runnertest.Passes(t, program(), []string{"-members", "7"}, "7 of 7 members running")
}

// With a queue group each event reaches one random member, which is most often not its own.
func TestQueueSubscribeLoses(t *testing.T) {
	p := program()
	p.Open = func(_ context.Context, site *runner.Site) (runner.Engine, error) {
		return open(site, func(nc *nats.Conn, topic string, filter *slot.Filter, counter *slot.Counter, handle func(*nats.Msg, slot.Verdict)) (*nats.Subscription, error) {
			return nc.QueueSubscribe(topic, "workers", divide(filter, counter, handle))
		})
	}
	runnertest.Fails(t, p, nil, "lost: ", "member-0 received ", "the broker shares the events out",
		"handled the command 0 times")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "nats://127.0.0.1:1", "no NATS server at nats://127.0.0.1:1")
	runnertest.Refuses(t, program(), "the scheme is none of", "-url", "http://127.0.0.1")
}

// The program as a process: a signal ends publishing, and the report is printed.
func TestSignal(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-duration", "1h", "-rate", "2000")
		cmd.Env = append(os.Environ(), "NATS_EXAMPLE=1")
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stdout)
		for line := ""; !strings.HasSuffix(line, "members running\n"); {
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(lines)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || !strings.HasSuffix(string(rest), "\nPASS: all 1 phases\n") {
			t.Errorf("%v: %v\n%s", signal, err, rest)
		}
	}
}
