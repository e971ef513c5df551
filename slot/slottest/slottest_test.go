package slottest_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestKeyHasItsSlot(t *testing.T) {
	for _, size := range []int{1, 2, 3, 7, 64, 360, slot.MaxSize} {
		m, err := slot.NewSet("pairs", size)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for wanted := range size {
			key := slottest.Key(t, size, wanted)
			if got := m.Slot(key); got != wanted {
				t.Errorf("Key(%d, %d) = %q, whose slot is %d", size, wanted, key, got)
			}
			if key == "" {
				t.Errorf("Key(%d, %d) is empty, which is no key", size, wanted)
			}
			if other, ok := seen[key]; ok {
				t.Errorf("slots %d and %d of %d have one key, %q", other, wanted, size, key)
			}
			seen[key] = wanted
		}
	}
}

func TestKeys(t *testing.T) {
	m, err := slot.NewSet("pairs", 5)
	if err != nil {
		t.Fatal(err)
	}
	keys := slottest.Keys(t, 5, 3, 200)
	if len(keys) != 200 || len(slices.Compact(slices.Sorted(slices.Values(keys)))) != 200 {
		t.Fatalf("got %d keys, or one twice: %q", len(keys), keys)
	}
	for _, key := range keys {
		if got := m.Slot(key); got != 3 {
			t.Errorf("%q has slot %d, want 3", key, got)
		}
	}
	if again := slottest.Keys(t, 5, 3, 200); !slices.Equal(keys, again) {
		t.Error("another call gives other keys")
	}
	if got := slottest.Key(t, 5, 3); got != keys[0] {
		t.Errorf("Key = %q, want the first of Keys, %q", got, keys[0])
	}
}

// A fakeTB ends a test as testing.T does, and keeps what it said.
type fakeTB struct {
	testing.TB // nil: any other method would panic
	said       string
}

func (*fakeTB) Helper() {}

func (tb *fakeTB) Fatalf(format string, args ...any) {
	tb.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestWhatEndsATest(t *testing.T) {
	const noKey = "slottest: no key has that slot: slot: "
	for _, test := range []struct {
		size, wanted, n int
		want            string
	}{
		{0, 0, 1, noKey + "group_size 0 is below 1"},
		{-1, 0, 1, noKey + "group_size -1 is below 1"},
		{1025, 0, 1, noKey + "group_size 1025 is above the limit of 1024"},
		{3, 3, 1, noKey + "group_index 3 is not below the group's size of 3 (indexes count from 0)"},
		{3, -1, 1, noKey + "group_index -1 is below 0"},
		{3, 1, 0, "slottest: n is 0, want at least 1"},
		{3, 1, -7, "slottest: n is -7, want at least 1"},
	} {
		tb := &fakeTB{}
		returned := make(chan bool, 1)
		go func() {
			reached := false
			defer func() { returned <- reached }()
			slottest.Keys(tb, test.size, test.wanted, test.n)
			reached = true
		}()
		if <-returned {
			t.Errorf("Keys(%d, %d, %d) returned", test.size, test.wanted, test.n)
		}
		if tb.said != test.want {
			t.Errorf("Keys(%d, %d, %d) says %q, want %q", test.size, test.wanted, test.n, tb.said, test.want)
		}
	}

	tb := &fakeTB{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		slottest.Key(tb, 3, 7)
	}()
	<-done
	if !strings.HasPrefix(tb.said, noKey) {
		t.Errorf("Key(3, 7) says %q", tb.said)
	}
}
