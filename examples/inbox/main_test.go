package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/slot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func try(t *testing.T, sum func(slot.Verdict) uint32, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs, sum)
	return status, out.String(), errs.String()
}

func TestRuns(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "by sum mod 4, 12 of 16 lanes would have been idle:"},
		{"-members 6 -lanes 4 -depth 32", "by sum mod 4, 12 of 24 lanes would have been idle:"},
		{"-members 3 -lanes 1 -depth 32 -events 500", "by sum mod 1, 0 of 3 lanes would have been idle:"},
		{"-members 1 -lanes 5", "by sum mod 5, 0 of 5 lanes would have been idle:"},
		{"-lanes 64 -events 7680", "by sum mod 64, 192 of 256 lanes would have been idle:"},
		{"-members 2 -lanes 1 -depth 32 -events 256", "by sum mod 1, 0 of 2 lanes would have been idle:"},
		{"-members 2 -lanes 2 -depth 1500", "by sum mod 2, 2 of 4 lanes would have been idle:"}, // more than MaxAckPending by default
	} {
		status, out, errs := try(t, nil, strings.Fields(test.args)...)
		if status != 0 || errs != "" || !strings.HasSuffix(out, "\nPASS: all 3 phases\n") || !strings.Contains(out, test.want) {
			t.Errorf("%s: status %d, %q, want %q in\n%s", test.args, status, errs, test.want, out)
		}
	}
}

// Lanes that are not chosen by key break the order, and the example sees it.
func TestOtherLanesBreakTheOrder(t *testing.T) {
	status, out, errs := try(t, func(slot.Verdict) uint32 { return rand.Uint32() })
	if status != 1 || errs != "" || !strings.Contains(out, " times an event came after a later one of its entity\n") || !strings.HasSuffix(out, "\nFAIL: order\n") {
		t.Errorf("status %d, %q\n%s", status, errs, out)
	}
}

// A cutter ends a run as soon as it has shown its first phase.
type cutter struct {
	bytes.Buffer
	cut func()
}

func (c *cutter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("back-pressure")) {
		c.cut()
	}
	return c.Buffer.Write(p)
}

// A running server is used, and left as it was, by a run that is interrupted as well.
func TestURL(t *testing.T) {
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	if !srv.ReadyForConnections(patience) {
		t.Fatal("the server is not ready")
	}
	if status, out, errs := try(t, nil, "-url", srv.ClientURL()); status != 0 || errs != "" {
		t.Errorf("status %d, %q\n%s", status, errs, out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errs := cutter{cut: cancel}, bytes.Buffer{}
	if status := run(ctx, []string{"-url", srv.ClientURL()}, &out, &errs, nil); status != 1 || errs.String() != "inbox: interrupted\n" {
		t.Errorf("interrupted: status %d, %q\n%s", status, &errs, &out)
	}
	nc, err := nats.Connect(srv.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for name := range js.StreamNames(t.Context()).Name() {
		t.Errorf("the stream %s is left behind", name)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if status := run(ctx, nil, &out, &errs, nil); status != 1 || errs.String() != "inbox: interrupted\n" {
		t.Errorf("status %d, %q\n%s", status, errs.String(), &out)
	}
}

func TestWrongUse(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		want   string // the line on stderr, or its beginning
	}{
		{"x", 2, `inbox: "x" is not a flag; there are no other arguments (-h shows how to use it)`},
		{"-members 0", 2, "inbox: -members 0 is not from 1 to 64 (-h"},
		{"-lanes 65", 2, "inbox: -lanes 65 is not from 1 to 64 (-h"},
		{"-depth 31", 2, "inbox: -depth 31 is not from 32 to 10000 (-h"},
		{"-lanes 64 -depth 63", 2, "inbox: -depth 63 is not from 64 to 10000 (-h"},
		{"-events 1000", 2, "inbox: -events 1000 is too few: -members 4, -lanes 4 and -depth 64 need 1024 events (-h"},
		{"-url=", 2, "inbox: -url is empty (-h"},
		{"-url http://host", 2, `inbox: -url "http://host": the scheme is none of nats, tls, ws, wss (-h`},
		{"-url nats://127.0.0.1:1", 1, "inbox: no NATS server at nats://127.0.0.1:1: "},
	} {
		status, out, errs := try(t, nil, strings.Fields(test.args)...)
		if status != test.status || out != "" || !strings.HasPrefix(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %d and %q", test.args, status, errs, test.status, test.want)
		}
	}
	if status, out, errs := try(t, nil, "-h"); status != 0 || out != usage || errs != "" {
		t.Errorf("-h: status %d, %q", status, errs)
	}
}
