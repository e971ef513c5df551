package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What a newcomer sees, to the letter.
const defaultOutput = `fan-out: 1 event -> 3 marker(s) from 3 worker(s) (fanout-0, fanout-1, fanout-2)
  PASS  dedicated workers on one topic: each handles every event
exactly-one: 3 events -> 3 marker(s); per-event counts [1, 1, 1]
  PASS  one topic per worker, and a publisher that routes: routed-1 has orders/1, routed-0 has orders/2, routed-2 has orders/4
group: 3 events -> 3 marker(s); per-event counts [1, 1, 1]
  PASS  one topic, group=scaling-demo: group-1 has orders/1, group-0 has orders/2, group-2 has orders/4
command: 1 event on wrk.demo.command.group-1 -> 3 marker(s) from 3 worker(s) (group-0, group-1, group-2)
  PASS  orders/1 went to one member of the group; as a command it reaches all
events: 324 events, 64 subjects -> 324 marker(s) from 3 member(s)
  PASS  each event handled exactly once, none lost, each subject in order; 36 without a subject went by id
        member              handled   dropped      keys
        scaling-demo:0/3        104       220        33
        scaling-demo:1/3         90       234        29
        scaling-demo:2/3        130       194        38
PASS: all 5 phases
`

// The built program, as a process with pipes.
func TestProgram(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), program)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, %s", err, &stderr)
	}
	broker, got, _ := strings.Cut(string(out), "\n")
	if !strings.HasPrefix(broker, "broker: nats-server 2.") || !strings.HasSuffix(broker, ", embedded in this process") {
		t.Errorf("the first line is %q", broker)
	}
	if got != defaultOutput {
		t.Errorf("got\n%s\nwant\n%s", got, defaultOutput)
	}
}

func TestMembers(t *testing.T) {
	for _, c := range []struct{ members, want string }{
		{"1", "scaling-demo:0/1        324         0       100"},
		{"7", "scaling-demo:6/7 "},
		{"64", "\n           48:"},
	} {
		o := try(t, faults{}, "-members", c.members)
		o.passes(t)
		o.has(t, c.want)
		o.has(t, "324 events, 64 subjects -> 324 marker(s) from "+c.members+" member(s)\n")
	}
}

func TestRepeat(t *testing.T) {
	o := try(t, faults{}, "-repeat", "10", "-members", "4")
	o.passes(t)
	o.has(t, "events: 3240 events, 64 subjects -> 3240 marker(s) from 4 member(s)\n")
}

// Real events of other projects repeat ids and have few subjects.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	same := `{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"a"}`
	for name, text := range map[string]string{
		"a.json":   strings.ReplaceAll(same, ",", ",\n  "),
		"b.ndjson": same + "\n" + same + "\n",
		"c.json":   "[" + same + "," + strings.ReplaceAll(same, `"a"`, "null") + "]",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := try(t, faults{}, "-events", dir, "-repeat", "200")
	o.passes(t)
	o.has(t, "events: 1000 events, 1 subjects -> 1000 marker(s) from 3 member(s)\n")
	o = try(t, faults{}, "-events", filepath.Join(dir, "b.ndjson"))
	o.passes(t)
	o.has(t, "events: 2 events, ")
}

// A window of large events ends before it is full, so that nobody is drowned.
func TestLargeEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.json")
	large := `{"specversion":"1.0","id":"1","type":"t","source":"s","data":"` + strings.Repeat("x", 1_000_000) + `"}`
	if err := os.WriteFile(path, []byte(large), 0o644); err != nil {
		t.Fatal(err)
	}
	try(t, faults{}, "-events", path, "-repeat", "6", "-members", "1").passes(t)

	if err := os.WriteFile(path, []byte(strings.Replace(large, "xx", strings.Repeat("x", 100_000), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	o := try(t, faults{}, "-events", path)
	want := "scaling: " + path + ", line 1: the event has 1100062 bytes; with headers this server takes 1048576\n"
	if o.status != 1 || o.err != want {
		t.Errorf("status %d, %q; want 1, %q", o.status, o.err, want)
	}
}

func TestHelp(t *testing.T) {
	for _, flag := range []string{"-h", "-help", "--help"} {
		o := try(t, faults{}, flag)
		if o.status != 0 || o.out != usage || o.err != "" {
			t.Errorf("%s: %+v", flag, o)
		}
	}
	for line := range strings.Lines(usage) {
		if len(line) > 81 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	noEvent := filepath.Join(dir, "x.json")
	if err := os.WriteFile(noEvent, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-members 0", 2, "-members 0: slot: group_size 0 is below 1"},
		{"-members -1", 2, "-members -1: slot: group_size -1 is below 1"},
		{"-members 1025", 2, "-members 1025: slot: group_size 1025 is above the limit of 1024"},
		{"-members 2000", 2, "-members 2000: slot: group_size 2000 is above the limit of 1024"},
		{"-members three", 2, `invalid value "three" for flag -members`},
		{"-members 99999999999999999999", 2, "invalid value"},
		{"-repeat 0", 2, "-repeat 0 is not between 1 and 1000000000"},
		{"-repeat -5", 2, "-repeat -5 is not"},
		{"-repeat 2000000000", 2, "-repeat 2000000000 is not"},
		{"-member 3", 2, "flag provided but not defined: -member"},
		{"-members", 2, "flag needs an argument: -members"},
		{"3", 2, `"3" is not a flag`},
		{"-members 3 more", 2, `"more" is not a flag`},
		{"-url=", 2, "-url is empty"},
		{"-events=", 2, "-events is empty"},
		{"-url http://localhost", 2, "the scheme is none of"},
		{"-url nats://127.0.0.1:1", 1, "no NATS server at nats://127.0.0.1:1: no servers available"},
		{"-events " + filepath.Join(dir, "none"), 1, "no such file"},
		{"-events " + t.TempDir(), 1, "no file that ends in"},
		{"-events " + noEvent, 1, noEvent + ", line 1: not a CloudEvent"},
	} {
		o := try(t, faults{}, strings.Fields(c.args)...)
		if o.status != c.status || !strings.Contains(o.err, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, o.status, o.err, c.status, c.want)
		}
		if strings.Count(o.err, "\n") != 1 || !strings.HasPrefix(o.err, "scaling: ") || o.out != "" {
			t.Errorf("%s: not one line: %q, %q", c.args, o.err, o.out)
		}
	}
}

// The shell sees the status too.
func TestStatus(t *testing.T) {
	for flag, want := range map[string]int{"-members=0": 2, "-events=no-such-file": 1} {
		cmd := exec.CommandContext(t.Context(), program, flag)
		if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Errorf("%s: %v, want status %d", flag, err, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), program, "-repeat", "1000000")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out := bufio.NewReader(stdout)
		for line := ""; !strings.HasPrefix(line, "command: "); {
			if line, err = out.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, out)
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != 1 {
			t.Errorf("%v: status %d, want 1", signal, got)
		}
		if got := stderr.String(); !strings.HasPrefix(got, "scaling: ") || !strings.HasSuffix(got, "interrupted\n") || strings.Count(got, "\n") != 1 {
			t.Errorf("%v: stderr is %q", signal, got)
		}
	}
}
