package resize_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

func plan(tb testing.TB, text string) resize.Plan {
	tb.Helper()
	p, err := resize.ParsePlan(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func position(tb testing.TB, text string) commit.Position {
	tb.Helper()
	p, err := commit.ParsePosition(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestPlanTexts(t *testing.T) {
	for _, test := range []struct{ text, canonical string }{
		{"3", "3"},
		{"3,5@120000", "3,5@120000"},
		{"360/12,360/15@120000", "360/12,360/15@120000"},
		{"3,3/3@1,3@2,1024/1024@3", "3,3/3@1,3@2,1024/1024@3"},
		{"3,6@1526919030474-55,9@1526919030474-56", "3,6@1526919030474-55,9@1526919030474-56"},
		{"3,5@120000-0", "3,5@120000"},
		{"1,2@0-1", "1,2@0-1"},
		{"1,2@18446744073709551615", "1,2@18446744073709551615"},
	} {
		if got := plan(t, test.text).String(); got != test.canonical {
			t.Errorf("%s: got %s, want %s", test.text, got, test.canonical)
		}
	}
	generations := plan(t, "3,360/15@7-8").Generations()
	want := []resize.Generation{{Layout: plain(t, 3)}, {Layout: deal(t, 360, 15), From: commit.Position{Major: 7, Minor: 8}}}
	if len(generations) != 2 || generations[0] != want[0] || generations[1] != want[1] {
		t.Errorf("got %v, want %v", generations, want)
	}
}

// longestPlan has as many generations as there may be.
func longestPlan() string {
	generations := []string{"1"}
	for i := 1; i < resize.MaxGenerations; i++ {
		generations = append(generations, fmt.Sprintf("%d@%d", 1+i%2, i))
	}
	return strings.Join(generations, ",")
}

func TestPlanErrors(t *testing.T) {
	many := longestPlan()
	of := func(_ resize.Plan, err error) error { return err }
	parse := func(text string) error { return of(resize.ParsePlan(text)) }
	sw := func(p resize.Plan, group string, m int) error {
		_, err := p.Switch(group, m, routing.Rule{})
		return err
	}
	var zero resize.Plan
	const badPosition = " is not a number, such as 120000, nor two, such as 1526919030474-55: plain decimals from 0 to 18446744073709551615"
	for _, test := range []struct {
		err  error
		is   error
		want string
	}{
		{parse(""), resize.ErrText, `resize: layout "" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{parse("3,"), resize.ErrText, `resize: layout "" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{parse("3, 5@7"), resize.ErrText, `resize: layout " 5" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{parse("3@1"), resize.ErrText, `resize: plan "3@1" begins with "3@1": the first generation holds from the beginning of the log and has no position`},
		{parse("3,5"), resize.ErrText, `resize: plan "3,5" has the generation "5" without the position from which it holds, such as "5@120000"`},
		{parse("3,5@"), commit.ErrText, `commit: position ""` + badPosition},
		{parse("3,5@-1"), commit.ErrText, `commit: position "-1"` + badPosition},
		{parse("3,5@7@8"), commit.ErrText, `commit: position "7@8"` + badPosition},
		{parse("3,5@007"), commit.ErrText, `commit: position "007"` + badPosition},
		{parse("3,5@18446744073709551616"), commit.ErrText, `commit: position "18446744073709551616"` + badPosition},
		{parse("3,5@0"), resize.ErrPosition, "resize: position 0 is not behind 0, where the generation 3 begins"},
		{parse("3,5@7,6@7"), resize.ErrPosition, "resize: position 7 is not behind 7, where the generation 5 begins"},
		{parse("3,5@7-2,6@7-1"), resize.ErrPosition, "resize: position 7-1 is not behind 7-2, where the generation 5 begins"},
		{parse("3,5@7,6@6"), resize.ErrPosition, "resize: position 6 is not behind 7, where the generation 5 begins"},
		{parse("3,3@7"), resize.ErrSame, "resize: layout 3 at position 7 is that of the generation before"},
		{parse("0"), resize.ErrSize, "resize: slots 0 is below 1"},
		{parse("3,1025@7"), resize.ErrSize, "resize: slots 1025 is above the limit of 1024"},
		{parse("360/12,360/361@7"), resize.ErrMembers, "resize: members 361 is above the number of slots, 360: some would hold none"},
		{parse(many + ",9@999"), resize.ErrLength, "resize: plan has more than 256 generations, which is the limit"},
		{of(plan(t, many).Extend(plain(t, 9), commit.At(999))), resize.ErrLength, "resize: plan has 256 generations already, which is the limit"},
		{of(zero.Extend(plain(t, 3), commit.At(1))), resize.ErrExtend, "resize: plan has no first generation: NewPlan makes one"},
		{of(zero.Adopt(plan(t, "3"), commit.At(1))), resize.ErrExtend, "resize: plan has no first generation: NewPlan makes one"},
		{of(plan(t, "3").Extend(resize.Layout{}, commit.At(1))), resize.ErrSize, "resize: slots 0 is below 1"},
		{of(resize.NewPlan(resize.Layout{})), resize.ErrSize, "resize: slots 0 is below 1"},
		{sw(plan(t, "3,5@7"), "pairs", 5), resize.ErrMember, `resize: member 5 is in no generation of the plan "3,5@7", which has at most 5 members, counted from 0`},
		{sw(plan(t, "3,5@7"), "pairs", -1), resize.ErrMember, `resize: member -1 is in no generation of the plan "3,5@7", which has at most 5 members, counted from 0`},
		{sw(zero, "pairs", 0), resize.ErrMember, `resize: member 0 is in no generation of the plan "", which has at most 0 members, counted from 0`},
		{sw(plan(t, "3"), "", 0), slot.ErrGroup, "slot: group \"\" is empty; a group that has a size has a name of 1 to 64 characters"},
	} {
		if !errors.Is(test.err, test.is) || test.err.Error() != test.want {
			t.Errorf("got %v, want %s", test.err, test.want)
		}
	}
	p := plan(t, "3")
	if err := p.UnmarshalText([]byte("x")); err == nil || p.String() != "3" {
		t.Errorf("after a bad text: plan %v, error %v; want 3 unchanged and an error", p, err)
	}
	if text, err := zero.MarshalText(); err == nil {
		t.Errorf("the zero Plan has the text %q, want an error", text)
	}
	asJSON, err := json.Marshal(plan(t, "3,5@7"))
	if string(asJSON) != `"3,5@7"` || err != nil {
		t.Errorf("as JSON: %s, %v", asJSON, err)
	}
}

func TestAdopt(t *testing.T) {
	for _, test := range []struct {
		have, next, delivered string
		is                    error
		want                  string
	}{
		{"3", "3,5@120000", "119999", nil, ""},
		{"3", "3,5@120000", "119999-7", nil, ""},
		{"3", "3,5@120000", "120000", resize.ErrDelivered, "resize: position 120000 of the switch to 5 is not behind 120000, which has been delivered: events have been judged without it"},
		{"3", "3,5@120000,7@130000", "125000", resize.ErrDelivered, "resize: position 120000 of the switch to 5 is not behind 125000, which has been delivered: events have been judged without it"},
		{"3,5@120000", "3,5@120000,360/7@130000", "125000", nil, ""},
		{"3,5@120000", "3,5@120000", "999999", nil, ""},
		{"3,5@120000", "3", "0", resize.ErrExtend, `resize: plan "3" does not extend "3,5@120000": generations are added at the end, and those that are there never change`},
		{"3,5@120000", "3,5@120001", "0", resize.ErrExtend, `resize: plan "3,5@120001" does not extend "3,5@120000": generations are added at the end, and those that are there never change`},
		{"3,5@120000", "3,6@120000,7@120001", "0", resize.ErrExtend, `resize: plan "3,6@120000,7@120001" does not extend "3,5@120000": generations are added at the end, and those that are there never change`},
		{"3", "4,5@120000", "0", resize.ErrExtend, `resize: plan "4,5@120000" does not extend "3": generations are added at the end, and those that are there never change`},
		{"3", "3/3,5@120000", "0", resize.ErrExtend, `resize: plan "3/3,5@120000" does not extend "3": generations are added at the end, and those that are there never change`},
	} {
		have, next := plan(t, test.have), plan(t, test.next)
		got, err := have.Adopt(next, position(t, test.delivered))
		if test.is == nil {
			if err != nil || got.String() != test.next {
				t.Errorf("%s adopts %s at %s: got %v, %v", test.have, test.next, test.delivered, got, err)
			}
			continue
		}
		if !errors.Is(err, test.is) || err.Error() != test.want || got.String() != test.have {
			t.Errorf("%s adopts %s at %s: got %v, %v, want %s", test.have, test.next, test.delivered, got, err, test.want)
		}
	}
}

func TestStartAndEnd(t *testing.T) {
	for _, test := range []struct {
		plan   string
		member int
		want   string
	}{
		{"3,5@100", 0, "0 to the end"},
		{"3,5@100", 4, "100 to the end"},
		{"5,3@100", 2, "0 to the end"},
		{"5,3@100", 3, "0 to 100"},
		{"3,5@100,3@200-7", 4, "100 to 200-7"},
		{"3,2@100,3@200,1@300", 2, "0 to 300"},
		{"360/12,360/15@100,360/13@200", 13, "100 to 200"},
	} {
		s, err := plan(t, test.plan).Switch("pairs", test.member, routing.Rule{})
		if err != nil {
			t.Fatal(err)
		}
		got := s.Start().String() + " to the end"
		if end, ok := s.End(); ok {
			got = s.Start().String() + " to " + end.String()
		}
		if got != test.want || s.Number() != test.member || s.Plan().String() != test.plan {
			t.Errorf("member %d of %s: got %s, want %s", test.member, test.plan, got, test.want)
		}
	}
}

// Extending a plan keeps a member's key; another size, deal or rule has another.
func TestCheckpointOfASwitch(t *testing.T) {
	key := func(text string, member int, rule routing.Rule) string {
		s, err := plan(t, text).Switch("pairs", member, rule)
		if err != nil {
			t.Fatal(err)
		}
		key, err := s.Checkpoint("orders").Key()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	var rule routing.Rule
	other, err := routing.ParseRule("id")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{key("3", 1, rule), key("3,5@100", 1, rule), true},
		{key("3,5@100", 4, rule), key("3,5@100,7@200", 4, rule), true},
		{key("360/12", 4, rule), key("360/12,360/15@100", 4, rule), true},
		{key("3", 1, rule), key("5", 1, rule), false},
		{key("3", 1, rule), key("3", 1, other), false},
		{key("3", 1, rule), key("3", 2, rule), false},
		{key("3", 0, rule), key("3/3", 0, rule), false},
		{key("7/4", 0, rule), key("7/5", 0, rule), false},                     // the same slots
		{key("4/2,4/3@1,4@2", 2, rule), key("4/2,4/3@1,4@2", 3, rule), false}, // both begin with slot 3 of 4
	} {
		if got := test.a == test.b; got != test.same {
			t.Errorf("%s and %s: the same is %v, want %v", test.a, test.b, got, test.same)
		}
	}
}

func TestMembersOfAPlanHaveTheirOwnCheckpoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		seen := map[string]int{}
		for m := range p.Members() {
			s, err := p.Switch("pairs", m, routing.Rule{})
			if err != nil {
				t.Fatal(err)
			}
			key, err := s.Checkpoint("orders").Key()
			if err != nil {
				t.Fatal(err)
			}
			if other, there := seen[key]; there {
				t.Fatalf("%v: members %d and %d have the key %s", p, other, m, key)
			}
			seen[key] = m
		}
	})
}

// drawPlan draws a plan of one to six generations, most of them small and close together.
func drawPlan(t *rapid.T) resize.Plan {
	p, err := resize.NewPlan(drawSmallLayout(t, "layout"))
	if err != nil {
		t.Fatal(err)
	}
	two := rapid.Bool().Draw(t, "two numbers")
	var at commit.Position
	for range rapid.IntRange(0, 5).Draw(t, "switches") {
		if two && rapid.Bool().Draw(t, "minor step") {
			at.Minor += rapid.Uint64Range(1, 3).Draw(t, "step")
		} else {
			at = commit.At(at.Major + rapid.Uint64Range(1, 9).Draw(t, "step"))
		}
		next, err := p.Extend(drawSmallLayout(t, "layout"), at)
		if errors.Is(err, resize.ErrSame) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

func drawNear(t *rapid.T, p resize.Plan) commit.Position {
	g := rapid.SampledFrom(p.Generations()).Draw(t, "near")
	at := g.From
	switch rapid.IntRange(0, 4).Draw(t, "where") {
	case 0:
		at.Minor++
	case 1:
		at = commit.At(at.Major + rapid.Uint64Range(0, 9).Draw(t, "behind"))
	case 2:
		if at.Major > 0 {
			at = commit.Position{Major: at.Major - 1, Minor: rapid.Uint64().Draw(t, "minor")}
		}
	}
	return at
}

func TestPlanTextsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		text, err := p.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back resize.Plan
		if err := back.UnmarshalText(text); err != nil || back.String() != p.String() || !back.Extends(p) || !p.Extends(back) {
			t.Fatalf("%v reads back as %v, %v", p, back, err)
		}
	})
}

// With one text every position and key has exactly one owner, and it is the one that a search
// through the generations finds.
func TestOneOwnerAtEveryPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		switches := make([]*resize.Switch, p.Members())
		for m := range switches {
			s, err := p.Switch("pairs", m, routing.Rule{})
			if err != nil {
				t.Fatal(err)
			}
			switches[m] = s
		}
		for range 20 {
			at := drawNear(t, p)
			sum := rapid.Uint32().Draw(t, "sum")
			route, answers := routing.Hashed(sum), slot.Own
			if rapid.IntRange(0, 9).Draw(t, "key") == 0 {
				route, sum, answers = routing.Route{}, 0xab3e7c0b, slot.Malformed
			}
			var want resize.Layout
			for _, g := range p.Generations() {
				if g.From.Compare(at) <= 0 {
					want = g.Layout
				}
			}
			if got := p.At(at).Layout; got != want {
				t.Fatalf("%v at %v: got %v, want %v", p, at, got, want)
			}
			owner, ok := p.Owner(at, route)
			if !ok || owner != want.Owner(sum) {
				t.Fatalf("%v at %v: owner of %d is %d, %v, want %d", p, at, sum, owner, ok, want.Owner(sum))
			}
			for m, s := range switches {
				v := s.Filter(at).Judge(route)
				if v.Admit() != (m == owner) || v.Admit() && v.Kind != answers {
					t.Fatalf("%v at %v: member %d says %v, owner is %d", p, at, m, v, owner)
				}
				end, ends := s.End()
				if m == owner && (at.Before(s.Start()) || ends && !at.Before(end)) {
					t.Fatalf("%v at %v: member %d owns it outside of its start %v and end %v", p, at, m, s.Start(), end)
				}
			}
			command := routing.Rule{}.Route(routing.Event{Topic: "wrk.a.command.b"})
			if _, ok := p.Owner(at, command); ok {
				t.Fatal("a command has an owner")
			}
		}
	})
}

// Extending a plan changes no owner before the new switch, and Adopt lets a plan in exactly while
// that is all the member was given.
func TestExtendingKeepsOwners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		next := drawPlan(t)
		generations := next.Generations()
		n := rapid.IntRange(1, len(generations)).Draw(t, "known generations")
		have, err := resize.NewPlan(generations[0].Layout)
		for _, g := range generations[1:n] {
			if err == nil {
				have, err = have.Extend(g.Layout, g.From)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if !next.Extends(have) || (n < len(generations)) == have.Extends(next) {
			t.Fatalf("%v and %v: which extends which", next, have)
		}
		delivered := drawNear(t, next)
		got, err := have.Adopt(next, delivered)
		if allowed := n == len(generations) || delivered.Before(generations[n].From); (err == nil) != allowed {
			t.Fatalf("%v adopts %v at %v: got %v, want it allowed: %v", have, next, delivered, err, allowed)
		} else if !allowed {
			if got.String() != have.String() {
				t.Fatalf("a refusal returns %v, want %v", got, have)
			}
			return
		}
		at, route := drawNear(t, next), routing.Hashed(rapid.Uint32().Draw(t, "sum"))
		if before, _ := have.Owner(at, route); at.Compare(delivered) <= 0 {
			if after, _ := got.Owner(at, route); before != after {
				t.Fatalf("%v at %v, delivered up to %v: owner %d became %d by %v", have, at, delivered, before, after, got)
			}
		}
	})
}

func FuzzParsePlan(f *testing.F) {
	for _, text := range []string{"", "3", "3,5@120000", "360/12,360/15@120000", "3,6@1526919030474-55", "3,5@0", "3,3@1", "3@1", "1,2@1,1@2,2@3", "3,5@1-0", "3,,5@1", strings.Repeat("1,", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := resize.ParsePlan(text)
		if err != nil {
			var ours *resize.Error
			var theirs *commit.Error
			if !errors.As(err, &ours) && !errors.As(err, &theirs) {
				t.Errorf("%q: the error %v is of no known type", text, err)
			}
			if p.String() != "" {
				t.Errorf("%q: an error and the plan %v", text, p)
			}
			return
		}
		canonical := p.String()
		if back, err := resize.ParsePlan(canonical); err != nil || back.String() != canonical {
			t.Errorf("%q has the canonical text %q, which reads as %v, %v", text, canonical, back, err)
		}
		if text != canonical && !strings.Contains(text, "-0") {
			t.Errorf("%q has the canonical text %q", text, canonical)
		}
	})
}

func TestSwitchAllocations(t *testing.T) {
	s, err := plan(t, "3,5@100,7@200").Switch("pairs", 2, routing.Rule{})
	if err != nil {
		t.Fatal(err)
	}
	route := routing.Hashed(7)
	committed := func(int) (commit.Position, bool) { return commit.At(1000), true }
	for name, f := range map[string]func(){
		"Filter":  func() { s.Filter(commit.At(150)).Judge(route) },
		"Owner":   func() { s.Plan().Owner(commit.At(150), route) },
		"Drained": func() { s.Drained(commit.At(250), route, committed) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

func BenchmarkSwitchFilter(b *testing.B) {
	for _, bench := range []struct {
		name, plan string
		at         uint64
	}{{"one generation", "3", 99}, {"last of 2", "3,5@120", 200}, {"first of 2", "3,5@120", 99}, {"middle of 256", longestPlan(), 128}} {
		b.Run(bench.name, func(b *testing.B) {
			s, err := plan(b, bench.plan).Switch("pairs", 0, routing.Rule{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if s.Filter(commit.At(bench.at)) == nil {
					b.Fatal("no filter")
				}
			}
		})
	}
}

func ExamplePlan() {
	plan, err := resize.ParsePlan("3,5@120000")
	if err != nil {
		panic(err)
	}
	member4, err := plan.Switch("pairs", 4, routing.Rule{})
	if err != nil {
		panic(err)
	}
	fmt.Println("reads from", member4.Start())
	for _, sequence := range []uint64{119_999, 120_000} {
		filter := member4.Filter(commit.At(sequence))
		fmt.Println(sequence, filter.Member(), filter.Decide(routing.Event{Subject: "order-2"}))
	}
	// Output:
	// reads from 120000
	// 119999 pairs:none/3 foreign slot 0
	// 120000 pairs:4/5 own slot 4
}

func ExamplePlan_Adopt() {
	running, _ := resize.ParsePlan("3")
	text, _ := resize.ParsePlan("3,5@120000")
	_, err := running.Adopt(text, commit.At(120_017))
	fmt.Println(err)
	running, err = running.Adopt(text, commit.At(98_304))
	fmt.Println(running, err)
	// Output:
	// resize: position 120000 of the switch to 5 is not behind 120017, which has been delivered: events have been judged without it
	// 3,5@120000 <nil>
}
