package resize

import (
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/internal/number"
	"github.com/slotkey/slotkey/slot"
)

// A Layout says which member of a group holds which slots. It is immutable and comparable: layouts
// are == if and only if their texts are equal. Safe for concurrent use. The zero Layout has no
// slots and no members; [Plain], [Deal] and [ParseLayout] make all others, of 1 to [slot.MaxSize]
// slots.
type Layout struct {
	slots, members uint16
	table          string // the holder of each slot in two bytes, low one first; empty where member i holds slot i
}

// Plain returns the layout in which as many members as slots hold one each: member i holds slot i.
// Its text is the size, "3".
func Plain(size int) (Layout, error) {
	if err := checkSlots(size, strconv.Itoa(size)); err != nil {
		return Layout{}, err
	}
	return Layout{slots: uint16(size), members: uint16(size)}, nil
}

func checkSlots(slots int, text string) error {
	switch {
	case slots < 1:
		return &Error{"slots", text, "is below 1", ErrSize}
	case slots > slot.MaxSize:
		return &Error{"slots", text, "is above the limit of " + strconv.Itoa(slot.MaxSize), ErrSize}
	}
	return nil
}

// Size returns the number of slots.
func (l Layout) Size() int { return int(l.slots) }

// Members returns the number of members.
func (l Layout) Members() int { return int(l.members) }

// Dealt reports whether the slots are dealt, as [Deal] does it, rather than one to each member.
func (l Layout) Dealt() bool { return l.table != "" }

// Holder returns the member that holds a slot, -1 for a number that is no slot. It takes constant
// time and does not allocate.
func (l Layout) Holder(slot int) int {
	switch {
	case slot < 0 || slot >= int(l.slots):
		return -1
	case l.table == "":
		return slot
	}
	return int(l.table[2*slot]) | int(l.table[2*slot+1])<<8
}

// Owner returns the member that owns the keys of a hash, -1 in the zero Layout. It takes constant
// time and does not allocate.
func (l Layout) Owner(sum uint32) int {
	if l.slots == 0 {
		return -1
	}
	return l.Holder(int(sum % uint32(l.slots)))
}

// Slots returns the slots of a member in rising order, none for a number that is no member. The slice is the caller's.
func (l Layout) Slots(member int) []int {
	if member < 0 || member >= int(l.members) {
		return nil
	}
	if l.table == "" {
		return []int{member}
	}
	slots := make([]int, 0, l.Size()/l.Members()+1)
	for s := range l.Size() {
		if l.Holder(s) == member {
			slots = append(slots, s)
		}
	}
	return slots
}

// Member returns a member of a group that has this layout. A number that is no member of the layout
// is an [*Error] that is [ErrMember]; a bad group name is one of package slot.
func (l Layout) Member(group string, member int) (slot.Member, error) {
	if member < 0 || member >= l.Members() {
		return slot.Member{}, &Error{"member", strconv.Itoa(member), "is not one of the " + strconv.Itoa(l.Members()) + " members, which count from 0", ErrMember}
	}
	return slot.NewSet(group, l.Size(), l.Slots(member)...)
}

// String returns the text of the layout: "3" for three slots and as many members, "360/12" for 360 slots dealt to 12
// members; the empty text for the zero Layout, which [ParseLayout] refuses.
func (l Layout) String() string {
	switch {
	case l.slots == 0:
		return ""
	case l.table == "":
		return strconv.Itoa(l.Size())
	}
	return strconv.Itoa(l.Size()) + "/" + strconv.Itoa(l.Members())
}

// MarshalText returns the text of the layout. The zero Layout has none: it is an error.
func (l Layout) MarshalText() ([]byte, error) {
	if l.slots == 0 {
		return nil, checkSlots(0, "0")
	}
	return []byte(l.String()), nil
}

// UnmarshalText is [ParseLayout]. On an error l is unchanged.
func (l *Layout) UnmarshalText(text []byte) error {
	parsed, err := ParseLayout(string(text))
	if err == nil {
		*l = parsed
	}
	return err
}

// ParseLayout reads the text of a layout, as [Layout.String] writes it: decimal numbers without sign, space or leading
// zero. Every error is an [*Error].
func ParseLayout(text string) (Layout, error) {
	slotsText, membersText, dealt := strings.Cut(text, "/")
	slots, ok1 := number.Parse(slotsText)
	members, ok2 := number.Parse(membersText)
	if !ok1 || dealt && !ok2 {
		return Layout{}, &Error{"layout", strconv.Quote(text), "is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers", ErrText}
	}
	if err := checkSlots(slots, slotsText); err != nil {
		return Layout{}, err
	}
	if !dealt {
		return Plain(slots)
	}
	if err := checkMembers(members, slots, membersText); err != nil {
		return Layout{}, err
	}
	return Deal(slots, members)
}
