package resize

import (
	"strconv"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
)

// A Switch decides for one member of a group that has a [Plan]: the position of an event gives the
// filter that judges it. It is immutable and safe for concurrent use. A longer plan takes another
// Switch; for the moment of the change see [Plan.Adopt]. [Plan.Switch] makes one; the methods of
// the zero Switch panic.
type Switch struct {
	plan        Plan
	member      int
	filters     []*slot.Filter // by generation
	first, last int            // generations in which the member holds slots
}

// Switch joins the plan with a group, the number of one of its members, and a rule. In generations
// that do not have the member it owns nothing. A number that no generation has is an [*Error] that
// is [ErrMember]; a bad group name is one of package slot.
func (p Plan) Switch(group string, member int, rule routing.Rule) (*Switch, error) {
	if member < 0 || member >= p.Members() {
		return nil, &Error{"member", strconv.Itoa(member), "is in no generation of the plan " + strconv.Quote(p.String()) + ", which has at most " + strconv.Itoa(p.Members()) + " members, counted from 0", ErrMember}
	}
	s := &Switch{plan: p, member: member, first: -1}
	for i, g := range p.generations {
		m, err := slot.NewSet(group, g.Layout.Size(), g.Layout.Slots(member)...)
		if err != nil {
			return nil, err
		}
		s.filters = append(s.filters, slot.NewFilter(m).WithRule(rule))
		if member < g.Layout.Members() {
			s.last = i
			if s.first < 0 {
				s.first = i
			}
		}
	}
	return s, nil
}

// Plan returns the plan of the switch.
func (s *Switch) Plan() Plan { return s.plan }

// Number returns the number of the member, from 0.
func (s *Switch) Number() int { return s.member }

// Filter returns the filter that judges the event at a position. It takes constant time, as there are at most
// [MaxGenerations] to choose from, and does not allocate: all filters were made with the Switch.
func (s *Switch) Filter(position commit.Position) *slot.Filter { return s.filters[s.plan.at(position)] }

// Start returns the first position at which the member may own an event: it begins to read there,
// or before. It is 0 for those who are there from the first generation on.
func (s *Switch) Start() commit.Position { return s.plan.generations[s.first].From }

// End returns the first position from which on the member owns nothing any more; ok is false while
// the plan has no such position. A member that leaves goes on until its committed position is at or
// past its End: then all that it owned is done.
func (s *Switch) End() (position commit.Position, ok bool) {
	if s.last == len(s.filters)-1 {
		return commit.Position{}, false
	}
	return s.plan.generations[s.last+1].From, true
}

// Checkpoint returns whose position it is that the member commits in a log. It stays the same when
// the plan is extended; see [commit.Checkpoint].
func (s *Switch) Checkpoint(log string) commit.Checkpoint {
	f := s.filters[s.first]
	c := commit.Checkpoint{Member: f.Member(), Rule: f.Rule(), Log: log}
	if l := s.plan.generations[s.first].Layout; l.Dealt() {
		c.Dealt = l.Members()
	}
	return c
}

// Drained reports whether all events of the same key before the generation of a position are done:
// those of the members that owned the key in earlier generations. Without asking, an entity's first
// event after a switch can overtake its last one before it, which another member has not finished
// yet. A host to which that matters keeps the event aside, does not wait in its loop, and asks
// again later.
//
// committed returns the position that a member has committed, as it was stored: without expiry,
// also of members that have left. ok is false where none is stored, and that means not drained.
// What this member itself owned before does not count: it handles the events of a key in their
// order anyway. For a command, which belongs to no key, the answer is true.
func (s *Switch) Drained(position commit.Position, route routing.Route, committed func(member int) (position commit.Position, ok bool)) bool {
	if route.Command() {
		return true
	}
	sum := sumOf(route)
	for i := s.plan.at(position); i > 0; i-- {
		switched, before := s.plan.generations[i].From, s.plan.generations[i-1].Layout.Owner(sum)
		if before == s.member {
			continue
		}
		if done, ok := committed(before); !ok || done.Before(switched) {
			return false
		}
	}
	return true
}
