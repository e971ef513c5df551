package resize

import (
	"fmt"
	"strings"

	"github.com/slotkey/slotkey/slot"
)

// Nearby returns the sizes nearest to that of c.To which c.From can reach without a gap, one member
// for each slot: whole multiples when growing, divisors when shrinking. It is 0 where there is none
// on that side. Both are the size of c.To if that is one of them.
func (c Change) Nearby() (below, above int) {
	from, to := c.From.Size(), c.To.Size()
	reaches := func(size int) bool { return size%from == 0 || from%size == 0 }
	if from == 0 || to == 0 {
		return 0, 0
	}
	for below = to; below > 0 && !reaches(below); {
		below--
	}
	for above = to; above <= slot.MaxSize && !reaches(above); {
		above++
	}
	if above > slot.MaxSize {
		above = 0
	}
	return below, above
}

// Advice says in a few sentences for an operator what to do about the change: in which order and on
// what condition, or what instead.
func (c Change) Advice() string {
	if c.Safe() {
		return fmt.Sprintf("Safe in this order: %s. A member steps only once its committed position is at or past the position "+
			"at which each member that takes over its keys began. Until the last step up to %s of the keys are handled twice.",
			c.groups(), c.worstDoubled())
	}
	unowned, _ := c.Worst()
	text := fmt.Sprintf("Not safe: at worst %s of the keys have no owner. ", unowned)
	if best, err := Simulate(c.From, c.To); err == nil && best.Safe() {
		return text + fmt.Sprintf("Another order is: %s.", best.groups())
	}
	text += fmt.Sprintf("No order of steps is safe. Over one ordered log, take a plan: %v,%v@POSITION. ", c.From, c.To)
	if below, above := c.Nearby(); !c.From.Dealt() && !c.To.Dealt() && below+above > 0 {
		var sizes []string
		for _, n := range []int{below, above} {
			if n > 0 && n != c.From.Size() {
				sizes = append(sizes, fmt.Sprint(n))
			}
		}
		if len(sizes) > 0 {
			text += fmt.Sprintf("By a rolling change %v can reach %s. ", c.From, strings.Join(sizes, " or "))
		}
	}
	return text + "For the changes to come, deal a number of slots that never changes, such as 360, to the members there are."
}

func (c Change) worstDoubled() Fraction {
	_, doubled := c.Worst()
	return doubled
}

// groups tells the order by runs of equal actions: "members 3-5 join, then members 0-2 flip".
func (c Change) groups() string {
	var runs []string
	for rest := c.Steps; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Action == rest[0].Action && rest[n].Member == rest[n-1].Member+1 {
			n++
		}
		if n == 1 {
			runs = append(runs, fmt.Sprintf("member %d %vs", rest[0].Member, rest[0].Action))
		} else {
			runs = append(runs, fmt.Sprintf("members %d-%d %v", rest[0].Member, rest[n-1].Member, rest[0].Action))
		}
		rest = rest[n:]
	}
	return strings.Join(runs, ", then ")
}
