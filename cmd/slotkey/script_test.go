package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden output of the scripts anew")

// bin is the folder of the built binary.
var bin string

// TestMain builds the command, for scripts to run as its users do. The test's own binary serves as
// `port`, a port of the slot rule.
func TestMain(m *testing.M) {
	testscript.Main(built{m}, map[string]func(){"port": port})
}

type built struct{ m *testing.M }

func (b built) Run() int {
	dir, err := os.MkdirTemp("", "slotkey")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin = dir
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "slotkey"), ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "go build:", err)
		return 1
	}
	return b.m.Run()
}

func params(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			vectors, err := filepath.Abs("../../testdata/vectors")
			if err != nil {
				return err
			}
			e.Setenv("VECTORS", vectors)
			e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
	}
}

func TestScripts(t *testing.T) {
	if scripts, err := filepath.Glob("testdata/script/*.txtar"); err != nil || len(scripts) < 8 {
		t.Fatalf("found %d scripts (%v), want 8 at least", len(scripts), err)
	}
	testscript.Run(t, params("testdata/script"))
}
