package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// TestMain lets the test's own program be the members' processes, as the example's is.
func TestMain(m *testing.M) {
	if config := os.Getenv(memberVariable); config != "" {
		os.Exit(memberMain(context.Background(), config, os.Stdin, os.Stderr))
	}
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0") // else the race detector lets each process sleep for a second at its end
	}
	os.Exit(m.Run())
}

// play runs the example, quickly, and returns its exit status and what it printed.
func play(t *testing.T, f faults, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"-events", "1000", "-rate", "1500", "-pictures", t.TempDir()}, args...)
	status = run(t.Context(), args, &out, &errs, f)
	if t.Failed() || testing.Verbose() {
		t.Logf("%s\n%s", &out, &errs)
	}
	return status, out.String(), errs.String()
}

func TestRuns(t *testing.T) {
	for _, layouts := range []string{"3,5", "360/3,360/5", "5,3", "3,2,3", "1,2"} {
		t.Run(layouts, func(t *testing.T) {
			status, out, errs := play(t, faults{}, "-layouts", layouts, "-seed", "5")
			if status != 0 || errs != "" || !strings.HasSuffix(out, "\nPASS: all 1 phases\n") {
				t.Errorf("status %d, standard error %q, output\n%s", status, errs, out)
			}
		})
	}
}

// A running server, and a run after another on it: nothing is left behind that the second stumbles over.
func TestURL(t *testing.T) {
	srv := startServer(t, true)
	for range 2 {
		status, out, errs := play(t, faults{}, "-layouts", "2,3", "-url", srv.ClientURL())
		if status != 0 || errs != "" {
			t.Fatalf("status %d, standard error %q, output\n%s", status, errs, out)
		}
	}
	nc, js, err := connect(t.Context(), srv.ClientURL(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for name := range js.StreamNames(t.Context()).Name() {
		t.Errorf("the stream %s is left behind", name)
	}
}

func startServer(t *testing.T, jetStream bool) *server.Server {
	t.Helper()
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: jetStream, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if !srv.ReadyForConnections(timeout) {
		t.Fatal("the server is not ready")
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	return srv
}

// A member that never hears of the longer plan makes gaps and doubles: the audit says so at the
// switch, and the proof fails.
func TestAMemberWithoutTheTextIsFound(t *testing.T) {
	status, out, _ := play(t, faults{Deaf: 1}, "-layouts", "3,5", "-seed", "5")
	for _, want := range []string{
		"audit: group reshard on [reshard.", "plans differ, ", "give it to member-0 before position 1001",
		"  FAIL  handled by nobody: ", "  FAIL  handled by two members: ", "\nFAIL: 3 -> 5\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	if status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// A member that goes on too far ahead loses events.
func TestAMemberThatLeavesOutEventsIsFound(t *testing.T) {
	status, out, _ := play(t, faults{Ahead: 150}, "-layouts", "3,5", "-seed", "5")
	if status != 1 || !strings.Contains(out, "  FAIL  handled by nobody: ") {
		t.Errorf("status %d, output\n%s", status, out)
	}
}

// An interruptor is output that ends the run when the members have started.
type interruptor struct {
	bytes.Buffer
	interrupt func()
}

func (i *interruptor) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("start with the plan")) {
		i.interrupt()
	}
	return i.Buffer.Write(b)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, errs := interruptor{interrupt: cancel}, bytes.Buffer{}
	status := run(ctx, []string{"-events", "100000", "-pictures", t.TempDir()}, &out, &errs, faults{})
	if status != 1 || errs.String() != "reshard: interrupted\n" {
		t.Errorf("status %d, standard error %q", status, &errs)
	}
}

func TestWrongCommandLine(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"x", `"x" is not a flag; there are no other arguments`},
		{"-members 3", "flag provided but not defined: -members"},
		{"-events 10", "-events 10 is not from 1000 to 1000000"},
		{"-entities 0", "-entities 0 is not from 10 to 100000"},
		{"-rate 1", "-rate 1 is not from 100 to 100000"},
		{"-layouts 3", "-layouts 3: there must be two or more, with commas between"},
		{"-layouts 3,x", `-layouts 3,x: resize: layout "x" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{"-layouts 3,2000", "-layouts 3,2000: resize: slots 2000 is above the limit of 1024"},
		{"-layouts 3,65", "-layouts 3,65: 65 has 65 members, and this example starts at most 64 processes"},
		{"-layouts 3,3", "-layouts 3,3: 3 follows on itself"},
		{"-layouts 1,2,1,2,1,2,1,2,1,2,1", "-layouts 1,2,1,2,1,2,1,2,1,2,1: there are 11; ten are enough"},
		{"-url http://host", `-url "http://host": the scheme is none of nats, tls, ws, wss`},
		{"-url=", "-url is empty"},
		{"-layouts=", "-layouts is empty"},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), strings.Fields(test.args), &out, &errs, faults{})
		if want := "reshard: " + test.want + " (-h shows how to use it)\n"; status != 2 || errs.String() != want || out.Len() > 0 {
			t.Errorf("%s: status %d, %q, want 2 and %q", test.args, status, errs.String(), want)
		}
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"-h"}, &out, &errs, faults{}); status != 0 || out.String() != usage || errs.Len() > 0 {
		t.Errorf("-h: status %d, %q", status, errs.String())
	}
}

func TestServersThatWillNotDo(t *testing.T) {
	for _, test := range []struct{ url, want string }{
		{"nats://127.0.0.1:1", "reshard: no NATS server: no servers available for connection\n"},
		{startServer(t, false).ClientURL(), "reshard: no JetStream at 127.0.0.1:"},
	} {
		status, out, errs := play(t, faults{}, "-url", test.url)
		if status != 1 || !strings.HasPrefix(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want %q", test.url, status, out, errs, test.want)
		}
	}
}

func TestPicture(t *testing.T) {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"-layouts", "12/2,12/3", "-events", "1000", "-rate", "2000", "-pictures", dir}, &out, &errs, faults{}); status != 0 {
		t.Fatalf("status %d\n%s%s", status, &out, &errs)
	}
	file, err := os.Open(filepath.Join(dir, "12of2-to-12of3.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X < 800 || size.Y < 300 {
		t.Errorf("the picture has %v pixels", size)
	}
}
