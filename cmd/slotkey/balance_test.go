//go:build linux

package main_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Memory does not grow with the number of keys.
func TestBalanceOfTenMillionKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("ten million keys take some seconds")
	}
	const keys, limit = 10_000_000, 200 << 20
	command := exec.Command(filepath.Join(bin, "slotkey"), "balance", "--size", "12", "--json", "-")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	command.Stdout = &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewWriterSize(input, 1<<16)
	var line []byte
	for i := range keys {
		line = strconv.AppendInt(append(line[:0], "order-"...), int64(i), 10)
		if _, err := lines.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	if err := lines.Flush(); err != nil {
		t.Fatal(err)
	}
	input.Close()
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := `{"events":10000000,`; !strings.HasPrefix(output.String(), want) {
		t.Errorf("got %.100s, want %s…", output.String(), want)
	}
	used := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d MB at most", used>>20)
	if used > limit {
		t.Errorf("%d MB at most, want %d", used>>20, limit>>20)
	}
}
