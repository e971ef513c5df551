// Package runnertest runs the programs of package runner in tests, as their users do.
package runnertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/examples/internal/runner"
)

// An Output is what a run leaves.
type Output struct {
	Status   int
	Out, Err string
}

// Run runs a program to its end.
func Run(tb testing.TB, p runner.Program, args ...string) Output {
	tb.Helper()
	return RunContext(tb.Context(), p, args...)
}

// RunContext runs a program that is interrupted when the context ends.
func RunContext(ctx context.Context, p runner.Program, args ...string) Output {
	var out, err strings.Builder
	status := p.Run(ctx, args, &out, &err)
	return Output{status, out.String(), err.String()}
}

// Next returns the next value of a channel, or ends the test if none comes.
func Next[T any](tb testing.TB, from <-chan T) (value T) {
	tb.Helper()
	select {
	case value = <-from:
	case <-time.After(10 * time.Second):
		tb.Fatal("nothing came in ten seconds")
	}
	return value
}

// Passes runs a program, fails the test unless all its phases pass, and checks that the output has all of want.
func Passes(tb testing.TB, p runner.Program, args []string, want ...string) Output {
	tb.Helper()
	o := Run(tb, p, args...)
	if o.Status != 0 || o.Err != "" || strings.Contains(o.Out, "FAIL") || !strings.Contains(o.Out, "\nPASS: all ") {
		tb.Errorf("%s %v: status %d, %s\n%s", p.Name, args, o.Status, o.Err, o.Out)
	}
	o.has(tb, want)
	return o
}

// Fails runs a program whose delivery has a fault, and checks that it fails, and says all of want.
func Fails(tb testing.TB, p runner.Program, args []string, want ...string) Output {
	tb.Helper()
	if p.Silence == 0 {
		p.Silence = time.Second
	}
	o := Run(tb, p, args...)
	if o.Status != 1 || o.Err != "" || !strings.Contains(o.Out, "\nFAIL: ") {
		tb.Errorf("%s %v: status %d, %s\n%s", p.Name, args, o.Status, o.Err, o.Out)
	}
	o.has(tb, want)
	return o
}

// Dead runs a program with an address where nobody answers, and checks that it ends soon with one line that has want.
func Dead(tb testing.TB, p runner.Program, address, want string) {
	tb.Helper()
	ends(tb, p, 1, want, "-"+p.Address.Flag, address)
}

// Refuses runs a program with a wrong command line, and checks that it ends with one line that has
// want, and that the help it points to is there and fits a terminal.
func Refuses(tb testing.TB, p runner.Program, want string, args ...string) {
	tb.Helper()
	help := Run(tb, p, "-h")
	if help.Status != 0 || help.Err != "" || !strings.Contains(help.Out, " ./"+p.Name+" ") {
		tb.Errorf("%s -h: %+v", p.Name, help)
	}
	for line := range strings.Lines(help.Out) {
		if len(strings.TrimRight(line, "\n")) > 80 {
			tb.Errorf("%s -h: wider than 80 columns: %s", p.Name, line)
		}
	}
	ends(tb, p, 2, want, args...)
}

func ends(tb testing.TB, p runner.Program, status int, want string, args ...string) {
	tb.Helper()
	start := time.Now()
	o := Run(tb, p, args...)
	if o.Status != status || o.Out != "" || strings.Count(o.Err, "\n") != 1 || !strings.HasPrefix(o.Err, p.Name+": ") || !strings.Contains(o.Err, want) {
		tb.Errorf("%s %v: status %d, want %d and one line with %q:\n%s%s", p.Name, args, o.Status, status, want, o.Out, o.Err)
	}
	if took := time.Since(start); took > 30*time.Second {
		tb.Errorf("%s %v: took %v", p.Name, args, took)
	}
}

func (o Output) has(tb testing.TB, want []string) {
	tb.Helper()
	for _, text := range want {
		if !strings.Contains(o.Out, text) {
			tb.Errorf("the output has not %q:\n%s", text, o.Out)
		}
	}
}
