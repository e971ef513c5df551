package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/slotkey/slotkey/examples/internal/events"
)

// A proof is what a run's evidence says.
type proof struct {
	outcome
	handled  map[uint64][]handling // by number, in the order in which each member handled
	byMember []int                 // events, repeats not counted
	repeats  map[string]int        // by what explains them
	late     int                   // handled after a later event of the entity, for a reason
	problems []string              // of handling
	inLog    []string              // of the log
	places   map[place]uint64      // by place in the log, the event that stands there
	doubles  int                   // events that stand in the log once more
}

// A handling is a record and who left it.
type handling struct {
	record
	life  *life
	order int // among all of the member's
}

// prove holds the evidence against what was published. It uses nothing of the library: who the
// owner is, it works out by itself.
func prove(o outcome) *proof {
	p := &proof{outcome: o, handled: map[uint64][]handling{}, byMember: make([]int, o.members), repeats: map[string]int{}, places: map[place]uint64{}}
	for m := range o.members {
		order := 0
		for _, l := range o.lives {
			if l.member != m {
				continue
			}
			for _, r := range o.records[l.incarnation] {
				order++
				p.handled[r.Number] = append(p.handled[r.Number], handling{r, l, order})
			}
		}
	}
	p.theLogIsWhatWasPublished()
	p.everyEventHasItsOwner()
	p.repeatsHaveEvidence()
	p.entitiesKeepTheirOrder()
	return p
}

// problem makes a line about faults of one sort, if there are any; the first is described.
func problem(what string, faults []string) []string {
	if len(faults) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d (first: %s)", what, len(faults), faults[0])}
}

func (p *proof) theLogIsWhatWasPublished() {
	if p.unread != "" {
		p.inLog = []string{p.unread}
		return
	}
	var missing, twice, unknown, late []string
	times := make([]int, len(p.published)+1)
	last := map[string]uint64{}
	for _, l := range p.log {
		e, err := events.Parse(l.body)
		var number uint64
		if err == nil {
			_, err = fmt.Sscanf(e.ID, "event-%d", &number)
		}
		if err != nil || number < 1 || number > uint64(len(p.published)) || p.published[number-1] != e.Key() {
			unknown = append(unknown, fmt.Sprintf("%.80q at %v", l.body, l.place))
			continue
		}
		p.places[l.place] = number
		if times[number]++; times[number] > 1 {
			p.doubles++
			twice = append(twice, fmt.Sprintf("event %d, again at %v", number, l.place))
			continue
		}
		if number < last[e.Key()] {
			late = append(late, fmt.Sprintf("event %d after %d, %s", number, last[e.Key()], e.Key()))
		}
		last[e.Key()] = number
	}
	for number := 1; number < len(times); number++ {
		if times[number] == 0 {
			missing = append(missing, fmt.Sprint("event ", number))
		}
	}
	if p.doubles <= p.forgets {
		twice = nil
	}
	p.inLog = slices.Concat(problem("not in the log", missing), problem("in the log twice", twice), problem("in the log, and never published", unknown), problem("out of order in the log", late))
}

// owner is the rule, once more: FNV-1a of the key, MurmurHash3's finalizer, modulo the size.
func owner(key string, size int) int {
	f := fnv.New32a()
	f.Write([]byte(key))
	h := f.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int((h ^ h>>16) % uint32(size))
}

