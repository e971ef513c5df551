package slot_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot"
)

func TestZeroMemberIsDedicated(t *testing.T) {
	var m slot.Member
	if !m.Dedicated() || m.Group() != "" || m.Size() != 0 || len(m.Slots()) != 0 {
		t.Errorf("dedicated %t, group %q, size %d, slots %v", m.Dedicated(), m.Group(), m.Size(), m.Slots())
	}
	for _, s := range []int{-1, 0, 1, math.MaxInt} {
		if m.Holds(s) {
			t.Errorf("Holds(%d)", s)
		}
	}
	for _, key := range []string{"", "EUR/USD", "\xff"} {
		if !m.Owns(key) || m.Slot(key) != -1 {
			t.Errorf("%q: owns %t, slot %d", key, m.Owns(key), m.Slot(key))
		}
	}
}

func TestMemberHoldsItsSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := groupSize().Draw(t, "size")
		slots := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 0, size, rapid.ID[int]).Draw(t, "slots")
		given := slices.Clone(slots)
		m := memberOf(t, "pairs", size, slots...)
		if !slices.Equal(slots, given) {
			t.Fatalf("NewSet reordered the caller's slots: %v", slots)
		}
		if m.Size() != size || m.Group() != "pairs" || m.Dedicated() {
			t.Fatalf("%v: size %d, group %q, dedicated %t", m, m.Size(), m.Group(), m.Dedicated())
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(slots)), m.Slots()); diff != "" {
			t.Fatalf("Slots() (-want +got):\n%s", diff)
		}
		for s := -1; s <= size+8; s++ {
			if got, want := m.Holds(s), slices.Contains(slots, s); got != want {
				t.Fatalf("%v: Holds(%d) = %t, want %t", m, s, got, want)
			}
		}
		for _, s := range []int{math.MinInt, math.MaxInt, math.MinInt32, math.MaxInt32} {
			if m.Holds(s) {
				t.Fatalf("%v: Holds(%d)", m, s)
			}
		}
	})
}

func TestSlotsAreTheCallers(t *testing.T) {
	m := memberOf(t, "pairs", 360, 7, 2, 0, 1)
	m.Slots()[0] = 300
	if diff := cmp.Diff([]int{0, 1, 2, 7}, m.Slots()); diff != "" {
		t.Errorf("Slots() (-want +got):\n%s", diff)
	}
}

// Members are equal if and only if group, size and slots are: as map keys, and whatever made them.
func TestMembersCompare(t *testing.T) {
	seen := map[slot.Member]string{}
	for name, m := range map[string]slot.Member{
		"dedicated": {},
		"0/3":       member(t, "pairs", 3, 0),
		"1/3":       member(t, "pairs", 3, 1),
		"0/4":       member(t, "pairs", 4, 0),
		"0/8":       member(t, "pairs", 8, 0), // as many bytes as 0/3 inside
		"trades":    member(t, "trades", 3, 0),
		"none/3":    memberOf(t, "pairs", 3),
		"none/4":    memberOf(t, "pairs", 4),
		"0-1/3":     memberOf(t, "pairs", 3, 0, 1),
	} {
		if other, ok := seen[m]; ok {
			t.Errorf("%s == %s", name, other)
		}
		seen[m] = name
	}
	if member(t, "pairs", 3, 1) != memberOf(t, "pairs", 3, 1) {
		t.Error("New and NewSet of one slot differ")
	}
	if memberOf(t, "pairs", 3, 2, 0) != memberOf(t, "pairs", 3, 0, 2) {
		t.Error("the order of slots makes a difference")
	}
}
