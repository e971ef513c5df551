package resize

import (
	"slices"
	"strconv"
)

// Deal returns the layout in which a fixed number of slots is dealt to some members: exactly
// balanced (the numbers of slots of two members differ by at most one) and, from any number of
// members to any other, with no more slots moved than balance demands. Its text is "360/12".
//
// The number of slots is chosen once, for the life of the group; 360 divides well. The number of
// members is free, 1 to slots, and changes as often as one likes. The deal is a function of the two
// numbers alone, so members need not know how the group came to its present number. When it grows,
// slots move only to newcomers; when it shrinks, only those of the members that leave, which are
// those with the highest numbers.
//
// SPEC section 10 has the rule and testdata/vectors/deal.v1.json pins it. It takes time in O(slots
// + members²), a millisecond for 1024 of each, so deal when members change and not for each event.
func Deal(slots, members int) (Layout, error) {
	if err := checkSlots(slots, strconv.Itoa(slots)); err != nil {
		return Layout{}, err
	}
	if err := checkMembers(members, slots, strconv.Itoa(members)); err != nil {
		return Layout{}, err
	}
	d := newDealer(slots)
	for len(d.hands) < members {
		d.admit()
	}
	table := make([]byte, 2*slots)
	for m, hand := range d.hands {
		for _, s := range hand {
			table[2*s], table[2*s+1] = byte(m), byte(m>>8)
		}
	}
	return Layout{uint16(slots), uint16(members), string(table)}, nil
}

func checkMembers(members, slots int, text string) error {
	switch {
	case members < 1:
		return &Error{"members", text, "is below 1", ErrMembers}
	case members > slots:
		return &Error{"members", text, "is above the number of slots, " + strconv.Itoa(slots) + ": some would hold none", ErrMembers}
	}
	return nil
}

// A dealer holds what each member has been dealt, in rising order.
type dealer struct {
	slots int
	hands [][]int
}

// newDealer gives all slots to one member.
func newDealer(slots int) *dealer {
	all := make([]int, slots)
	for s := range all {
		all[s] = s
	}
	return &dealer{slots, [][]int{all}}
}

// admit lets one more member in, who becomes the p-th. It takes floor(slots/p) slots, one at a
// time, each the highest slot of the member that has most; of equals the highest-numbered, for with
// the lowest some jumps, such as from 40 to 120 members of 160 slots, move more than they must.
//
// Before it, all have q or q+1 slots. So it is enough to go through the members from the highest to
// the lowest, again and again, and to take from each that has as many as the largest has at the
// start of the round.
func (d *dealer) admit() {
	take := d.slots / (len(d.hands) + 1)
	hand := make([]int, 0, take)
	most := len(slices.MaxFunc(d.hands, func(a, b []int) int { return len(a) - len(b) }))
	for ; len(hand) < take; most-- {
		for m := len(d.hands) - 1; m >= 0 && len(hand) < take; m-- {
			if theirs := d.hands[m]; len(theirs) == most {
				last := len(theirs) - 1
				hand = append(hand, theirs[last])
				d.hands[m] = theirs[:last]
			}
		}
	}
	slices.Sort(hand)
	d.hands = append(d.hands, hand)
}

// A Move is a slot that changes hands.
type Move struct {
	Slot     int
	From, To int // members
}

// Moves lists the slots whose holder differs between two layouts of one size, in rising order.
// Layouts of different sizes have no slots in common: that is an [*Error] that is [ErrSize], and
// [Simulate] tells what share of the keys moves.
func Moves(from, to Layout) ([]Move, error) {
	if from.slots != to.slots {
		return nil, &Error{"slots", strconv.Itoa(to.Size()), "is not the " + strconv.Itoa(from.Size()) + " of the layout before: slots of different sizes cannot be compared", ErrSize}
	}
	var moves []Move
	for s := range from.Size() {
		if a, b := from.Holder(s), to.Holder(s); a != b {
			moves = append(moves, Move{s, a, b})
		}
	}
	return moves, nil
}
