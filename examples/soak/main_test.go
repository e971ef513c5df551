package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test's own program be the children, as the example's is.
func TestMain(m *testing.M) {
	if config := os.Getenv(childVariable); config != "" {
		os.Exit(childMain(context.Background(), config, os.Stdin, os.Stderr))
	}
	os.Exit(m.Run())
}

// try runs the example and returns its exit status and what it printed.
func try(t *testing.T, s spoil, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs, s)
	if t.Failed() || testing.Verbose() {
		t.Logf("%s\n%s", &out, &errs)
	}
	return status, out.String(), errs.String()
}

const second = time.Second

// Every fault, one after another, on each engine.
func TestEngines(t *testing.T) {
	steps := []step{
		{second, pauseMember, 0, 300 * time.Millisecond, false},
		{second * 11 / 10, killMember, 1, 200 * time.Millisecond, false},
		{second * 12 / 10, slowMember, 2, 500 * time.Millisecond, false},
		{second * 2, downBroker, 0, 200 * time.Millisecond, true},
		{second * 21 / 10, stopMember, 0, 100 * time.Millisecond, false},
		{second * 22 / 10, killMember, 2, 100 * time.Millisecond, false}, // while it has no broker, or has just found it again
		{second * 3, twin, 1, 0, false},
		{second * 3, otherSize, 0, 0, false},
		{second * 3, downBroker, 0, 100 * time.Millisecond, false},
	}
	for _, engine := range []string{"jetstream -nodes 1", "redis", "kafka"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel() // most of the time is spent waiting
			args := strings.Fields(engine)
			needed(t, args[0])
			status, out, errs := try(t, spoil{Steps: steps}, append([]string{"-engine"}, append(args, "-duration", "4s", "-rate", "200")...)...)
			if status != 0 || errs != "" || !strings.HasSuffix(out, "\nPASS: all 6 phases\n") {
				t.Errorf("status %d, standard error %q, output\n%s", status, errs, out)
			}
		})
	}
}

func needed(t *testing.T, engine string) {
	if engine != "redis" {
		return
	}
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("there is no redis-server in the PATH")
	}
}

// The proof fails where it should.
func TestSpoiled(t *testing.T) {
	kill := []step{{second, killMember, 0, 100 * time.Millisecond, false}, {second, killMember, 1, 100 * time.Millisecond, false}, {second, killMember, 2, 100 * time.Millisecond, false}}
	for _, test := range []struct {
		name   string
		engine string
		spoil  spoil
		want   []string
	}{
		// Handlers that fall behind, so that the inbox holds acknowledged events when the process is killed.
		{"acknowledged before it is handled", "kafka", spoil{EarlyAck: true, Work: 60, Steps: kill}, []string{"  FAIL  handled by nobody: "}},
		{"a member with another size", "kafka", spoil{Size: 4, Steps: []step{}}, []string{
			"  FAIL  handled by nobody: ", "  FAIL  handled by two members: ", "group soak on [soak.events]: sizes differ, 3 (member-1, member-2), 4 (member-0);",
		}},
		{"again, and no word of why", "kafka", spoil{Mute: true, Steps: kill}, []string{"  FAIL  handled again without evidence that it was delivered again: "}},
		{"foreign events are not acknowledged", "jetstream", spoil{Hold: true, Steps: []step{}, Drain: second}, []string{"  FAIL  soak:", "/3: after 1s: 0 to be delivered, "}},
		{"foreign events hold the position", "kafka", spoil{Hold: true, Steps: []step{}, Drain: second}, []string{"  FAIL  soak:", "/3: after 1s: committed "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			args := []string{"-engine", test.engine, "-duration", "2s", "-seed", "7"}
			if test.engine == "jetstream" {
				args = append(args, "-nodes", "1")
			}
			status, out, errs := try(t, test.spoil, args...)
			if status != 1 || errs != "" || strings.Contains(out, "kept in") {
				t.Errorf("status %d, standard error %q, want 1 and nothing", status, errs)
			}
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is missing in\n%s", want, out)
				}
			}
		})
	}
}

