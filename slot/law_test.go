package slot_test

import (
	"hash/fnv"
	"math/big"
	"strings"
	"testing"

	"github.com/spaolacci/murmur3"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// slotOf is the slot of a key by packages of other authors and arithmetic without a width (SPEC 3.5 and 4.3).
func slotOf(key string, size int) (slot int, sum uint32) {
	h := fnv.New32a()
	h.Write([]byte(key))
	sum = murmur3.Sum32WithSeed(nil, h.Sum32())
	n := new(big.Int).SetUint64(uint64(sum))
	return int(n.Mod(n, big.NewInt(int64(size))).Int64()), sum
}

// verdictOf is SPEC 7.1 once more, from what a member says of itself.
func verdictOf(m slot.Member, e routing.Event) slot.Verdict {
	tokens := strings.Split(e.Topic, ".")
	key := e.Subject
	if key == "" {
		key = e.ID
	}
	if len(tokens) == 4 && tokens[0] == "wrk" && tokens[1] != "" && tokens[2] == "command" && tokens[3] != "" {
		return slot.Verdict{Kind: slot.Bypass, Slot: -1, Sum: 0}
	}
	if m.Dedicated() {
		_, sum := slotOf(key, 1)
		return slot.Verdict{Kind: slot.Own, Slot: -1, Sum: sum}
	}
	at, sum := slotOf(key, m.Size())
	switch {
	case !m.Holds(at):
		return slot.Verdict{Kind: slot.Foreign, Slot: at, Sum: sum}
	case key == "":
		return slot.Verdict{Kind: slot.Malformed, Slot: at, Sum: sum}
	}
	return slot.Verdict{Kind: slot.Own, Slot: at, Sum: sum}
}

func TestVerdictIsTheSpec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMember().Draw(t, "member")
		f := slot.NewFilter(m)
		for range 4 {
			e := anyEvent().Draw(t, "event")
			if got, want := f.Decide(e), verdictOf(m, e); got != want {
				t.Fatalf("%v on %+v: got %v (%+v), want %+v", m, e, got, got, want)
			}
		}
	})
}

// However one asks, the answer is the same.
func TestQuestionsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, key := anyMember().Draw(t, "member"), attribute().Draw(t, "key")
		f := slot.NewFilter(m)
		sum := hashpin.Sum32String(key)
		owns := m.Owns(key)
		if want := m.Dedicated() || m.Holds(m.Slot(key)); owns != want {
			t.Fatalf("%v: Owns(%q) = %t, but holds slot %d: %t", m, key, owns, m.Slot(key), want)
		}
		v := f.Judge(routing.Hashed(sum))
		if (v.Kind == slot.Own) != owns || v.Slot != m.Slot(key) || v.Sum != sum {
			t.Fatalf("%v: Owns(%q) = %t, Slot = %d, Judge = %+v", m, key, owns, m.Slot(key), v)
		}
		e := routing.Event{Topic: "ticks", Subject: key}
		if key == "" { // the holder of the empty key's slot answers for what has none
			if admits := f.Admit(e); admits != owns {
				t.Fatalf("%v: Owns of the empty key is %t, Admit without a key %t", m, owns, admits)
			}
			return
		}
		if got := f.Decide(e); got != v {
			t.Fatalf("%v: Decide = %+v, Judge = %+v", m, got, v)
		}
		if admits := f.Admit(e); admits != owns || v.Admit() != owns {
			t.Fatalf("%v: Owns(%q) = %t, Admit %t and %t", m, key, owns, admits, v.Admit())
		}
		if got := f.WithRule(ruleOf(t, "id")).Decide(routing.Event{Subject: "other", ID: key}); got != v {
			t.Fatalf("%v: by the rule id Decide = %+v, want %+v", m, got, v)
		}
	})
}

// The slots of a size are 0 to size - 1.
func TestSlotIsBelowSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, key := groupSize().Draw(t, "size"), attribute().Draw(t, "key")
		m := memberOf(t, "pairs", size)
		want, _ := slotOf(key, size)
		if got := m.Slot(key); got < 0 || got >= size || got != want {
			t.Fatalf("Slot(%q) of %d = %d, want %d", key, size, got, want)
		}
	})
}

