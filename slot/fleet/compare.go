package fleet

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// deserted returns all slots as missing on a topic that only the dead received, if they were of one size.
func (g *group) deserted(topic string) []Finding {
	gone := those(g.stale, topic)
	if len(those(g.live, topic)) > 0 || len(split(gone, member.sizeText)) != 1 {
		return nil
	}
	return missing(nil, gone)
}

// on returns what is found among those who receive all of topic, which somebody does; missing slots
// only on a topic that somebody lists.
func (g *group) on(topic string, listed bool) []Finding {
	receivers, gone := those(g.live, topic), those(g.stale, topic)
	var findings []Finding
	plans := split(receivers, func(m member) string { return m.Plan })
	parts := [][]member{receivers}
	if len(plans) == 1 {
		parts = slices.Collect(maps.Values(split(receivers, member.generationText)))
	}
	sizes := split(receivers, member.sizeText)
	switch oneSizeEach := !slices.ContainsFunc(parts, func(p []member) bool { return len(split(p, member.sizeText)) > 1 }); {
	case len(parts) > 1 && oneSizeEach:
		findings = append(findings, Finding{Kind: Switching, Parts: partsOf(split(receivers, member.generationText))})
	case len(sizes) > 1:
		unowned, several := owned(receivers)
		findings = append(findings, Finding{Kind: MixedSizes, Parts: partsOf(sizes), Unowned: unowned, Several: several})
	case listed:
		findings = append(findings, missing(receivers, gone)...)
	}
	for _, part := range parts {
		for _, sameSize := range split(part, member.sizeText) {
			findings = append(findings, doubled(sameSize)...)
		}
	}
	if rules := split(receivers, func(m member) string { return m.rule }); len(rules) > 1 {
		findings = append(findings, Finding{Kind: MixedRules, Parts: partsOf(rules)})
	}
	if len(plans) > 1 {
		findings = append(findings, Finding{Kind: MixedPlans, Parts: partsOf(plans), Detail: planAdvice(plans)})
	}
	return findings
}

func those(members []member, topic string) []member {
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool { return !m.receives(topic) })
}

// split sorts members by a value.
func split(members []member, by func(member) string) map[string][]member {
	parts := map[string][]member{}
	for _, m := range members {
		parts[by(m)] = append(parts[by(m)], m)
	}
	return parts
}

func (m member) sizeText() string { return strconv.Itoa(m.Size) }

func (m member) generationText() string {
	return "generation " + strconv.Itoa(m.generation) + " of " + strconv.Quote(m.Plan)
}

// partsOf returns what split made as parts, numbers by size.
func partsOf(split map[string][]member) []Part {
	var parts []Part
	for value, members := range split {
		parts = append(parts, Part{value, instances(members)})
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(len(a.Value), len(b.Value)), strings.Compare(a.Value, b.Value))
	})
	return parts
}

func instances(members []member) []Instance {
	var all []Instance
	for _, m := range members {
		all = append(all, m.instance())
	}
	slices.SortFunc(all, compareInstances)
	return all
}

// missing returns what members of one size lack together, and who of the dead had it last.
func missing(members, gone []member) []Finding {
	size := slices.Concat(members, gone)[0].Size
	holders := byslot(members, size)
	f := Finding{Kind: Missing, Size: size}
	for s := range size {
		if len(holders[s]) == 0 {
			f.Slots = append(f.Slots, s)
		}
	}
	if f.Slots == nil {
		return nil
	}
	last := slices.DeleteFunc(slices.Clone(gone), func(m member) bool {
		return m.Size != size || !slices.ContainsFunc(m.slots, func(s int) bool { return slices.Contains(f.Slots, s) })
	})
	if len(last) > 0 {
		f.Parts = []Part{{Instances: instances(last)}}
	}
	return []Finding{f}
}

// doubled returns the slots that several members of one size hold, those of the same members in one finding.
func doubled(members []member) []Finding {
	size := members[0].Size
	byHolders := map[string]*Finding{}
	for s, holders := range byslot(members, size) {
		if len(holders) < 2 {
			continue
		}
		all := instances(holders)
		key, _ := json.Marshal(all)
		if byHolders[string(key)] == nil {
			byHolders[string(key)] = &Finding{Kind: Doubled, Size: size, Parts: []Part{{Instances: all}}}
		}
		byHolders[string(key)].Slots = append(byHolders[string(key)].Slots, s)
	}
	var findings []Finding
	for _, f := range byHolders {
		findings = append(findings, *f)
	}
	return findings
}

func byslot(members []member, size int) [][]member {
	holders := make([][]member, size)
	for _, m := range members {
		for _, s := range m.slots {
			holders[s] = append(holders[s], m)
		}
	}
	return holders
}

// twins returns the workers that have several incarnations alive and are not in a finding of doubled slots for it.
func (g *group) twins(findings []Finding) []Finding {
	known := map[string]bool{}
	for _, f := range findings {
		all := f.Instances()
		for i := 1; f.Kind == Doubled && i < len(all); i++ {
			if all[i].Worker == all[i-1].Worker {
				known[all[i].Worker] = true
			}
		}
	}
	var twins []Finding
	for worker, members := range split(g.live, func(m member) string { return m.Worker }) {
		if len(members) > 1 && !known[worker] {
			twins = append(twins, Finding{Kind: Twins, Parts: []Part{{Instances: instances(members)}}})
		}
	}
	return twins
}
