package conform_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/internal/conform"
)

// run runs a port with a few generated keys.
func run(t *testing.T, name string, patience time.Duration) (*conform.Result, error) {
	t.Helper()
	return conform.Run(t.Context(), conform.Config{Command: command(t, name), Keys: 2000, Seed: 7, Patience: patience})
}

func TestRightPort(t *testing.T) {
	mustStart(t)
	var last [2]int
	result, err := conform.Run(t.Context(), conform.Config{
		Command: command(t, "right"), Keys: 20_000, Seed: 7,
		Progress: func(answered, total int) { last = [2]int{answered, total} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := result.Keys, (conform.Score{Right: 20_000, Sent: 20_000}); got != want {
		t.Errorf("keys: got %v, want %v", got, want)
	}
	if got := result.Vectors; got.Right != got.Sent || got.Sent < 4000 {
		t.Errorf("vectors: got %v, want all of at least 4000", got)
	}
	total := result.Vectors.Sent + 20_000
	if want := [2]int{total, total}; last != want {
		t.Errorf("last progress: got %v, want %v", last, want)
	}
	if got, want := result.Port.Capabilities, []string{"nul", "bytes", "deal", "json"}; !slices.Equal(got, want) {
		t.Errorf("capabilities: got %q, want %q", got, want)
	}
	if result.Rate() <= 0 {
		t.Errorf("rate: got %v, want more than 0", result.Rate())
	}
}

// A port is asked only what it declares: the fewer capabilities, the fewer vectors; the keys are as many.
func TestCapabilities(t *testing.T) {
	mustStart(t)
	sent := map[string]int{}
	for _, name := range []string{"right", "no capabilities", "bytes alone", "nul alone"} {
		result, err := run(t, name, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, want := result.Keys.Right, 2000; got != want {
			t.Errorf("%s: got %d keys, want %d", name, got, want)
		}
		sent[name] = result.Vectors.Sent
	}
	none, all := sent["no capabilities"], sent["right"]
	for _, some := range []string{"bytes alone", "nul alone"} {
		if !(none < sent[some] && sent[some] < all) {
			t.Errorf("%s: %d vectors, want more than %d (none) and fewer than %d (all)", some, sent[some], none, all)
		}
	}
}

func TestMistakes(t *testing.T) {
	mustStart(t)
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			result, err := run(t, m.name, 0)
			var fault *conform.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a fault", err)
			}
			if fault.Kind != conform.Wrong || fault.Stage != m.stage {
				t.Errorf("got %q, stage %q; want %q, stage %q", fault.Kind, fault.Stage, conform.Wrong, m.stage)
			}
			if fault.Reason != m.cause {
				t.Errorf("cause: got %q, want %q", fault.Reason, m.cause)
			}
			if fault.Stages[m.stage] == 0 || result.Vectors.Right == result.Vectors.Sent {
				t.Errorf("got %v by stage and %v in all, want some wrong vectors", fault.Stages, result.Vectors)
			}
			report := fault.Detail()
			for _, want := range []string{"stage " + string(m.stage), "request", "due", "got"} {
				if !strings.Contains(report, want) {
					t.Errorf("the report does not say %q:\n%s", want, report)
				}
			}
		})
	}
}

func TestFailures(t *testing.T) {
	mustStart(t)
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			patience := time.Minute
			if slices.Contains([]conform.Kind{conform.Silent, conform.Lingers}, f.kind) || f.name == "closes its output" {
				patience = 2 * time.Second
			}
			_, err := run(t, f.name, patience)
			var fault *conform.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a fault", err)
			}
			if fault.Kind != f.kind || !strings.Contains(fault.Reason, f.reason) {
				t.Errorf("got %q: %s\nwant %q: %s", fault.Kind, fault.Reason, f.kind, f.reason)
			}
			if !strings.Contains(fault.Detail(), string(f.kind)) {
				t.Errorf("the report does not say %q:\n%s", f.kind, fault.Detail())
			}
		})
	}
}

// script writes a shell script and returns the command that runs it.
func script(t *testing.T, lines ...string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	name := filepath.Join(t.TempDir(), "port.sh")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{sh, name}
}

func TestNotStarted(t *testing.T) {
	_, err := conform.Run(t.Context(), conform.Config{Command: []string{filepath.Join(t.TempDir(), "no-such-port")}})
	var fault *conform.Fault
	if !errors.As(err, &fault) || fault.Kind != conform.NotStarted {
		t.Errorf("got %v, want %q", err, conform.NotStarted)
	}
}

func TestKilledPort(t *testing.T) {
	_, err := conform.Run(t.Context(), conform.Config{Command: script(t, `printf 'slotkey-port/1\tsh\t1\t\n'; echo oh dear >&2; kill -9 $$`)})
	var fault *conform.Fault
	if !errors.As(err, &fault) || fault.Kind != conform.Died || !strings.Contains(fault.Reason, "signal: killed") {
		t.Fatalf("got %v, want %q by a signal", err, conform.Died)
	}
	if want := "stderr  oh dear"; !strings.Contains(fault.Detail(), want) {
		t.Errorf("the report lacks %q:\n%s", want, fault.Detail())
	}
}

func TestNoFirstLine(t *testing.T) {
	for _, c := range []struct {
		line string
		kind conform.Kind
	}{
		{"exit 0", conform.Missing},
		{"exit 7", conform.Died},
		{"sleep 3600", conform.Silent},
	} {
		_, err := conform.Run(t.Context(), conform.Config{Command: script(t, c.line), Patience: time.Second})
		var fault *conform.Fault
		if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(fault.Reason, "the first line") {
			t.Errorf("%s: got %v, want %q at the first line", c.line, err, c.kind)
		}
	}
}

// What a port's shell script has started ends with it.
func TestGrandchildren(t *testing.T) {
	began := time.Now()
	_, err := conform.Run(t.Context(), conform.Config{Command: script(t, "sleep 3600 & wait"), Patience: time.Second})
	var fault *conform.Fault
	if !errors.As(err, &fault) || fault.Kind != conform.Silent {
		t.Errorf("got %v, want %q", err, conform.Silent)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v: the grandchild was waited for", took)
	}
}

func TestContext(t *testing.T) {
	mustStart(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := conform.Run(ctx, conform.Config{
		Command: command(t, "right"), Keys: 1_000_000,
		Progress: func(answered, _ int) {
			if answered > 5000 {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []conform.Config{
		{}, {Command: []string{""}}, {Command: []string{"true"}, Keys: -1}, {Command: []string{"true"}, Patience: -1},
	} {
		if _, err := conform.Run(t.Context(), c); err == nil || errors.As(err, new(*conform.Fault)) {
			t.Errorf("%+v: got %v, want an error that is no port's fault", c, err)
		}
	}
}

func TestPrint(t *testing.T) {
	mustStart(t)
	for name, wants := range map[string][]string{
		"right":         {"port: Go 1.0, capabilities: nul, bytes, deal, json\n", "generated keys (seed 7): 2000 of 2000 right", "PASS\n"},
		"signed modulo": {"FAIL\n", "wrong answer, stage modulo: the remainder is signed", "SPEC 3", "wrong in all: "},
	} {
		result, err := run(t, name, 0)
		var b strings.Builder
		conform.Print(&b, result, err)
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: the text lacks %q:\n%s", name, want, b.String())
			}
		}
	}
}
