package conform

import (
	"strconv"
	"strings"
)

// deal deals slots to members by the published rule, where both choices are true, or by a common
// mistake in it: one member has all slots; each newcomer p takes slots/p of them, one at a time,
// from the member that has most, the highest-numbered among equals (highMember), and from that one
// the highest slot (highSlot).
func deal(slots, members int, highMember, highSlot bool) string {
	holder := make([]int, slots)
	count := make([]int, members)
	count[0] = slots
	for newcomer := 1; newcomer < members; newcomer++ {
		for range slots / (newcomer + 1) {
			giver := 0
			for m := range newcomer {
				if count[m] > count[giver] || highMember && count[m] == count[giver] {
					giver = m
				}
			}
			given := -1
			for s, m := range holder {
				if m == giver && (highSlot || given < 0) {
					given = s
				}
			}
			holder[given] = newcomer
			count[giver]--
			count[newcomer]++
		}
	}
	return join(holder)
}

func join(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}
