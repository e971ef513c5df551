package slot_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// owners collects what a Local says of an event; a filter named twice fails the test.
func owners(t interface{ Fatalf(string, ...any) }, l *slot.Local, e routing.Event) map[int]slot.Verdict {
	got := map[int]slot.Verdict{}
	for i, v := range l.Decide(e) {
		if _, twice := got[i]; twice {
			t.Fatalf("filter %d is named twice for %+v", i, e)
		}
		got[i] = v
	}
	return got
}

// fullGroup returns a filter for each slot of a group.
func fullGroup(tb rapid.TB, group string, size int) []*slot.Filter {
	filters := make([]*slot.Filter, size)
	for i := range filters {
		filters[i] = slot.NewFilter(member(tb, group, size, i))
	}
	return filters
}

func TestLocalKeepsGroupsIndependent(t *testing.T) {
	filters := append(fullGroup(t, "pairs", 3), fullGroup(t, "orders", 5)...) // 0-2 and 3-7
	filters = append(filters, slot.NewFilter(slot.Member{}))                  // 8
	l := slot.NewLocal(filters...)

	key := routing.Event{Topic: "ticks", Subject: "EUR/USD", ID: "1"}
	sum := hashpin.Sum32String("EUR/USD")
	inPairs, inOrders := int(sum%3), int(sum%5)
	want := map[int]slot.Verdict{
		inPairs:      {slot.Own, inPairs, sum},
		3 + inOrders: {slot.Own, inOrders, sum},
		8:            {slot.Own, -1, sum},
	}
	if diff := cmp.Diff(want, owners(t, l, key)); diff != "" {
		t.Errorf("an event with a key (-want +got):\n%s", diff)
	}

	none := hashpin.Sum32String("")
	inPairs, inOrders = int(none%3), int(none%5)
	want = map[int]slot.Verdict{
		inPairs:      {slot.Malformed, inPairs, none},
		3 + inOrders: {slot.Malformed, inOrders, none},
		8:            {slot.Own, -1, none},
	}
	if diff := cmp.Diff(want, owners(t, l, routing.Event{Topic: "ticks"})); diff != "" {
		t.Errorf("an event without a key (-want +got):\n%s", diff)
	}

	want = map[int]slot.Verdict{}
	for i := range filters {
		want[i] = slot.Verdict{Kind: slot.Bypass, Slot: -1}
	}
	if diff := cmp.Diff(want, owners(t, l, routing.Event{Topic: "wrk.feed.command.7", Subject: "EUR/USD"})); diff != "" {
		t.Errorf("a command (-want +got):\n%s", diff)
	}
}

func TestLocalHasWhoHoldsOneSlotTwice(t *testing.T) {
	same := slot.NewFilter(member(t, "pairs", 1, 0))
	l := slot.NewLocal(same, same, slot.NewFilter(member(t, "pairs", 1, 0)))
	if got, want := len(owners(t, l, routing.Event{ID: "1"})), 3; got != want {
		t.Errorf("got %d owners, want %d", got, want)
	}
}

func TestLocalZeroValue(t *testing.T) {
	var l slot.Local
	for i, v := range l.Decide(routing.Event{Topic: "wrk.feed.command.7", ID: "1"}) {
		t.Errorf("the zero Local names filter %d: %v", i, v)
	}
}

func TestLocalStopsWhenAsked(t *testing.T) {
	filters := append(fullGroup(t, "pairs", 2), fullGroup(t, "orders", 2)...)
	filters = append(filters, slot.NewFilter(slot.Member{}), slot.NewFilter(slot.Member{}))
	l := slot.NewLocal(filters...)
	for _, e := range []routing.Event{{ID: "1"}, {}, {Topic: "wrk.feed.command.7"}} {
		all := len(owners(t, l, e))
		for stop := 1; stop <= all; stop++ {
			seen := 0
			for range l.Decide(e) {
				if seen++; seen == stop {
					break
				}
			}
			if seen != stop {
				t.Errorf("%+v: %d owners after a break at %d", e, seen, stop)
			}
		}
	}
}

// A route is made once for each rule, however many members there are.
func TestLocalMakesOneRouteForEachRule(t *testing.T) {
	upper, err := routing.ParseRule("partitionkey,subject,id")
	if err != nil {
		t.Fatal(err)
	}
	var filters []*slot.Filter
	for _, f := range fullGroup(t, "pairs", 64) {
		filters = append(filters, f, f.WithRule(upper))
	}
	var asked []routing.Rule
	route := func(r routing.Rule) routing.Route {
		asked = append(asked, r)
		return r.Route(routing.Event{Subject: "EUR/USD", Attributes: map[string]string{"partitionkey": "p"}})
	}
	found := 0
	for range slot.NewLocal(filters...).Judge(route) {
		found++
	}
	if diff := cmp.Diff([]routing.Rule{{}, upper}, asked, cmp.Comparer(func(a, b routing.Rule) bool { return a == b })); diff != "" {
		t.Errorf("rules asked for (-want +got):\n%s", diff)
	}
	if want := 2; found != want {
		t.Errorf("found %d owners, want %d: one in each full group", found, want)
	}
}

