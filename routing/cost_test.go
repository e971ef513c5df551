package routing_test

import (
	"testing"

	"github.com/slotkey/slotkey/routing"
)

// costly are rules and events that take each way through the code.
var costly = []struct {
	name, rule string
	event      routing.Event
}{
	{"default", "subject,id", routing.Event{Topic: "ticks.eurusd", Subject: "EUR/USD", ID: "1"}},
	{"command", "subject,id", routing.Event{Topic: "wrk.feed.command.7", Subject: "EUR/USD", ID: "1"}},
	{"no key", "subject,id", routing.Event{Topic: "ticks.eurusd"}},
	{"attribute", "partitionkey,id", routing.Event{ID: "1", Attributes: map[string]string{"partitionkey": "p"}}},
	{"joined", "source+id", routing.Event{ID: "1", Attributes: map[string]string{"source": "/shops/42"}}},
	{"topic", "topic[2],topic/[1]", routing.Event{Topic: "shops/42/orders"}},
	{"patterns", "subject bypass=a.*,b.>,wrk.*.command.*", routing.Event{Topic: "wrk.feed.event.7", Subject: "EUR/USD"}},
}

func TestRouteDoesNotAllocate(t *testing.T) {
	for _, test := range costly {
		r := parse(t, test.rule)
		for name, f := range map[string]func(){
			"Route":   func() { r.Route(test.event) },
			"Command": func() { r.Command(test.event.Topic) },
		} {
			if got := testing.AllocsPerRun(100, f); got != 0 {
				t.Errorf("%s, %s: %v allocations, want 0", test.name, name, got)
			}
		}
		key, _ := r.Key(test.event)
		if got := testing.AllocsPerRun(100, func() { r.Key(test.event) }); test.name != "joined" && got != 0 {
			t.Errorf("%s, Key %q: %v allocations, want 0", test.name, key, got)
		}
	}
}

func BenchmarkRoute(b *testing.B) {
	for _, test := range costly {
		b.Run(test.name, func(b *testing.B) {
			r := parse(b, test.rule)
			b.ReportAllocs()
			for b.Loop() {
				r.Route(test.event)
			}
		})
	}
}

func BenchmarkParseRule(b *testing.B) {
	for b.Loop() {
		parse(b, "fnv1a32-fmix32 partitionkey,source+id,topic/[2] bypass=ctl.>,wrk.*.command.* percent")
	}
}
