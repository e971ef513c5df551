package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// program is the built example.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "scaling")
	if err == nil {
		program = filepath.Join(dir, "scaling")
		var out []byte
		if out, err = exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// An outcome is what a run printed and how it ended.
type outcome struct {
	out, err string
	status   int
}

// try runs the whole program in this process.
func try(t *testing.T, f faults, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), args, &stdout, &stderr, f)
	return outcome{stdout.String(), stderr.String(), status}
}

// passes checks that every phase passed.
func (o outcome) passes(t *testing.T) {
	t.Helper()
	if o.status != 0 || o.err != "" || strings.Contains(o.out, "FAIL") || !strings.HasSuffix(o.out, "\nPASS: all 5 phases\n") {
		t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
	}
}

// has checks that a text stands in the output.
func (o outcome) has(t *testing.T, want string) {
	t.Helper()
	if !strings.Contains(o.out, want) {
		t.Errorf("%q is not in\n%s%s", want, o.out, o.err)
	}
}
