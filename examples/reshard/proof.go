package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
)

// A proof is what the handled log says.
type proof struct {
	outcome
	handled  map[uint64][]record // by sequence, in the order of the log
	byMember map[int]int         // events, repeats not counted
	repeats  int
	problems []string
}

// prove holds the handled log against what was published. Of the library it uses the plan, to tell
// owners. But that an entity has one member within a generation, and that no event has two or none,
// shows in the log alone.
func prove(o outcome) *proof {
	p := &proof{outcome: o, handled: map[uint64][]record{}, byMember: map[int]int{}}
	for _, r := range o.records {
		if r.Kind == "handled" {
			p.handled[r.Sequence] = append(p.handled[r.Sequence], r)
		}
	}
	p.everyEventHasOneMember()
	p.everyEntityHasOneMemberAtATime()
	p.repeatsHaveEvidence()
	p.entitiesKeepTheirOrder()
	return p
}

// problem adds a line about faults of one sort, if there are any; the first is described.
func (p *proof) problem(what string, faults []string) {
	if len(faults) > 0 {
		p.problems = append(p.problems, fmt.Sprintf("%s: %d (first: %s)", what, len(faults), faults[0]))
	}
}

func (p *proof) everyEventHasOneMember() {
	var lost, shared, wrong, unknown []string
	for i, entity := range p.entities {
		sequence := uint64(i) + 1
		by := map[int]bool{}
		for _, r := range p.handled[sequence] {
			by[r.Member] = true
			if r.Entity != entity {
				unknown = append(unknown, fmt.Sprintf("sequence %d is about %s, and was handled as %s", sequence, entity, r.Entity))
			}
		}
		owner, _ := p.plan.Owner(commit.At(sequence), routing.Hashed(hashpin.Sum32String(entity)))
		switch {
		case len(by) == 0:
			lost = append(lost, fmt.Sprintf("sequence %d, %s", sequence, entity))
		case len(by) > 1:
			shared = append(shared, fmt.Sprintf("sequence %d, %s, by members %s", sequence, entity, list(slices.Sorted(maps.Keys(by)))))
		case !by[owner]:
			wrong = append(wrong, fmt.Sprintf("sequence %d, %s, by member %d in place of %d", sequence, entity, p.handled[sequence][0].Member, owner))
		default:
			p.byMember[owner]++
		}
	}
	for sequence := range p.handled {
		if sequence < 1 || sequence > uint64(len(p.entities)) {
			unknown = append(unknown, fmt.Sprintf("sequence %d was never published", sequence))
		}
	}
	p.problem("handled by nobody", lost)
	p.problem("handled by two members", shared)
	p.problem("handled by another than its owner", wrong)
	p.problem("not as published", unknown)
}

func (p *proof) everyEntityHasOneMemberAtATime() {
	var split []string
	generations := p.plan.Generations()
	for i, g := range generations {
		end := uint64(len(p.entities)) + 1
		if i+1 < len(generations) {
			end = generations[i+1].From.Major
		}
		first := map[string]int{}
		for sequence := max(1, g.From.Major); sequence < end; sequence++ {
			for _, r := range p.handled[sequence] {
				member, known := first[r.Entity]
				if !known {
					first[r.Entity] = r.Member
				} else if member != r.Member {
					split = append(split, fmt.Sprintf("%s under %v, by member %d and, at sequence %d, by %d", r.Entity, g.Layout, member, sequence, r.Member))
				}
			}
		}
	}
	p.problem("entities with two members in one generation", split)
}

// repeatsHaveEvidence allows an event to be handled again only by a later process of its member,
// started after the end of the one that handled it before, and only if it said that it would read
// from that event or one before: the committed position was held by an event that was not finished.
func (p *proof) repeatsHaveEvidence() {
	started := map[string]uint64{}
	for _, r := range p.records {
		if r.Kind == "started" {
			started[r.Incarnation] = r.Sequence
		}
	}
	lives := map[string]life{}
	for _, l := range p.lives {
		lives[l.incarnation] = l
	}
	var unexplained []string
	for _, sequence := range slices.Sorted(maps.Keys(p.handled)) {
		all := p.handled[sequence]
		for i, again := range all[1:] {
			before := all[i]
			from, known := started[again.Incarnation]
			first, second := lives[before.Incarnation], lives[again.Incarnation]
			if again.Member == before.Member && first.end.Before(second.start) && known && from <= sequence {
				p.repeats++
				continue
			}
			unexplained = append(unexplained, fmt.Sprintf("sequence %d, %s, by member %d and again by member %d", sequence, again.Entity, before.Member, again.Member))
		}
	}
	p.problem("handled again without a reason", unexplained)
}

// entitiesKeepTheirOrder looks at the events of each entity as they were handled first, whoever handled them.
func (p *proof) entitiesKeepTheirOrder() {
	last := map[string]uint64{}
	seen := map[uint64]bool{}
	var late []string
	for _, r := range p.records {
		if r.Kind != "handled" || seen[r.Sequence] {
			continue
		}
		seen[r.Sequence] = true
		if r.Sequence < last[r.Entity] {
			late = append(late, fmt.Sprintf("%s: sequence %d after %d", r.Entity, r.Sequence, last[r.Entity]))
		}
		last[r.Entity] = r.Sequence
	}
	p.problem("out of order", late)
}

// moved counts, for each switch, the entities whose member changed, among those that have events on
// both sides, as the log shows it.
func (p *proof) moved(i int) (moved, of int) {
	generations := p.plan.Generations()
	member := func(from, to uint64) map[string]int {
		by := map[string]int{}
		for sequence := from; sequence < to; sequence++ {
			for _, r := range p.handled[sequence] {
				by[r.Entity] = r.Member
			}
		}
		return by
	}
	end := uint64(len(p.entities)) + 1
	if i+1 < len(generations) {
		end = generations[i+1].From.Major
	}
	before, after := member(max(1, generations[i-1].From.Major), generations[i].From.Major), member(generations[i].From.Major, end)
	for entity, m := range before {
		if now, there := after[entity]; there {
			of++
			if now != m {
				moved++
			}
		}
	}
	return moved, of
}

// shares says what each member handled, and in how many processes.
func (p *proof) shares() string {
	processes := map[int]int{}
	for _, l := range p.lives {
		processes[l.member]++
	}
	var lines []string
	for m := range p.plan.Members() {
		lines = append(lines, fmt.Sprintf("member %d: %d events, %d process%s", m, p.byMember[m], processes[m], plural(processes[m])))
	}
	return strings.Join(lines, "\n")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "es"
}
