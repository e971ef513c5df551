package inbox_test

import (
	"testing"

	"github.com/slotkey/slotkey/examples/internal/inbox"
)

// shares counts, by lane, the keys of one member of a group.
func shares(size, index, lanes int, lane func(uint32) int) []int {
	counts := make([]int, lanes)
	for key, found := 0, 0; found < 500*lanes; key++ {
		if s := sum(key); int(s%uint32(size)) == index {
			counts[lane(s)]++
			found++
		}
	}
	return counts
}

// In every member of a group of any size all lanes have their share.
func TestEveryLaneHasItsShare(t *testing.T) {
	for size := 1; size <= 12; size++ {
		for _, lanes := range []int{2, 3, 4, 8, 12} {
			counts := shares(size, size-1, lanes, func(sum uint32) int { return inbox.Lane(sum, lanes) })
			for lane, n := range counts {
				if n < 390 || n > 610 { // five standard deviations of 500
					t.Errorf("size %d: lane %d of %d has %d keys, want about 500", size, lane, lanes, n)
				}
			}
		}
	}
}

// What Lane is for: the sum's remainder leaves lanes idle wherever size and lanes have a common divisor.
func TestTheSumAloneLeavesLanesIdle(t *testing.T) {
	for _, test := range []struct{ size, lanes, busy int }{{4, 4, 1}, {2, 4, 2}, {6, 4, 2}, {4, 6, 3}, {3, 4, 4}} {
		busy := 0
		for _, n := range shares(test.size, 1, test.lanes, func(sum uint32) int { return int(sum % uint32(test.lanes)) }) {
			if n > 0 {
				busy++
			}
		}
		if busy != test.busy {
			t.Errorf("size %d, sum mod %d: %d lanes have keys, want %d", test.size, test.lanes, busy, test.busy)
		}
	}
}

// The quotient fills all lanes, but changes with the size: a key whose member stays changes its
// lane all the same. Lane knows no size.
func TestTheQuotientMovesKeysInAResize(t *testing.T) {
	const lanes = 4
	moved, stay := 0, 0
	for key := range 10_000 {
		s := sum(key)
		if s%3 != s%6 {
			continue // another member
		}
		stay++
		if s/3%lanes != s/6%lanes {
			moved++
		}
	}
	if moved < stay/2 {
		t.Errorf("from size 3 to 6 the quotient moves %d of %d keys that stay with their member; it was to show that it moves most", moved, stay)
	}
}

// The finalizer's values, so that what is copied can be checked: fmix32(1), fmix32(2^32-1) as
// published with MurmurHash3 (its hash of no bytes with that seed).
func TestLaneValues(t *testing.T) {
	for sum, want := range map[uint32]uint32{0: 0, 1: 0x514e28b7, 0xffffffff: 0x81f16f39} {
		if got := inbox.Lane(sum, 1000); got != int(want%1000) {
			t.Errorf("Lane(%#x, 1000) = %d, want %d", sum, got, want%1000)
		}
	}
}
