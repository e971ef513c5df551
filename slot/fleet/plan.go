package fleet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/slotkey/slotkey/slot/commit"
)

// A plan's text is its generations joined by commas, each but the first with the position from which it holds: "3,5@120000".

// generation returns which generation of a plan the event at a position belongs to, from 0. What cannot be read has one.
func generation(plan string, at commit.Position) int {
	last := 0
	for i, text := range strings.Split(plan, ",")[1:] {
		if from, ok := start(text); !ok || at.Before(from) {
			break
		}
		last = i + 1
	}
	return last
}

// start returns the position from which a generation holds.
func start(generation string) (commit.Position, bool) {
	_, text, ok := strings.Cut(generation, "@")
	if !ok {
		return commit.Position{}, false
	}
	position, err := commit.ParsePosition(text)
	return position, err == nil
}

// extends reports whether a plan begins with all of another. No plan at all is the beginning of each.
func extends(longer, shorter string) bool {
	return shorter == "" || longer == shorter || strings.HasPrefix(longer, shorter+",")
}

// firstBeyond returns the position of the first generation that longer, which extends shorter, has beyond it.
func firstBeyond(longer, shorter string) (commit.Position, bool) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(longer, shorter), ","), ",")
	if shorter == "" {
		first, _, _ = strings.Cut(rest, ",") // the generation from the beginning has no position
	}
	return start(first)
}

// planAdvice says what to do about members with different plans.
func planAdvice(plans map[string][]member) string {
	texts := slices.SortedFunc(maps.Keys(plans), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	longest := texts[len(texts)-1]
	var behind []member
	for _, text := range texts[:len(texts)-1] {
		if !extends(longest, text) {
			return "they contradict each other: give all members one plan"
		}
		behind = append(behind, plans[text]...)
	}
	first, ok := firstBeyond(longest, texts[0])
	if !ok {
		return "give all members the longest"
	}
	advice := "each is the beginning of the longest: give it to " + names(instances(behind)) + " before position " + first.String()
	for _, m := range behind {
		if !m.Delivered.Before(first) {
			return advice + ", which " + display(m.Worker) + " has reached already (" + m.Delivered.String() + ")"
		}
	}
	return advice
}
