package fleet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A member is an announcement of a member of a group as far as it can be judged, its plan canonical
// where it can be read.
type member struct {
	Announcement
	rule       string   // canonical, where it can be read
	topics     []string // as divided returns them
	slots      []int    // within the size, rising, each once
	plan       plan
	generation int // in which Delivered lies
}

// judge checks one announcement in itself. ok is false where nothing remains that can be compared
// with others: it is of a dedicated worker, or not usable at all.
func judge(a Announcement, plans plans) (m member, faults []Finding, ok bool) {
	alone := []Part{{Instances: []Instance{a.instance()}}}
	fault := func(detail string) {
		faults = append(faults, Finding{Kind: Invalid, Group: a.Group, Parts: alone, Detail: detail})
	}
	if a.Worker == "" {
		fault("the name is empty")
	}
	if a.Incarnation == "" {
		fault("the incarnation is empty, so that a restart cannot be told from a second worker")
	}
	if a.dedicated() {
		return m, faults, false
	}
	m.Announcement = a
	rule, err := routing.ParseRule(a.Rule)
	if m.rule = rule.String(); err != nil {
		m.rule = a.Rule // of a newer version, perhaps: compared as it is
	}
	if a.Rule == "" {
		fault("the rule is empty")
	}
	m.plan = plans.of(a.Plan)
	m.Plan, m.generation = m.plan.text, m.plan.generation(a.Delivered)
	m.topics = divided(slices.DeleteFunc(slices.Clone(a.Topics), func(topic string) bool {
		broken := checkTopic(topic)
		if broken != "" {
			fault("the topic " + strconv.Quote(topic) + " " + broken)
		}
		return broken != ""
	}), rule)
	if len(a.Topics) == 0 {
		fault("there is no topic")
	}
	if _, err := slot.NewSet(a.Group, a.Size); err != nil {
		fault(strings.TrimPrefix(err.Error(), "slot: "))
		return m, faults, false
	}
	var outside []int
	for _, s := range slices.Sorted(slices.Values(a.Slots)) {
		switch {
		case s < 0 || s >= a.Size:
			outside = append(outside, s)
		case len(m.slots) > 0 && s == m.slots[len(m.slots)-1]:
			fault("slot " + strconv.Itoa(s) + " is there twice")
		default:
			m.slots = append(m.slots, s)
		}
	}
	if outside != nil {
		faults = append(faults, Finding{Kind: Outside, Group: a.Group, Parts: alone, Size: a.Size, Slots: slices.Compact(outside)})
	}
	return m, faults, true
}

// receives reports whether all of topic comes to the member by one of its topics.
func (m member) receives(topic string) bool {
	return slices.ContainsFunc(m.topics, func(p string) bool { return covers(p, topic) })
}
