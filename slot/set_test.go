package slot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/slot"
)

func TestNewSetSortsSlots(t *testing.T) {
	m, err := slot.NewSet("pairs", 360, 7, 2, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 7}, m.Slots()); diff != "" {
		t.Errorf("Slots() (-want +got):\n%s", diff)
	}
}