// partition deals the slots of a group to members at random; some hold many, some hold none.
func partition(t *rapid.T, size int) []*slot.Filter {
	holder := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(0, 12).Draw(t, "members")), size, size).Draw(t, "holder of each slot")
	held := make([][]int, 13)
	for s, m := range holder {
		held[m] = append(held[m], s)
	}
	filters := make([]*slot.Filter, len(held))
	for i, slots := range held {
		filters[i] = slot.NewFilter(memberOf(t, "pairs", size, slots...))
	}
	return filters
}

// Exactly one member of a full group admits an event, with a key or without, and every member admits a command: whether
// each member has one slot, or the slots are dealt anyhow.
func TestExactlyOneAdmits(t *testing.T) {
	groups := map[string]func(t *rapid.T) []*slot.Filter{
		"one slot each": func(t *rapid.T) []*slot.Filter {
			return fullGroup(t, "pairs", groupSize().Draw(t, "size"))
		},
		"any partition": func(t *rapid.T) []*slot.Filter {
			return partition(t, groupSize().Draw(t, "size"))
		},
	}
	for name, group := range groups {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				filters := group(t)
				for range 4 {
					checkOne(t, filters, anyEvent().Draw(t, "event"))
				}
			})
		})
	}
}

func checkOne(t rapid.TB, filters []*slot.Filter, e routing.Event) {
	t.Helper()
	_, hasKey := routing.Key(e)
	var own, malformed, bypass, foreign, owns int
	for _, f := range filters {
		v := f.Decide(e)
		switch v.Kind {
		case slot.Own:
			own++
		case slot.Malformed:
			malformed++
		case slot.Bypass:
			bypass++
		case slot.Foreign:
			foreign++
		}
		if f.Admit(e) != (v.Kind != slot.Foreign) {
			t.Fatalf("%v on %+v: %v, admitted %t", f.Member(), e, v, f.Admit(e))
		}
		if key, _ := routing.Key(e); f.Member().Owns(key) {
			owns++
		}
	}
	n := len(filters)
	switch {
	case routing.IsCommand(e.Topic) && bypass == n:
	case !routing.IsCommand(e.Topic) && hasKey && own == 1 && foreign == n-1:
	case !routing.IsCommand(e.Topic) && !hasKey && malformed == 1 && foreign == n-1:
	default:
		t.Fatalf("%+v in a group of %d: own %d, malformed %d, bypass %d, foreign %d", e, n, own, malformed, bypass, foreign)
	}
	if owns != 1 {
		t.Fatalf("%+v: the key has %d owners", e, owns)
	}
}

// A dedicated member admits everything.
func TestDedicatedOwnsAll(t *testing.T) {
	f := slot.NewFilter(slot.Member{})
	rapid.Check(t, func(t *rapid.T) {
		e := anyEvent().Draw(t, "event")
		want := slot.Own
		if routing.IsCommand(e.Topic) {
			want = slot.Bypass
		}
		if v := f.Decide(e); v.Kind != want || v.Slot != -1 || !f.Admit(e) {
			t.Fatalf("%+v: %+v", e, v)
		}
		if got, want := new(slot.Filter).Decide(e), f.Decide(e); got != want {
			t.Fatalf("the zero Filter says %v, want %v", got, want)
		}
	})
}

// The order in which events come, the group's name and, where it makes no command, the topic change nothing.
func TestWhatChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMember().Draw(t, "member")
		events := rapid.SliceOfN(anyEvent(), 1, 20).Draw(t, "events")
		f := slot.NewFilter(m)
		first := make([]slot.Verdict, len(events))
		for i, e := range events {
			first[i] = f.Decide(e)
		}
		renamed := slot.Member{}
		if !m.Dedicated() {
			renamed = memberOf(t, groupName().Draw(t, "group"), m.Size(), m.Slots()...)
		}
		other := slot.NewFilter(renamed)
		order := make([]int, len(events))
		for i := range order {
			order[i] = i
		}
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			if got := f.Decide(events[i]); got != first[i] {
				t.Fatalf("%+v: %v, and in another order %v", events[i], first[i], got)
			}
			if got := other.Decide(events[i]); got != first[i] {
				t.Fatalf("%+v: %v in %v, %v in %v", events[i], first[i], m, got, renamed)
			}
			e := events[i]
			e.Topic = anyTopic().Draw(t, "topic")
			if routing.IsCommand(e.Topic) || routing.IsCommand(events[i].Topic) {
				continue
			}
			if got := f.Decide(e); got != first[i] {
				t.Fatalf("%+v: %v, and on %q %v", events[i], first[i], e.Topic, got)
			}
		}
	})
}
