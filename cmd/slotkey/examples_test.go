package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The examples of the help texts run, and print what stands below them.
func TestExamplesOfHelp(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/examples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, command := range []string{"slot", "explain", "balance", "plan", "audit", "conform", "vectors", "version"} {
		t.Run(command, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range archive.Files {
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range examplesOf(t, command) {
				commands++
				e.run(t, dir)
			}
		})
	}
	if commands < 15 {
		t.Errorf("%d examples, want 15 at least", commands)
	}
}

type example struct{ command, output string }

// examplesOf reads the help text: lines after "$ " are commands, and the lines below, up to an
// empty one or the next command, what they print.
func examplesOf(t *testing.T, command string) (list []example) {
	help, err := exec.Command(filepath.Join(bin, "slotkey"), "help", command).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(help), "\nExamples:\n")
	text, _, ended := strings.Cut(text, "\nFlags:\n")
	if !found || !ended {
		t.Fatalf("the help of %s has no examples:\n%s", command, help)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, "  ")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, example{command: command})
		} else if len(list) > 0 && strings.TrimSpace(line) != "" {
			list[len(list)-1].output += line
		}
	}
	if len(list) == 0 {
		t.Fatalf("the help of %s has no example:\n%s", command, text)
	}
	return list
}

func (e example) run(t *testing.T, dir string) {
	command := exec.Command("sh", "-c", e.command)
	command.Dir = dir
	command.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	want := 0
	if strings.Contains(e.command, "plan 3 4") || strings.Contains(e.command, "audit") {
		want = 1 // the news are bad
	}
	if got := command.ProcessState.ExitCode(); got != want {
		t.Errorf("%s: status %d, want %d (%v, %s)", e.command, got, want, err, &errs)
	}
	if out.Len() == 0 || errs.Len() > 0 {
		t.Errorf("%s: printed %q, and on standard error %q", e.command, &out, &errs)
	}
	if e.output != "" && out.String() != e.output {
		t.Errorf("%s: printed\n%s\nand the help says\n%s", e.command, &out, e.output)
	}
}
