package fleet

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/routing"
)

// A Coverage says which slots of a group have a running member, on topics where that is the same.
// During a transition a group has one for each size and rule.
type Coverage struct {
	Group   string
	Topics  []string // sorted; at least one
	Size    int
	Rule    routing.Rule
	Running []int // the slots with a member, rising
	Missing []int // the slots without, rising
	// MultiSlot is set where a member holds more than one slot, so that slots and members are not the same number.
	MultiSlot bool
}

// Complete reports whether every slot has a member.
func (c Coverage) Complete() bool { return len(c.Missing) == 0 }

// String returns one line, "group pairs on [ticks, trades] has 2 of 3 members running"; where
// members hold several slots, "group pairs on [ticks] has 240 of 360 slots running".
func (c Coverage) String() string {
	what := "members"
	if c.MultiSlot {
		what = "slots"
	}
	return "group " + c.Group + " on [" + strings.Join(c.Topics, ", ") + "] has " +
		strconv.Itoa(len(c.Running)) + " of " + strconv.Itoa(c.Size) + " " + what + " running"
}

// LogValue makes a group of group, topics, size, running (a number), missing (slots and ranges,
// such as "0-2,7") and rule.
func (c Coverage) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("group", c.Group),
		slog.Any("topics", c.Topics),
		slog.Int("size", c.Size),
		slog.Int("running", len(c.Running)),
		slog.String("missing", ranges(c.Missing)),
		slog.String("rule", c.Rule.String()),
	)
}

// Warn logs a warning for each line of coverage that is not complete: what it says as the message, and its parts as the
// attribute "coverage".
func Warn(ctx context.Context, log *slog.Logger, lines []Coverage) {
	for _, c := range lines {
		if !c.Complete() {
			log.WarnContext(ctx, c.String(), "coverage", c)
		}
	}
}

// A unit is what has coverage of its own: members of one group whose slots mean the same keys.
type unit struct {
	group string
	size  int
	rule  routing.Rule
}

func (w Worker) unit() unit {
	return unit{w.Filter.Member().Group(), w.Filter.Member().Size(), w.Filter.Rule()}
}

// coverage returns the lines of the workers for which in is true, ordered by group, size, rule and topic.
func coverage(workers []Worker, in func(Worker) bool) []Coverage {
	byUnit := map[unit][]Worker{}
	for _, w := range workers {
		if !w.Filter.Member().Dedicated() && in(w) {
			byUnit[w.unit()] = append(byUnit[w.unit()], w)
		}
	}
	var lines []Coverage
	for u, members := range byUnit {
		lines = append(lines, u.coverage(members)...)
	}
	slices.SortFunc(lines, func(a, b Coverage) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), cmp.Compare(a.Size, b.Size),
			strings.Compare(a.Rule.String(), b.Rule.String()), slices.Compare(a.Topics, b.Topics))
	})
	return lines
}

// coverage joins the topics on which the members of the unit cover the same.
func (u unit) coverage(members []Worker) []Coverage {
	var topics []string
	for _, w := range members {
		topics = append(topics, w.Topics...)
	}
	byResult := map[string]*Coverage{}
	var lines []*Coverage
	for _, topic := range divided(topics, u.rule) {
		held, several := u.held(members, topic)
		result := fmt.Sprint(held, several)
		c := byResult[result]
		if c == nil {
			c = &Coverage{Group: u.group, Size: u.size, Rule: u.rule, MultiSlot: several}
			for s, h := range held {
				if h {
					c.Running = append(c.Running, s)
				} else {
					c.Missing = append(c.Missing, s)
				}
			}
			byResult[result] = c
			lines = append(lines, c)
		}
		c.Topics = append(c.Topics, topic)
	}
	out := make([]Coverage, len(lines))
	for i, c := range lines {
		out[i] = *c
	}
	return out
}

// held says of each slot whether a member holds it that receives all of topic.
func (u unit) held(members []Worker, topic string) (held []bool, several bool) {
	held = make([]bool, u.size)
	for _, w := range members {
		if !slices.ContainsFunc(w.Topics, func(p string) bool { return covers(p, topic) }) {
			continue
		}
		slots := w.Filter.Member().Slots()
		several = several || len(slots) > 1
		for _, s := range slots {
			held[s] = true
		}
	}
	return held, several
}

// ranges writes rising numbers as a member's text does: "0-2,7".
func ranges(numbers []int) string {
	var b strings.Builder
	for i := 0; i < len(numbers); i++ {
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(numbers[first]))
		if i > first {
			b.WriteString("-" + strconv.Itoa(numbers[i]))
		}
	}
	return b.String()
}
