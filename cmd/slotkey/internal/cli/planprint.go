package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/slot/resize"
)

// stepRows is how many steps are printed one by one.
const stepRows = 64

func (p *planned) print() {
	c := p.change
	unowned, doubled := c.Worst()
	safe := c.Safe()
	verdict := p.out.Good("a rolling change is safe in the order below")
	if !safe {
		verdict = p.out.Bad("a rolling change is not safe")
	}
	p.printf("%s: %s\n", p.out.Bold(fmt.Sprintf("%v -> %v", c.From, c.To)), verdict)
	p.printf("keys that move        %s; balance demands %s\n", share(c.Moved), share(c.Least))
	p.printf("unowned at worst      %s\n", share(unowned))
	p.printf("doubled at worst      %s\n\n", share(doubled))
	p.steps()
	if safe {
		p.drain()
	} else {
		p.instead()
	}
	if p.plan.String() != "" {
		p.printf("\n")
		p.text("At position %v all members switch at once, if every member has this text before any of them is there:", p.at())
		p.printf("plan  %v\n", p.plan)
	}
}

func (p *planned) at() fmt.Stringer {
	generations := p.plan.Generations()
	return generations[len(generations)-1].From
}

// share writes a fraction as people read it: "3/20 (15 %)".
func share(f resize.Fraction) string {
	if f.Num == 0 {
		return "none"
	}
	if f.Num == f.Den {
		return "all"
	}
	return fmt.Sprintf("%v (%s)", f, show.Percent(f.Float64()))
}

func (p *planned) steps() {
	table := show.Table{Head: []string{"STEP", "", "UNOWNED", "DOUBLED", "ONCE IT HAS COMMITTED PAST THE START OF"}, Right: map[int]bool{0: true, 2: true, 3: true}}
	steps := p.change.Steps
	for i, s := range steps[:min(len(steps), stepRows)] {
		after := ""
		if len(s.After) > 0 {
			after = members(s.After)
		}
		table.Add(strconv.Itoa(i+1), fmt.Sprintf("%s %vs", member(s.Member), s.Action), s.Unowned.String(), s.Doubled.String(), after)
	}
	table.Paint = func(row, column int, text string) string {
		if column == 2 && steps[row].Unowned.Num > 0 {
			return p.out.Bad(text)
		}
		return text
	}
	table.Print(p.out)
	if n := len(steps) - stepRows; n > 0 {
		p.printf("… and %s; --json has them all\n", show.Plural(n, "more step"))
	}
	p.printf("\n")
}

// why names two members of which each takes keys from the other: whichever steps first, those that
// it gives have no owner.
func why(c resize.Change) string {
	after := map[int][]int{}
	for _, s := range c.Steps {
		after[s.Member] = s.After
	}
	for _, s := range c.Steps {
		for _, taker := range s.After {
			if slices.Contains(after[taker], s.Member) {
				return fmt.Sprintf(": keys go from member %d to member %d and from member %d to member %d, so whichever steps first leaves keys without an owner",
					s.Member, taker, taker, s.Member)
			}
		}
	}
	return ": members take keys from each other in a ring, so whichever steps first leaves keys without an owner"
}

// members lists members, in ranges where they follow each other.
func members(numbers []int) string {
	var ranges []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if j == i {
			ranges = append(ranges, strconv.Itoa(numbers[i]))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	if len(numbers) == 1 {
		return "member " + ranges[0]
	}
	return "members " + strings.Join(ranges, ",")
}

func (p *planned) drain() {
	condition := slices.ContainsFunc(p.change.Steps, func(s resize.Step) bool { return len(s.After) > 0 })
	if condition {
		p.text("A member steps only once its committed position is at or past the position at which each member named in its line began with the layout %v. "+
			"Earlier it would drop events that nobody else has.", p.change.To)
	}
	if p.plan.String() == "" {
		p.printf("Or, over one ordered log, at once and with nothing doubled:\n  slotkey plan %v %v --at POSITION\n", p.change.From, p.change.To)
	}
}

// instead tells why the change is not safe, and what is.
func (p *planned) instead() {
	c := p.change
	best, err := resize.Simulate(c.From, c.To)
	possible := err == nil && best.Safe()
	hasPlan := p.plan.String() != ""
	table := show.Table{Indent: "  "}
	switch {
	case possible:
		table.Add("another order", fmt.Sprintf("slotkey plan %v %v", c.From, c.To))
	case hasPlan:
		p.text("No order is safe%s.", why(c))
	default:
		p.text("No order is safe%s. Instead:", why(c))
	}
	if hasPlan {
		return
	}
	table.Add("a plan, over one ordered log", fmt.Sprintf("slotkey plan %v %v --at POSITION", c.From, c.To))
	below, above := p.nearby()
	for _, n := range []int{below, above} {
		if n > 0 {
			table.Add("rolling, a multiple or divisor", fmt.Sprintf("slotkey plan %v %d", c.From, n))
		}
	}
	if p.deal != nil {
		table.Add("a deal, for changes to come", fmt.Sprintf("slotkey plan %v %v (moves %v, safely)", p.deal.From, p.deal.To, p.deal.Moved))
	}
	table.Print(p.out)
}
