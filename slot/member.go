package slot

import (
	"iter"
	"log/slog"
	"slices"
	"strconv"

	"github.com/slotkey/slotkey/hashpin"
)

// A Member is a holder of slots of a group: usually one slot, sometimes several, sometimes
// none. It is immutable and comparable: members with the same group, size and slots are ==. Safe for concurrent use.
//
// The zero Member is dedicated: it belongs to no group, and every event is its own.
type Member struct {
	group string
	held  string // a bit for each slot, eight to a byte, lowest first; a string so that members compare
	size  uint32 // 0: dedicated
	only  uint32 // the slot of a member of one, plus 1, which is quicker to compare than to look up; else 0
}

// New returns the member at c's place; for the zero Config it is the dedicated member. Any other
// Config with a field out of its limits is an [*Error].
func New(c Config) (Member, error) {
	if c == (Config{}) {
		return Member{}, nil
	}
	if err := checkGroup(c.Group, c.Size); err != nil {
		return Member{}, err
	}
	if err := checkIndex("group_index", c.Index, c.Size); err != nil {
		return Member{}, err
	}
	return hold(c.Group, c.Size, c.Index), nil
}

// NewSet returns the member that holds the given slots of a group, in any order. With no slots it is a member
// that owns nothing: it receives, takes commands, and drops all else. A slot out of range or twice is an [*Error].
func NewSet(group string, size int, slots ...int) (Member, error) {
	if err := checkGroup(group, size); err != nil {
		return Member{}, err
	}
	sorted := slices.Sorted(slices.Values(slots))
	for i, s := range sorted {
		if err := checkIndex("slot", s, size); err != nil {
			return Member{}, err
		}
		if i > 0 && s == sorted[i-1] {
			return Member{}, &Error{"slot", strconv.Itoa(s), "is given twice", ErrSlotTwice}
		}
	}
	return hold(group, size, sorted...), nil
}

func checkGroup(name string, size int) error {
	if err := checkName(name); err != nil {
		return err
	}
	return checkSize(size)
}

// hold builds a member of what has been checked.
func hold(group string, size int, slots ...int) Member {
	held := make([]byte, (size+7)/8)
	for _, s := range slots {
		held[s/8] |= 1 << (s % 8)
	}
	m := Member{group: group, held: string(held), size: uint32(size)}
	if len(slots) == 1 {
		m.only = uint32(slots[0]) + 1
	}
	return m
}

// Dedicated reports whether the member belongs to no group.
func (m Member) Dedicated() bool { return m.size == 0 }

// Group returns the group's name, empty for a dedicated member.
func (m Member) Group() string { return m.group }

// Size returns the group's number of slots, 0 for a dedicated member.
func (m Member) Size() int { return int(m.size) }

// Slots returns the slots that the member holds, in rising order; none for a dedicated member. The
// slice is the caller's.
func (m Member) Slots() []int { return slices.Collect(m.slots()) }

func (m Member) slots() iter.Seq[int] {
	return func(yield func(int) bool) {
		for s := range int(m.size) {
			if m.holds(uint32(s)) && !yield(s) {
				return
			}
		}
	}
}

// Holds reports whether the member holds slot. It is false for any number that is no slot of
// the group, and for a dedicated member, which has no slots.
func (m Member) Holds(slot int) bool {
	return slot >= 0 && slot < int(m.size) && m.holds(uint32(slot))
}

// holds wants a slot below the size.
func (m *Member) holds(slot uint32) bool { return m.held[slot/8]>>(slot%8)&1 != 0 }

// Slot returns the slot of a routing key in the member's group, from 0; -1 for a dedicated member. It does not
// allocate. The empty key has a slot too: its holder answers for events without a key.
func (m Member) Slot(key string) int {
	if m.size == 0 {
		return -1
	}
	return int(hashpin.Sum32String(key) % m.size)
}

// Owns reports whether the member holds the slot of a routing key; a dedicated member owns every
// key. It does not allocate.
func (m Member) Owns(key string) bool {
	if m.size == 0 {
		return true
	}
	slot := hashpin.Sum32String(key) % m.size
	if m.only != 0 {
		return slot+1 == m.only
	}
	return m.holds(slot)
}

// LogValue makes a group of group, size and slots, or the word "dedicated".
func (m Member) LogValue() slog.Value {
	if m.Dedicated() {
		return slog.StringValue(dedicated)
	}
	return slog.GroupValue(
		slog.String("group", m.group),
		slog.Int("size", m.Size()),
		slog.String("slots", m.slotText()),
	)
}
