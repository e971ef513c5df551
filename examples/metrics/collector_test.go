package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/slotkey/slotkey/examples/metrics"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func filter(text string) *slot.Filter {
	m, err := slot.ParseMember(text)
	if err != nil {
		panic(err)
	}
	return slot.NewFilter(m)
}

// A consumer's loop counts, and Prometheus scrapes the numbers.
func ExampleCollector() {
	filter, counter := filter("pairs:1/3"), new(slot.Counter)

	registry := prometheus.NewRegistry() // prometheus.DefaultRegisterer in most programs
	registry.MustRegister(metrics.NewCollector(filter, counter))

	for i := range 9 { // the consumer's loop
		e := routing.Event{Topic: "ticks", Subject: fmt.Sprint("pair-", i)}
		if counter.Count(filter.Decide(e)).Admit() {
			fmt.Println("handled", e.Subject)
		}
	}

	page := httptest.NewRecorder() // in a program: http.Handle("/metrics", promhttp.Handler())
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(page.Body.String()) {
		if !strings.HasPrefix(line, "#") {
			fmt.Print(line)
		}
	}
	// Output:
	// handled pair-3
	// handled pair-5
	// handled pair-7
	// slotkey_events_total{group="pairs",verdict="bypass"} 0
	// slotkey_events_total{group="pairs",verdict="foreign"} 6
	// slotkey_events_total{group="pairs",verdict="malformed"} 0
	// slotkey_events_total{group="pairs",verdict="own"} 3
	// slotkey_group_index{group="pairs"} 1
	// slotkey_group_size{group="pairs"} 3
	// slotkey_slot_held{group="pairs",slot="1"} 1
}

func TestCollector(t *testing.T) {
	for _, tt := range []struct {
		member string
		want   string
	}{
		{"pairs:0,7/360", `
			# HELP slotkey_group_size The number of slots of the group.
			# TYPE slotkey_group_size gauge
			slotkey_group_size{group="pairs"} 360
			# HELP slotkey_slot_held 1 for each slot that the member holds.
			# TYPE slotkey_slot_held gauge
			slotkey_slot_held{group="pairs",slot="0"} 1
			slotkey_slot_held{group="pairs",slot="7"} 1
		`},
		{"pairs:none/3", `
			# HELP slotkey_group_size The number of slots of the group.
			# TYPE slotkey_group_size gauge
			slotkey_group_size{group="pairs"} 3
		`},
		{"dedicated", ""},
	} {
		c := metrics.NewCollector(filter(tt.member), new(slot.Counter))
		if err := testutil.CollectAndCompare(c, strings.NewReader(tt.want), "slotkey_group_size", "slotkey_group_index", "slotkey_slot_held"); err != nil {
			t.Errorf("%s: %v", tt.member, err)
		}
		if got := testutil.CollectAndCount(c, "slotkey_events_total"); got != 4 {
			t.Errorf("%s: %d kinds of verdicts, want 4", tt.member, got)
		}
		if problems, err := testutil.CollectAndLint(c); err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", tt.member, problems, err)
		}
	}
}

// Two members in one process, of two groups, go into one registry; the same member twice does not.
func TestTwoMembers(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	for _, member := range []string{"pairs:1/3", "orders:0-4/10"} {
		if err := registry.Register(metrics.NewCollector(filter(member), new(slot.Counter))); err != nil {
			t.Errorf("%s: %v", member, err)
		}
	}
	if _, err := registry.Gather(); err != nil {
		t.Error(err)
	}
	if err := registry.Register(metrics.NewCollector(filter("pairs:2/3"), new(slot.Counter))); err == nil {
		t.Error("two members of one group in one registry: their counts would be mixed up")
	}
}
