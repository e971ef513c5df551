// Package metrics exports what a member does, and its place, to Prometheus. It is an example: copy
// it, and change the names if yours are different. docs/operate.md has the alerts that go with it.
package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/slotkey/slotkey/slot"
)

// A Collector reads a counter and its filter's member whenever Prometheus asks; counting itself
// costs no more than before. It is safe for concurrent use. Members of one group in one process are
// told apart by prometheus.WrapRegistererWith.
type Collector struct {
	counter *slot.Counter

	events *prometheus.Desc
	place  []prometheus.Metric // never changes: a member is immutable
}

// NewCollector returns a collector of
//
//	slotkey_events_total{group, verdict}  events by verdict: own, foreign, bypass, malformed
//	slotkey_group_size{group}             the number of slots; the same from every member, or something is wrong
//	slotkey_group_index{group}            the slot of a member that holds one
//	slotkey_slot_held{group, slot}        1 for each slot that the member holds
//
// A dedicated member has the empty group and only the first.
func NewCollector(filter *slot.Filter, counter *slot.Counter) *Collector {
	m := filter.Member()
	group := prometheus.Labels{"group": m.Group()}
	c := &Collector{
		counter: counter,
		events:  prometheus.NewDesc("slotkey_events_total", "Events received, by the member's verdict.", []string{"verdict"}, group),
	}
	if m.Dedicated() {
		return c
	}
	gauge := func(name, help string, value int, labels, values []string) {
		desc := prometheus.NewDesc(name, help, labels, group)
		c.place = append(c.place, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(value), values...))
	}
	gauge("slotkey_group_size", "The number of slots of the group.", m.Size(), nil, nil)
	slots := m.Slots()
	if len(slots) == 1 {
		gauge("slotkey_group_index", "The slot that the member holds.", slots[0], nil, nil)
	}
	for _, s := range slots {
		gauge("slotkey_slot_held", "1 for each slot that the member holds.", 1, []string{"slot"}, []string{strconv.Itoa(s)})
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.events
	for _, m := range c.place {
		ch <- m.Desc()
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	counts := c.counter.Counts()
	for verdict, n := range map[slot.Kind]uint64{
		slot.Own: counts.Own, slot.Foreign: counts.Foreign, slot.Bypass: counts.Bypass, slot.Malformed: counts.Malformed,
	} {
		ch <- prometheus.MustNewConstMetric(c.events, prometheus.CounterValue, float64(n), verdict.String())
	}
	for _, m := range c.place {
		ch <- m
	}
}
