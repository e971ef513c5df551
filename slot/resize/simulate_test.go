package resize_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/resize"
)

func simulate(tb testing.TB, from, to resize.Layout, order ...int) resize.Change {
	tb.Helper()
	c, err := resize.Simulate(from, to, order...)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func layout(tb testing.TB, text string) resize.Layout {
	tb.Helper()
	l, err := resize.ParseLayout(text)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestSimulateKnownFigures(t *testing.T) {
	for _, test := range []struct {
		from, to                       string
		moved, least, unowned, doubled string
	}{
		{"3", "4", "3/4", "1/4", "1/6", "1/3"},
		{"3", "5", "4/5", "2/5", "2/15", "2/5"},
		{"10", "11", "10/11", "1/11", "5/22", "3/11"},
		{"4", "8", "1/2", "1/2", "0", "1/2"},
		{"3", "6", "1/2", "1/2", "0", "1/2"},
		{"6", "3", "1/2", "1/2", "0", "1/2"},
		{"4", "3", "3/4", "1/4", "1/6", "1/3"},
		{"1", "2", "1/2", "1/2", "0", "1/2"},
		{"7", "7", "0", "0", "0", "0"},
		{"1024", "1023", "1023/1024", "1/1024", "511/2046", "256/1023"},
		{"360/12", "360/15", "1/5", "1/5", "0", "1/5"},
		{"360/15", "360/12", "1/5", "1/5", "0", "1/5"},
		{"360/3", "360/5", "2/5", "2/5", "0", "2/5"},
		{"360/12", "360/13", "3/40", "3/40", "0", "3/40"},
		{"360/12", "720/12", "41/45", "0", "31/120", "31/120"},
	} {
		c := simulate(t, layout(t, test.from), layout(t, test.to))
		unowned, doubled := c.Worst()
		got := fmt.Sprint(c.Moved, c.Least, unowned, doubled, c.Safe())
		want := fmt.Sprint(test.moved, " ", test.least, " ", test.unowned, " ", test.doubled, " ", test.unowned == "0")
		if got != want {
			t.Errorf("%s -> %s: got %s, want %s", test.from, test.to, got, want)
		}
	}
}

// The members' real filters judge every residue, and say how many own it.
func TestSimulateCountsWhatFiltersSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := drawSmallLayout(t, "from"), drawSmallLayout(t, "to")
		order := rapid.Permutation(members(from, to)).Draw(t, "order")
		c, err := resize.Simulate(from, to, order...)
		if err != nil {
			t.Fatal(err)
		}
		running := make([]*slot.Filter, len(order))
		for m := range from.Members() {
			running[m] = filter(t, from, m)
		}
		residues := from.Size() * to.Size() // some multiple of both
		moved := 0
		for sum := range uint32(residues) {
			if from.Owner(sum) != to.Owner(sum) {
				moved++
			}
		}
		same(t, "moved", c.Moved, moved, residues)
		for i, s := range c.Steps {
			if s.Member != order[i] {
				t.Fatalf("step %d is of member %d, want %d", i, s.Member, order[i])
			}
			want := resize.Flip
			running[s.Member] = nil
			if s.Member >= from.Members() {
				want = resize.Join
			}
			if s.Member < to.Members() {
				running[s.Member] = filter(t, to, s.Member)
			} else {
				want = resize.Leave
			}
			if s.Action != want {
				t.Fatalf("member %d does %v, want %v", s.Member, s.Action, want)
			}
			unowned, doubled := 0, 0
			for sum := range uint32(residues) {
				switch owners(running, sum) {
				case 0:
					unowned++
				case 1:
				case 2:
					doubled++
				default:
					t.Fatalf("step %d: residue %d has %d owners", i, sum, owners(running, sum))
				}
			}
			same(t, "unowned", s.Unowned, unowned, residues)
			same(t, "doubled", s.Doubled, doubled, residues)
		}
	})
}

func same(t *rapid.T, what string, got resize.Fraction, num, den int) {
	if got.Num*den != num*got.Den {
		t.Fatalf("%s: got %v, want %d/%d", what, got, num, den)
	}
}

func owners(running []*slot.Filter, sum uint32) (n int) {
	for _, f := range running {
		if f != nil && f.Judge(routing.Hashed(sum)).Kind == slot.Own {
			n++
		}
	}
	return n
}

func filter(t *rapid.T, l resize.Layout, member int) *slot.Filter {
	m, err := l.Member("pairs", member)
	if err != nil {
		t.Fatal(err)
	}
	return slot.NewFilter(m)
}

