package cloudevent_test

import (
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// tb is a *testing.T, *testing.B, *testing.F or *rapid.T.
type tb = rapid.TB

// filterOf returns the filter of a member that has one slot of a group.
func filterOf(t tb, size, index int) *slot.Filter {
	t.Helper()
	m, err := slot.New(slot.Config{Group: "pairs", Size: size, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	return slot.NewFilter(m)
}

// fullGroup returns the filters of members that have one slot each, and together all.
func fullGroup(t tb, size int) []*slot.Filter {
	t.Helper()
	filters := make([]*slot.Filter, size)
	for index := range filters {
		filters[index] = filterOf(t, size, index)
	}
	return filters
}

// ruleOf parses a rule.
func ruleOf(t tb, text string) routing.Rule {
	t.Helper()
	r, err := routing.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkOne checks that a message without a command has exactly one member that answers for it, and
// that all members see the same slot and sum.
func checkOne(t tb, filters []*slot.Filter, decide func(*slot.Filter) slot.Verdict) {
	t.Helper()
	admitted := 0
	first := decide(filters[0])
	for _, f := range filters {
		v := decide(f)
		if v.Admit() {
			admitted++
			if v.Slot < 0 || !f.Member().Holds(v.Slot) {
				t.Fatalf("%v admits slot %d, which it does not hold", f.Member(), v.Slot)
			}
		}
		if v.Slot != first.Slot || v.Sum != first.Sum {
			t.Fatalf("%v sees slot %d and sum %08x, and %v sees %d and %08x",
				f.Member(), v.Slot, v.Sum, filters[0].Member(), first.Slot, first.Sum)
		}
	}
	if admitted != 1 {
		t.Fatalf("%d members of %d admit it", admitted, len(filters))
	}
}

// decideOn returns what checkOne asks for: the verdict on a structured body.
func decideOn(topic string, body []byte) func(*slot.Filter) slot.Verdict {
	return func(f *slot.Filter) slot.Verdict { return cloudevent.Decide(f, topic, body) }
}

func sumOf(key string) uint32 { return hashpin.Sum32String(key) }
