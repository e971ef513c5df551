package slot_test

import (
	"testing"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Deciding does not allocate, whatever the member and the rule.
func TestDecidingDoesNotAllocate(t *testing.T) {
	members := []slot.Member{{}, member(t, "pairs", 3, 1), memberOf(t, "pairs", 1024, 1, 2, 1023), memberOf(t, "pairs", 3)}
	rules := []string{"subject,id", "partitionkey,subject", "source+id,topic[1]", "topic/[1]", "subject bypass=control.>,wrk.*.command.*", "id bypass="}
	events := []routing.Event{
		{Topic: "ticks.eurusd", Subject: "EUR/USD", ID: "1"},
		{Topic: "ticks.eurusd", ID: "1", Attributes: map[string]string{"source": "/shops/42", "partitionkey": "p"}},
		{Topic: "wrk.feed.command.7"},
		{},
	}
	var counter slot.Counter
	for _, m := range members {
		for _, text := range rules {
			f := slot.NewFilter(m).WithRule(ruleOf(t, text))
			for i, e := range events {
				for name, call := range map[string]func(){
					"Owns":   func() { m.Owns(e.Subject) },
					"Slot":   func() { m.Slot(e.Subject) },
					"Holds":  func() { m.Holds(2) },
					"Judge":  func() { f.Judge(routing.Hashed(hashpin.Sum32String(e.ID))) },
					"Decide": func() { f.Decide(e) },
					"Admit":  func() { f.Admit(e) },
					"Count":  func() { counter.Count(f.Decide(e)) },
					"Counts": func() { counter.Counts() },
				} {
					if got := testing.AllocsPerRun(10, call); got != 0 {
						t.Errorf("%s, %v, %q, event %d: %v allocations", name, m, text, i, got)
					}
				}
			}
		}
	}
}
