package slot_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

const inChild = "SLOTKEY_TEST_CHILD"

// verdicts is a digest of what members of several groups say to the same events, which a fixed seed makes.
func verdicts(t *testing.T) string {
	random := rand.New(rand.NewPCG(1, 2))
	digest := sha256.New()
	rules := []routing.Rule{{}, ruleOf(t, "tenant+subject,topic[1],id bypass=control.>")}
	for range 2000 {
		var e routing.Event
		for _, field := range []*string{&e.Topic, &e.Subject, &e.ID} {
			b := make([]byte, random.IntN(4)*random.IntN(20))
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			*field = string(b)
		}
		e.Attributes = map[string]string{"tenant": e.ID, "source": e.Topic}
		size := 1 + random.IntN(slot.MaxSize)
		f := slot.NewFilter(member(t, "pairs", size, random.IntN(size)))
		for _, r := range rules {
			fmt.Fprintf(digest, "%+v\n", f.WithRule(r).Decide(e))
		}
	}
	return fmt.Sprintf("verdicts %x", digest.Sum(nil))
}

// Nothing of a process enters a verdict: no seed, no address, no order of a map.
func TestAnotherProcessSaysTheSame(t *testing.T) {
	want := verdicts(t)
	if os.Getenv(inChild) != "" {
		fmt.Println(want)
		return
	}
	out, err := again(t.Name())
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, want+"\n") {
		t.Errorf("another process says\n%s\nwant %s", out, want)
	}
}

// again runs one test of this binary in another process. Where the binary is for another processor
// (an emulator runs the tests then, and the kernel does not know), the emulator is named.
func again(test string) (out string, err error) {
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	args := []string{binary, "-test.run=^" + test + "$", "-test.count=1"}
	for _, emulator := range []string{"", "qemu-" + runtime.GOARCH + "-static", "qemu-" + runtime.GOARCH} {
		command := exec.Command(args[0], args[1:]...)
		if emulator != "" {
			command = exec.Command(emulator, args...)
		}
		command.Env = append(os.Environ(), inChild+"=1")
		var b []byte
		b, err = command.CombinedOutput()
		if err == nil || !errors.Is(err, syscall.ENOEXEC) && !errors.Is(err, exec.ErrNotFound) {
			return string(b), err
		}
	}
	return "", err
}