// A Local says what a loop over its filters says, for any members, rules and events.
func TestLocalIsTheLoop(t *testing.T) {
	rules := []routing.Rule{{}}
	for _, text := range []string{"partitionkey,subject,id", "subject,id bypass=", "subject,id bypass=ctl.>", "subject+id", "topic[1],id", "subject,id percent"} {
		r, err := routing.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	rapid.Check(t, func(t *rapid.T) {
		filter := rapid.Custom(func(t *rapid.T) *slot.Filter {
			m := slot.Member{}
			if size := rapid.IntRange(0, 9).Draw(t, "size"); size > 0 {
				slots := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 0, size, rapid.ID[int]).Draw(t, "slots")
				var err error
				if m, err = slot.NewSet(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "group"), size, slots...); err != nil {
					t.Fatal(err)
				}
			}
			return slot.NewFilter(m).WithRule(rapid.SampledFrom(rules).Draw(t, "rule"))
		})
		filters := rapid.SliceOfN(filter, 0, 20).Draw(t, "filters")
		l := slot.NewLocal(filters...)
		part := rapid.SampledFrom([]string{"", "a", "b.c", "EUR/USD"})
		for range 5 {
			e := routing.Event{
				Topic:   rapid.SampledFrom([]string{"", "ticks", "ticks.eu", "wrk.a.command.b", "ctl.x"}).Draw(t, "topic"),
				Subject: part.Draw(t, "subject"),
				ID:      part.Draw(t, "id"),
			}
			if rapid.Bool().Draw(t, "has attributes") {
				e.Attributes = map[string]string{"partitionkey": part.Draw(t, "partitionkey")}
			}
			want := map[int]slot.Verdict{}
			for i, f := range filters {
				if v := f.Decide(e); v.Admit() {
					want[i] = v
				}
			}
			if diff := cmp.Diff(want, owners(t, l, e)); diff != "" {
				t.Fatalf("%+v (-loop +local):\n%s", e, diff)
			}
		}
	})
}

func TestLocalDoesNotAllocate(t *testing.T) {
	filters := append(fullGroup(t, "pairs", 64), slot.NewFilter(slot.Member{}))
	l := slot.NewLocal(filters...)
	for _, e := range []routing.Event{{Topic: "ticks", Subject: "EUR/USD"}, {Topic: "ticks"}, {Topic: "wrk.feed.command.7"}} {
		sum := 0
		allocs := testing.AllocsPerRun(100, func() {
			for i := range l.Decide(e) {
				sum += i
			}
			for i := range l.Judge(func(r routing.Rule) routing.Route { return r.Route(e) }) {
				sum += i
			}
		})
		if allocs != 0 {
			t.Errorf("%+v: %v allocations, want 0", e, allocs)
		}
	}
}

// One process hosts the whole group "pairs" and one member of "orders".
func ExampleLocal() {
	var names []string
	var filters []*slot.Filter
	for _, text := range []string{"pairs:0/3", "pairs:1/3", "pairs:2/3", "orders:0/1"} {
		m, err := slot.ParseMember(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		names = append(names, text)
		filters = append(filters, slot.NewFilter(m))
	}
	local := slot.NewLocal(filters...)

	for i, verdict := range local.Decide(routing.Event{Topic: "ticks", Subject: "EUR/USD", ID: "1"}) {
		fmt.Println(names[i], "has verdict", verdict)
	}
	// Output:
	// pairs:1/3 has verdict own slot 1
	// orders:0/1 has verdict own slot 0
}

// The cost is the same for one member and for a thousand: a hash, and a look into a table.
func BenchmarkLocal(b *testing.B) {
	for n := 1; n <= slot.MaxSize; n *= 4 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			l := slot.NewLocal(fullGroup(b, "pairs", n)...)
			e := routing.Event{Topic: "ticks.eurusd", Subject: benchKeys[36], ID: "1"}
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				for range l.Decide(e) {
					found++
				}
			}
			if found == 0 {
				b.Fatal("a full group has no owner")
			}
		})
	}
}

// What BenchmarkLocal spares.
func BenchmarkLoopOverFilters(b *testing.B) {
	for n := 1; n <= slot.MaxSize; n *= 4 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			filters := fullGroup(b, "pairs", n)
			e := routing.Event{Topic: "ticks.eurusd", Subject: benchKeys[36], ID: "1"}
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				for _, f := range filters {
					if f.Admit(e) {
						found++
					}
				}
			}
			if found == 0 {
				b.Fatal("a full group has no owner")
			}
		})
	}
}

// What the doc of Local says of metrics: what a filter did not admit, it dropped.
func TestForeignEventsOfALocal(t *testing.T) {
	filters := append(fullGroup(t, "pairs", 3), fullGroup(t, "orders", 5)...)
	local := slot.NewLocal(filters...)
	admitted, all := make([]slot.Counter, len(filters)), make([]slot.Counter, len(filters))
	events := uint64(0)
	for i := range 200 {
		event := routing.Event{Topic: []string{"ticks", "wrk.a.command.b"}[i%10/9], ID: []string{strconv.Itoa(i), ""}[i%7/6]}
		events++
		for i, verdict := range local.Decide(event) {
			admitted[i].Count(verdict)
		}
		for i, f := range filters {
			all[i].Count(f.Decide(event))
		}
	}
	for i := range filters {
		got, want := events-admitted[i].Counts().Total(), all[i].Counts().Foreign
		if got != want || want == 0 {
			t.Errorf("%v: got %d foreign events, want %d", filters[i].Member(), got, want)
		}
	}
}
