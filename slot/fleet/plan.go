package fleet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// A plan is what an announcement says of one: canonical, and its generations, where it can be read;
// else as it is, without generations.
type plan struct {
	text        string
	plan        resize.Plan
	generations []resize.Generation
}

// plans are those of one audit by their texts: reading a plan deals its slots for each generation,
// and mostly all members have the same one.
type plans map[string]plan

func (p plans) of(text string) plan {
	read, ok := p[text]
	if !ok {
		read.text = text
		if parsed, err := resize.ParsePlan(text); err == nil {
			read = plan{parsed.String(), parsed, parsed.Generations()}
		}
		p[text] = read
	}
	return read
}

// generation returns which generation the event at a position belongs to, from 0. What cannot be read has one.
func (p plan) generation(at commit.Position) (last int) {
	for i, g := range p.generations {
		if !at.Before(g.From) {
			last = i
		}
	}
	return last
}

// extends reports whether p begins with all of shorter. No plan at all is the beginning of each. Of
// what cannot be read the texts tell.
func (p plan) extends(shorter plan) bool {
	if p.generations != nil && shorter.generations != nil {
		return p.plan.Extends(shorter.plan)
	}
	return shorter.text == "" || p.text == shorter.text || strings.HasPrefix(p.text, shorter.text+",")
}

// firstBeyond returns the position of the first generation that p, which extends shorter, has beyond it.
func (p plan) firstBeyond(shorter plan) (commit.Position, bool) {
	n := len(shorter.generations)
	if shorter.text == "" {
		n = 1 // the generation from the beginning has no position
	}
	if n == 0 || n >= len(p.generations) {
		return commit.Position{}, false
	}
	return p.generations[n].From, true
}

// planAdvice says what to do about members with different plans.
func planAdvice(byText map[string][]member) string {
	texts := slices.SortedFunc(maps.Keys(byText), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	shortest, longest := byText[texts[0]][0].plan, byText[texts[len(texts)-1]][0].plan
	var behind []member
	for _, text := range texts[:len(texts)-1] {
		if !longest.extends(byText[text][0].plan) {
			return "they contradict each other: give all members one plan"
		}
		behind = append(behind, byText[text]...)
	}
	first, ok := longest.firstBeyond(shortest)
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
