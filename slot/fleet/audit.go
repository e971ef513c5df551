package fleet

import (
	"encoding/json"
	"slices"
	"time"
)

// Audit judges what the workers of a fleet announced, as an observer has it at the time now, and
// returns what is not as it should be, by group and kind; nothing if all is well. It is a pure
// function.
//
// Seen of each announcement is by the observer's clock, which is also that of now: see
// [Announcement.SeenAt]. Who was not seen for longer than ttl does not count as running; take three
// or more times the interval in which workers announce. With a ttl of zero or less nobody is too
// old.
//
// Of several announcements of one incarnation the one seen last counts (of equals, the last in the
// list; in all else the order does not matter). Of several incarnations of one worker, by group and
// name, the older is replaced, and forgotten, only if it was not seen after the newer began. If it
// was, both run: a pod that was deleted by force leaves two, and what both hold is doubled. An
// observer that stamps with the worker's own clock can err that way after a restart on a node whose
// clock is slow, until ttl has passed.
//
// Slots are compared per topic, as in [Registry]. On a topic whose members differ in size, what is
// missing shows in the shares of MixedSizes instead. Dedicated workers are never missing or double.
// A group of which nothing was ever announced is not known here: alert on the absence of
// announcements as well.
func Audit(now time.Time, ttl time.Duration, announcements []Announcement) []Finding {
	live, stale := alive(now, ttl, announcements)
	var findings []Finding
	groups := map[string]*group{}
	of := func(name string) *group {
		if groups[name] == nil {
			groups[name] = new(group)
		}
		return groups[name]
	}
	read := plans{}
	for _, a := range live {
		m, faults, ok := judge(a, read)
		findings = append(findings, faults...)
		if ok {
			of(a.Group).live = append(of(a.Group).live, m)
		}
	}
	for _, a := range stale {
		findings = append(findings, Finding{
			Kind: Stale, Group: a.Group, Age: now.Sub(a.Seen), Parts: []Part{{Instances: []Instance{a.instance()}}},
		})
		if m, _, ok := judge(a, read); ok {
			of(a.Group).stale = append(of(a.Group).stale, m)
		}
	}
	for name, g := range groups {
		for _, f := range g.findings() {
			f.Group = name
			findings = append(findings, f)
		}
	}
	slices.SortFunc(findings, compareFindings)
	return findings
}

// A group is the members of one group that run, and those that seem dead.
type group struct{ live, stale []member }

func (g *group) findings() []Finding {
	joined := map[string]*Finding{}
	join := func(topic string, findings []Finding) {
		for _, f := range findings {
			key, _ := json.Marshal(f) // all but the topics
			if joined[string(key)] == nil {
				joined[string(key)] = &f
			}
			joined[string(key)].Topics = append(joined[string(key)].Topics, topic)
		}
	}
	listed := topics(g.live)
	for _, topic := range listed {
		join(topic, g.on(topic, true))
	}
	crossed := crossings(listed)
	for _, topic := range crossed {
		join(topic, g.on(topic, false))
	}
	for _, topic := range topics(g.stale) {
		join(topic, g.deserted(topic))
	}
	var findings []Finding
	for _, f := range joined {
		f.Topics = without(f.Topics, crossed)
		findings = append(findings, *f)
	}
	return append(findings, g.twins(findings)...)
}

// topics returns all topics of the members, sorted, each once.
func topics(members []member) []string {
	var all []string
	for _, m := range members {
		all = append(all, m.topics...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// crossings returns what two topics have in common and neither is: "a.b" of "a.*" and "*.b". There
// members can be double whom no listed topic brings together.
func crossings(listed []string) []string {
	var both []string
	for i, p := range listed {
		for _, q := range listed[:i] {
			if topic, ok := intersect(p, q); ok && topic != p && topic != q {
				both = append(both, topic)
			}
		}
	}
	slices.Sort(both)
	return slices.DeleteFunc(slices.Compact(both), func(topic string) bool { return slices.Contains(listed, topic) })
}

// without leaves out the crossings that lie within another of the topics, and sorts the rest.
func without(topics, crossed []string) []string {
	kept := slices.DeleteFunc(slices.Clone(topics), func(topic string) bool {
		return slices.Contains(crossed, topic) &&
			slices.ContainsFunc(topics, func(p string) bool { return p != topic && covers(p, topic) })
	})
	slices.Sort(kept)
	return slices.Compact(kept)
}