func (p *proof) everyEventHasItsOwner() {
	var lost, shared, wrong, unknown []string
	for i, entity := range p.published {
		number := uint64(i) + 1
		by := map[int]bool{}
		for _, h := range p.handled[number] {
			by[h.life.member] = true
			if h.Entity != entity {
				unknown = append(unknown, fmt.Sprintf("event %d is about %s, and was handled as %s", number, entity, h.Entity))
			}
		}
		m := owner(entity, p.members)
		switch {
		case len(by) == 0:
			lost = append(lost, fmt.Sprintf("event %d, %s, of member %d", number, entity, m))
		case len(by) > 1:
			shared = append(shared, fmt.Sprintf("event %d, %s", number, entity))
		case !by[m]:
			wrong = append(wrong, fmt.Sprintf("event %d, %s, by member %d in place of %d", number, entity, p.handled[number][0].life.member, m))
		default:
			p.byMember[m]++
		}
	}
	for number := range p.handled {
		if number < 1 || number > uint64(len(p.published)) {
			unknown = append(unknown, fmt.Sprintf("event %d was never published", number))
		}
	}
	p.problems = slices.Concat(p.problems, problem("handled by nobody", lost), problem("handled by two members", shared),
		problem("handled by another than its owner", wrong), problem("not as published", unknown))
}

// republished is why an event was handled again that stands in the log twice. Whether it may stand
// there is another question.
const republished = "it stands in the log twice"

// again says what in a handling's own record explains that its event was delivered again, after it
// had been handled a number of times, before the last of them; empty if nothing does.
func (h handling) again(before handling, times int) string {
	switch {
	case h.Deliveries > uint64(times):
		return "delivered more than once, by the broker's count"
	case h.First > 0 && h.First <= before.Cursor && (h.life != before.life || h.Falls != before.Falls):
		return "the broker had forgotten its last deliveries: its count had fallen"
	case h.From > 0 && h.From <= h.Position.Major+1 && h.life != before.life && !before.life.end.IsZero() && before.life.end.Before(h.life.start):
		return "a process began at its committed position"
	}
	return ""
}

// repeatsHaveEvidence allows an event to be handled again only if the record of it says why.
func (p *proof) repeatsHaveEvidence() {
	var unexplained []string
	for number := uint64(1); number <= uint64(len(p.published)); number++ {
		all := p.handled[number]
		for i := 1; i < len(all); i++ {
			why := all[i].again(all[i-1], i)
			if why == "" && all[i].place != all[i-1].place && p.places[all[i].place] == number && p.places[all[i-1].place] == number {
				why = republished
			}
			if why != "" {
				p.repeats[why]++
			} else {
				unexplained = append(unexplained, fmt.Sprintf("event %d, %s, by member %d and again by member %d: %+v", number, all[i].Entity, all[i-1].life.member, all[i].life.member, all[i].record))
			}
		}
	}
	p.problems = slices.Concat(p.problems, problem("handled again without evidence that it was delivered again", unexplained))
}

// entitiesKeepTheirOrder looks at the events as each member handled them first. One that comes
// after a later one of its entity must have been delivered before.
func (p *proof) entitiesKeepTheirOrder() {
	var first []handling
	for _, all := range p.handled {
		first = append(first, all[0])
	}
	slices.SortFunc(first, func(a, b handling) int {
		return cmp.Or(cmp.Compare(a.life.member, b.life.member), cmp.Compare(a.order, b.order))
	})
	var late []string
	last := map[string]handling{}
	for _, h := range first {
		before := last[h.Entity]
		switch {
		case h.Number > before.Number:
			last[h.Entity] = h
		case h.Deliveries > 1 || h.First > 0 && h.again(before, 1) != "":
			p.late++
		default:
			late = append(late, fmt.Sprintf("event %d after %d, %s", h.Number, before.Number, h.Entity))
		}
	}
	p.problems = slices.Concat(p.problems, problem("out of order, without evidence that it was delivered again", late))
}

// reasons lists why events were handled again.
func (p *proof) reasons() string {
	var lines []string
	for why, n := range p.repeats {
		lines = append(lines, fmt.Sprintf("handled again: %d, %s", n, why))
	}
	slices.Sort(lines)
	if p.late > 0 {
		lines = append(lines, fmt.Sprintf("handled after a later event of its entity: %d, each delivered more than once", p.late))
	}
	return strings.Join(lines, "\n")
}
