package main

import (
	"fmt"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Names of contenders that goals refer to.
const (
	localDecide = "slot.Local.Decide"
	loopDecide  = "a loop over slot.Filter.Decide"
	localJudge  = "slot.Local.Judge, message"
	loopJudge   = "a loop over cloudevent.Decide, message"
)

// localTable: many members in one process.
var localTable = table{
	name:  "local",
	title: "Many members in one process",
	about: "Which of the members of a full group, all in this process, has the event? Subjects of 36 bytes: of decoded events, and in structured messages of 300 bytes.",
	groups: func() ([]measure.Group, error) {
		var groups []measure.Group
		for _, members := range []int{1, 2, 4, 16, 64, 256, 1024} {
			g, err := localGroup(members)
			if err != nil {
				return nil, err
			}
			groups = append(groups, g)
		}
		return groups, nil
	},
}

// An ownerFinder finds the owner of event i by its number.
type ownerFinder struct {
	name  string
	owner func(i int) int
}

// owner is the result of loops, so that no compiler leaves them out.
var owner int

func localGroup(members int) (measure.Group, error) {
	g := measure.Group{Name: fmt.Sprint(members)}
	filters := make([]*slot.Filter, members)
	for i := range filters {
		m, err := slot.New(slot.Config{Group: "bench", Size: members, Index: i})
		if err != nil {
			return g, err
		}
		filters[i] = slot.NewFilter(m)
	}
	var events []routing.Event
	var bodies [][]byte
	for i := range sameKeys {
		e := payload.New(uint64(2000+i), 300, payload.Dense)
		events = append(events, routing.Event{Topic: topic, Subject: e.Subject})
		bodies = append(bodies, e.Early())
	}
	for _, c := range ownerFinders(filters, events, bodies) {
		for i := range sameKeys {
			want := filters[0].Member().Slot(events[i].Subject) // member and slot have one number here
			if got := c.owner(i); got != want {
				return g, fmt.Errorf("%d members: %s: event %d has owner %d, want %d", members, c.name, i, got, want)
			}
		}
		g.Contenders = append(g.Contenders, measure.Contender{Name: c.name, Run: func(n int) {
			for i := range n {
				owner = c.owner(i % sameKeys)
			}
		}})
	}
	return g, nil
}

func ownerFinders(filters []*slot.Filter, events []routing.Event, bodies [][]byte) []ownerFinder {
	local := slot.NewLocal(filters...)
	return []ownerFinder{
		{localDecide, func(i int) (owner int) {
			for member := range local.Decide(events[i]) {
				owner = member
			}
			return owner
		}},
		{loopDecide, func(i int) (owner int) {
			for member, f := range filters {
				if f.Decide(events[i]).Admit() {
					owner = member
				}
			}
			return owner
		}},
		{localJudge, func(i int) (owner int) {
			route := func(r routing.Rule) routing.Route {
				return cloudevent.Route(r, cloudevent.Message{Topic: topic, ContentType: "application/cloudevents+json", Body: bodies[i]})
			}
			for member := range local.Judge(route) {
				owner = member
			}
			return owner
		}},
		{loopJudge, func(i int) (owner int) {
			for member, f := range filters {
				if cloudevent.Decide(f, topic, bodies[i]).Admit() {
					owner = member
				}
			}
			return owner
		}},
	}
}