func members(from, to resize.Layout) []int {
	all := make([]int, max(from.Members(), to.Members()))
	for m := range all {
		all[m] = m
	}
	return all
}

func drawSmallLayout(t *rapid.T, name string) resize.Layout {
	size := rapid.IntRange(1, 12).Draw(t, name)
	l, err := resize.Plain(size)
	if rapid.Bool().Draw(t, name+" dealt") {
		l, err = resize.Deal(size, rapid.IntRange(1, size).Draw(t, name+" members"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Every order of every small change: there is a safe one exactly where Simulate says so.
func TestSimulateFindsASafeOrderIfThereIsOne(t *testing.T) {
	texts := []string{"1", "2", "3", "4", "5", "2/1", "3/2", "4/2", "4/3", "5/2", "5/3", "5/4", "6/2", "6/3", "6/4", "6/5"}
	for _, a := range texts {
		for _, b := range texts {
			from, to := layout(t, a), layout(t, b)
			want := false
			permute(members(from, to), func(order []int) bool {
				want = simulate(t, from, to, order...).Safe()
				return !want
			})
			if got := simulate(t, from, to).Safe(); got != want {
				t.Errorf("%v -> %v: safe %v, want %v", from, to, got, want)
			}
		}
	}
}

// permute calls yield with every order of items until it returns false.
func permute(items []int, yield func([]int) bool) {
	var from func(int) bool
	from = func(i int) bool {
		if i == len(items) {
			return yield(items)
		}
		for j := i; j < len(items); j++ {
			items[i], items[j] = items[j], items[i]
			ok := from(i + 1)
			items[i], items[j] = items[j], items[i]
			if !ok {
				return false
			}
		}
		return true
	}
	from(0)
}

// Whole multiples and deals of one number of slots, both ways, for every size that fits.
func TestMultiplesAndDealsAreSafe(t *testing.T) {
	for small := 1; small <= 40; small++ {
		for large := small; large <= 120; large += small {
			for _, c := range []resize.Change{
				simulate(t, plain(t, small), plain(t, large)),
				simulate(t, plain(t, large), plain(t, small)),
				simulate(t, deal(t, 120, small), deal(t, 120, large)),
				simulate(t, deal(t, 120, large), deal(t, 120, small)),
			} {
				if !c.Safe() || c.Moved != c.Least {
					t.Fatalf("%v -> %v: safe %v, moved %v, least %v", c.From, c.To, c.Safe(), c.Moved, c.Least)
				}
				if !slices.IsSortedFunc(c.Steps, func(a, b resize.Step) int { return int(a.Action) - int(b.Action) }) {
					t.Fatalf("%v -> %v: newcomers are not first, or those who leave not last", c.From, c.To)
				}
			}
		}
	}
}

// The drain condition, played on a log: members handle what they own at each position, old members
// step at their committed position. With the condition every event has an owner; one position less,
// and some event may have none.
func TestDrainCondition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := [][2]string{{"3", "6"}, {"6", "3"}, {"2", "8"}, {"12/3", "12/5"}, {"12/5", "12/3"}, {"4", "4"}, {"12/12", "12/5"}}
		pair := rapid.SampledFrom(pairs).Draw(t, "change")
		from, err1 := resize.ParseLayout(pair[0])
		to, err2 := resize.ParseLayout(pair[1])
		c, err3 := resize.Simulate(from, to)
		if err := errors.Join(err1, err2, err3); err != nil || !c.Safe() {
			t.Fatal(err, c.Safe())
		}
		// began[m] is the last position before m ran with the new layout: its start less one, or
		// its committed position when it flipped.
		const end = 100
		began := make([]int, len(c.Steps))
		breaker, taker := -1, -1
		broken := rapid.Bool().Draw(t, "broken")
		for _, s := range c.Steps {
			least := 0
			for _, m := range s.After {
				least = max(least, began[m])
			}
			began[s.Member] = rapid.IntRange(least, end-1).Draw(t, "began")
			if broken && breaker < 0 && least > 0 {
				breaker = s.Member
				taker = s.After[slices.IndexFunc(s.After, func(m int) bool { return began[m] == least })]
				began[breaker] = least - 1
			}
		}
		for position := 1; position <= end; position++ {
			for sum := range uint32(from.Size() * to.Size()) {
				a, b := from.Owner(sum), to.Owner(sum)
				owned := position <= began[a] && c.From.Members() > a || position > began[b]
				lost := breaker >= 0 && position == began[taker] && a == breaker && b == taker
				if owned == lost && (lost || breaker < 0) {
					t.Fatalf("%v -> %v, position %d, residue %d of members %d and %d: owned %v, steps at %v", from, to, position, sum, a, b, owned, began)
				}
			}
		}
	})
}

func TestSimulateErrors(t *testing.T) {
	three, four := plain(t, 3), plain(t, 4)
	for _, test := range []struct {
		from, to resize.Layout
		order    []int
		is       error
		want     string
	}{
		{resize.Layout{}, four, nil, resize.ErrSize, "resize: slots 0 is below 1"},
		{three, resize.Layout{}, nil, resize.ErrSize, "resize: slots 0 is below 1"},
		{three, four, []int{0, 1, 2}, resize.ErrOrder, "resize: order lacks the member 3"},
		{three, four, []int{0, 1, 2, 4}, resize.ErrOrder, "resize: order has the member 4; there are 4, counted from 0"},
		{three, four, []int{0, 1, -1, 3}, resize.ErrOrder, "resize: order has the member -1; there are 4, counted from 0"},
		{three, four, []int{0, 1, 0, 3}, resize.ErrOrder, "resize: order has the member 0 twice"},
	} {
		_, err := resize.Simulate(test.from, test.to, test.order...)
		if !errors.Is(err, test.is) || err.Error() != test.want {
			t.Errorf("%v -> %v by %v: got %v, want %s", test.from, test.to, test.order, err, test.want)
		}
	}
}

func TestAdvice(t *testing.T) {
	for _, test := range []struct {
		from, to string
		order    []int
		want     string
	}{
		{"3", "6", nil, "Safe in this order: members 3-5 join, then members 0-2 flip. A member steps only once its committed position is at or past the position at which each member that takes over its keys began. Until the last step up to 1/2 of the keys are handled twice."},
		{"360/5", "360/4", nil, "Safe in this order: members 0-3 flip, then member 4 leaves. A member steps only once its committed position is at or past the position at which each member that takes over its keys began. Until the last step up to 1/5 of the keys are handled twice."},
		{"3", "4", nil, "Not safe: at worst 1/6 of the keys have no owner. No order of steps is safe. Over one ordered log, take a plan: 3,4@POSITION. By a rolling change 3 can reach 6. For the changes to come, deal a number of slots that never changes, such as 360, to the members there are."},
		{"3", "8", nil, "Not safe: at worst 1/12 of the keys have no owner. No order of steps is safe. Over one ordered log, take a plan: 3,8@POSITION. By a rolling change 3 can reach 6 or 9. For the changes to come, deal a number of slots that never changes, such as 360, to the members there are."},
		{"3", "6", []int{0, 3, 1, 4, 2, 5}, "Not safe: at worst 1/6 of the keys have no owner. Another order is: members 3-5 join, then members 0-2 flip."},
	} {
		if got := simulate(t, layout(t, test.from), layout(t, test.to), test.order...).Advice(); got != test.want {
			t.Errorf("%s -> %s by %v:\n got %s\nwant %s", test.from, test.to, test.order, got, test.want)
		}
	}
}

func TestNearby(t *testing.T) {
	for _, test := range []struct{ from, to, below, above int }{
		{3, 4, 3, 6}, {3, 5, 3, 6}, {3, 6, 6, 6}, {12, 5, 4, 6}, {12, 7, 6, 12}, {600, 1000, 600, 0}, {1000, 1024, 1000, 0}, {1, 7, 7, 7}, {7, 2, 1, 7},
	} {
		below, above := simulate(t, plain(t, test.from), plain(t, test.to)).Nearby()
		if below != test.below || above != test.above {
			t.Errorf("%d -> %d: got %d and %d, want %d and %d", test.from, test.to, below, above, test.below, test.above)
		}
		for _, size := range []int{below, above} {
			if size > 0 && !simulate(t, plain(t, test.from), plain(t, size)).Safe() {
				t.Errorf("%d -> %d is said to be safe", test.from, size)
			}
		}
	}
	if below, above := (resize.Change{}).Nearby(); below != 0 || above != 0 {
		t.Errorf("the zero Change: got %d and %d", below, above)
	}
}

func TestFraction(t *testing.T) {
	if got := fmt.Sprint(resize.Fraction{}, resize.Fraction{Num: 1, Den: 1}, resize.Fraction{Num: 1, Den: 6}, (resize.Fraction{}).Float64(), (resize.Fraction{Num: 1, Den: 4}).Float64()); got != "0 1 1/6 0 0.25" {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(resize.Join, resize.Flip, resize.Leave, resize.Action(0), resize.Action(9)); got != "join flip leave none Action(9)" {
		t.Errorf("got %s", got)
	}
	text, err := json.Marshal(simulate(t, plain(t, 1), plain(t, 2)))
	want := `{"From":"1","To":"2","Moved":"1/2","Least":"1/2","Steps":[{"Member":1,"Action":"join","After":null,"Unowned":"0","Doubled":"1/2"},{"Member":0,"Action":"flip","After":[1],"Unowned":"0","Doubled":"0"}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
		t.Errorf("as JSON: %v (-want +got):\n%s", err, diff)
	}
}

func BenchmarkSimulate(b *testing.B) {
	for _, sizes := range [][2]string{{"3", "4"}, {"360/12", "360/15"}, {"1023", "1024"}} {
		from, to := layout(b, sizes[0]), layout(b, sizes[1])
		b.Run(sizes[0]+" to "+sizes[1], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				simulate(b, from, to)
			}
		})
	}
}

func ExampleSimulate() {
	from, err := resize.Plain(3)
	if err != nil {
		panic(err)
	}
	to, err := resize.Plain(4)
	if err != nil {
		panic(err)
	}
	change, err := resize.Simulate(from, to)
	if err != nil {
		panic(err)
	}
	fmt.Println(change.Moved, "of the keys move,", change.Least, "would do")
	for _, s := range change.Steps {
		fmt.Println("member", s.Member, s.Action, "- unowned", s.Unowned, "doubled", s.Doubled)
	}
	// Output:
	// 3/4 of the keys move, 1/4 would do
	// member 3 join - unowned 0 doubled 1/4
	// member 0 flip - unowned 1/6 doubled 1/3
	// member 1 flip - unowned 1/6 doubled 1/4
	// member 2 flip - unowned 0 doubled 0
}

// A Change in JSON, as a tool writes it, is read back.
func TestChangeAsJSON(t *testing.T) {
	for _, sizes := range [][2]int{{3, 4}, {3, 6}, {6, 3}, {1, 1}} {
		want := simulate(t, plain(t, sizes[0]), plain(t, sizes[1]))
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got resize.Change
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s reads back as\n%+v, %v, want\n%+v", data, got, err, want)
		}
	}
}

func TestFractionText(t *testing.T) {
	for _, want := range []resize.Fraction{{Num: 0, Den: 1}, {Num: 1, Den: 1}, {Num: 1, Den: 6}, {Num: 1_047_551, Den: 1_047_552}} {
		text, _ := want.MarshalText()
		var got resize.Fraction
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2", "1/", "/2", "2/4", "1/1", "0/1", "0/0", "1/0", "3/2", "-1/2", "1/02", "1/2/3", " 1/2", "0.5", "1/99999999999"} {
		got := resize.Fraction{Num: 1, Den: 3}
		err := got.UnmarshalText([]byte(text))
		want := fmt.Sprintf("resize: fraction %q is not 0, 1, or a fraction between in lowest terms, such as 1/6", text)
		if !errors.Is(err, resize.ErrText) || err.Error() != want || got != (resize.Fraction{Num: 1, Den: 3}) {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestActionText(t *testing.T) {
	for _, want := range []resize.Action{0, resize.Join, resize.Flip, resize.Leave} {
		text, _ := want.MarshalText()
		got := resize.Action(9)
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "Join", "joins", "1", "Action(4)"} {
		got := resize.Flip
		err := got.UnmarshalText([]byte(text))
		want := fmt.Sprintf("resize: action %q is not join, flip, leave or none", text)
		if !errors.Is(err, resize.ErrText) || err.Error() != want || got != resize.Flip {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

// What is printed alone says where it comes from, as in all packages; and a number of slots is a size, by one error.
func TestErrorsNameThePackage(t *testing.T) {
	for _, err := range []error{resize.ErrMembers, resize.ErrMember, resize.ErrText, resize.ErrPosition, resize.ErrSame, resize.ErrExtend, resize.ErrLength, resize.ErrDelivered, resize.ErrOrder} {
		if !strings.HasPrefix(err.Error(), "resize: ") {
			t.Errorf("%v", err)
		}
	}
	if _, err := resize.Plain(slot.MaxSize + 1); !errors.Is(err, slot.ErrSize) {
		t.Errorf("got %v, want slot.ErrSize", err)
	}
}
