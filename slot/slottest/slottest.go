// Package slottest finds routing keys for a wanted slot, for users' tests of their own consumers:
// "this event is ours, that one is not".
package slottest

import (
	"strconv"
	"testing"

	"github.com/slotkey/slotkey/slot"
)

// Key returns a routing key whose slot in a group of size slots is slot. It is the same in
// every run. A size or slot that no group can have ends the test with an error that says so.
func Key(tb testing.TB, size, slot int) string {
	tb.Helper()
	return Keys(tb, size, slot, 1)[0]
}

// Keys returns n different keys of one slot, as [Key] does. n is at least 1.
func Keys(tb testing.TB, size, wanted, n int) []string {
	tb.Helper()
	m, err := slot.New(slot.Config{Group: "slottest", Size: size, Index: wanted})
	if err != nil {
		tb.Fatalf("slottest: no key has that slot: %v", err)
	}
	if n < 1 {
		tb.Fatalf("slottest: n is %d, want at least 1", n)
	}
	keys := make([]string, 0, n)
	for i := 0; len(keys) < n; i++ {
		if key := "key-" + strconv.Itoa(i); m.Owns(key) {
			keys = append(keys, key)
		}
	}
	return keys
}