// A child that ends by itself ends the run, with a line that says which; and what it leaves is kept.
func TestLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	steps := []step{{100 * time.Millisecond, killMember, 0, 0, false}, {200 * time.Millisecond, killMember, 7, 0, false}}
	status, out, errs := try(t, spoil{Steps: steps}, "-engine", "kafka", "-duration", "2s")
	if want := "soak: member 7 does not run\n"; status != 1 || errs != want || !strings.Contains(out, "are kept in "+os.TempDir()) {
		t.Errorf("status %d, %q, want 1 and %q\n%s", status, errs, want, out)
	}
}

// A signal ends publishing and faults; what there is comes to its end, and is judged.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	out := &trigger{text: "member 0 is paused", then: cancel}
	steps := []step{{second, pauseMember, 0, time.Hour, false}, {second, killMember, 1, time.Hour, false}, {2 * time.Hour, killMember, 2, 0, false}}
	var errs bytes.Buffer
	status := run(ctx, []string{"-engine", "kafka", "-duration", "3h"}, out, &errs, spoil{Steps: steps})
	if status != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "  interrupted: what was published is handled, and judged\n") ||
		!strings.Contains(out.String(), "; 2 faults: kills 1, pauses 1\n") || !strings.HasSuffix(out.String(), "\nPASS: all 4 phases\n") {
		t.Errorf("status %d, %q\n%s", status, errs.String(), out)
	}
	out.Reset()
	if status := run(ctx, []string{"-engine", "kafka"}, out, &errs, spoil{}); status != 1 || errs.String() != "soak: interrupted\n" {
		t.Errorf("before the first event: status %d, %q\n%s", status, errs.String(), out)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, %v", left, err)
	}
}

// A trigger is a buffer that calls then when a second has passed since a text was written.
type trigger struct {
	bytes.Buffer
	text string
	then func()
}

func (b *trigger) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(b.text)) {
		time.AfterFunc(second, b.then)
	}
	return b.Buffer.Write(p)
}

func TestWrongUse(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-engine=", `-engine "" is none of jetstream, redis, kafka`},
		{"-engine pulsar", `-engine "pulsar" is none of jetstream, redis, kafka`},
		{"-engine kafka x", `"x" is not a flag; there are no other arguments`},
		{"-engine kafka -duration 10ms", "-duration 10ms is not from 1s to 24h"},
		{"-engine kafka -duration soon", `invalid value "soon" for flag -duration: parse error`},
		{"-engine kafka -rate 5", "-rate 5 is not from 10 to 100000, nor 0"},
		{"-engine kafka -members 0", "-members 0 is not from 1 to 16"},
		{"-engine kafka -entities 1", "-entities 1 is not from 10 to 100000"},
		{"-engine kafka -faults some", `-faults "some" is neither all nor none`},
		{"-engine kafka -nodes 3", "-nodes is for -engine jetstream: the other engines run on one server"},
		{"-engine jetstream -nodes 2", "-nodes 2 is neither 1 nor 3"},
		{"-engine kafka -seed x", `invalid value "x" for flag -seed: parse error`},
		{"-x", "flag provided but not defined: -x"},
	} {
		status, out, errs := try(t, spoil{}, strings.Fields(test.args)...)
		if want := "soak: " + test.want + " (-h shows how to use it)\n"; status != 2 || out != "" || errs != want {
			t.Errorf("%s: status %d, %q, want 2 and %q", test.args, status, errs, want)
		}
	}
	if status, out, errs := try(t, spoil{}, "-h"); status != 0 || out != usage || errs != "" {
		t.Errorf("-h: status %d, %q", status, errs)
	}
}

func TestWithoutRedis(t *testing.T) {
	t.Setenv("PATH", "")
	status, _, errs := try(t, spoil{}, "-engine", "redis")
	if want := "soak: there is no redis-server in the PATH (Debian: apt-get install redis-server)\n"; status != 1 || errs != want {
		t.Errorf("status %d, %q, want 1 and %q", status, errs, want)
	}
}

// The line that is printed gives the same options, and so the same schedule.
func TestCommand(t *testing.T) {
	for _, args := range []string{"-engine redis", "-engine jetstream -nodes 1 -faults none -rate 0", "-engine kafka -members 7 -entities 10 -duration 90s -seed 5"} {
		o, err := parse(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(strings.Fields(o.command())[5:])
		if err != nil || again != o {
			t.Errorf("%s: %q is %+v, %v; want %+v", args, o.command(), again, err, o)
		}
	}
}
