package resize_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/resize"
)

// naiveDeal is the rule word for word: one slot at a time, each by a search over everything.
func naiveDeal(slots, members int) []int {
	holders := make([]int, slots)
	counts := []int{slots}
	for newcomer := 1; newcomer < members; newcomer++ {
		counts = append(counts, 0)
		for range slots / (newcomer + 1) {
			from := 0
			for m := range newcomer {
				if counts[m] >= counts[from] {
					from = m
				}
			}
			highest := slots - 1
			for holders[highest] != from {
				highest--
			}
			holders[highest] = newcomer
			counts[from]--
			counts[newcomer]++
		}
	}
	return holders
}

func deal(tb testing.TB, slots, members int) resize.Layout {
	tb.Helper()
	l, err := resize.Deal(slots, members)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func plain(tb testing.TB, size int) resize.Layout {
	tb.Helper()
	l, err := resize.Plain(size)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func holders(l resize.Layout) []int {
	all := make([]int, l.Size())
	for s := range all {
		all[s] = l.Holder(s)
	}
	return all
}

func TestDealFollowsTheRule(t *testing.T) {
	for slots := 1; slots <= 48; slots++ {
		for members := 1; members <= slots; members++ {
			got, want := holders(deal(t, slots, members)), naiveDeal(slots, members)
			if !slices.Equal(got, want) {
				t.Fatalf("Deal(%d, %d): got %v, want %v", slots, members, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, slot.MaxSize).Draw(t, "slots")
		members := rapid.IntRange(1, min(slots, 60)).Draw(t, "members")
		l, err := resize.Deal(slots, members)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := holders(l), naiveDeal(slots, members); !slices.Equal(got, want) {
			t.Fatalf("Deal(%d, %d): got %v, want %v", slots, members, got, want)
		}
	})
}

// leastMoves is what exact balance demands for growing from a balanced deal: every newcomer needs
// the lower number of slots, and the slots that are left over move too unless an old member has one
// to keep.
func leastMoves(slots, from, to int) int {
	low, over := slots/to, slots%to
	keep := from
	if slots/from == low {
		keep = slots % from // only these have more than the lower number now
	}
	return (to-from)*low + max(0, over-keep)
}

// Every size up to 128, every pair of numbers of members: the slots that move are counted one by one.
func TestDealMovesNoMoreThanBalanceDemands(t *testing.T) {
	for slots := 1; slots <= 128; slots++ {
		deals := make([][]int, slots+1)
		for members := 1; members <= slots; members++ {
			deals[members] = holders(deal(t, slots, members))
		}
		for from := 1; from <= slots; from++ {
			for to := from + 1; to <= slots; to++ {
				moves := 0
				for s, before := range deals[from] {
					after := deals[to][s]
					if after == before {
						continue
					}
					moves++
					if after < from {
						t.Fatalf("%d slots, %d -> %d members: slot %d moves from %d to the old member %d", slots, from, to, s, before, after)
					}
				}
				if want := leastMoves(slots, from, to); moves != want {
					t.Fatalf("%d slots, %d -> %d members: %d slots move, want %d", slots, from, to, moves, want)
				}
			}
		}
	}
}

// Every size up to the limit, every single step: balance, and that slots move to the newcomer only.
// The latter makes the number of moves between any two deals the number of slots that the newcomers
// hold, which is checked for all pairs.
//
// With -short it takes every 37th size, for processors that are emulated.
func TestDealEveryStep(t *testing.T) {
	stride := 1
	if testing.Short() {
		stride = 37
	}
	for slots := 1; slots <= slot.MaxSize; slots += stride {
		holders := make([]int, slots) // by the newcomers' hands alone
		counts := make([]int, slots)
		resize.EachDeal(slots, func(newcomer []int, hands [][]int) {
			members := len(hands)
			for _, s := range newcomer {
				if members > 1 {
					counts[holders[s]]--
				}
				holders[s] = members - 1
			}
			counts[members-1] = len(newcomer)
			low, high := slots/members, (slots+members-1)/members
			newcomers := 0
			for m := members - 1; m >= 0; m-- {
				n := len(hands[m])
				if n != counts[m] {
					t.Fatalf("%d slots, %d members: member %d holds %d and ought to have kept %d", slots, members, m, n, counts[m])
				}
				if n < low || n > high {
					t.Fatalf("%d slots, %d members: member %d holds %d, want %d or %d", slots, members, m, n, low, high)
				}
				newcomers += n
				if m > 0 && newcomers != leastMoves(slots, m, members) {
					t.Fatalf("%d slots, %d -> %d members: %d slots move, want %d", slots, m, members, newcomers, leastMoves(slots, m, members))
				}
			}
			if members < 4 || members == slots/2 || members == slots {
				if got := flat(slots, hands); !slices.Equal(got, holders) {
					t.Fatalf("%d slots, %d members: holders are %v, want %v", slots, members, got, holders)
				}
			}
		})
	}
}

func flat(slots int, hands [][]int) []int {
	holders := make([]int, slots)
	for m, hand := range hands {
		for _, s := range hand {
			holders[s] = m
		}
	}
	return holders
}

func TestEachDealIsDeal(t *testing.T) {
	for _, slots := range []int{1, 2, 12, 60, 97} {
		resize.EachDeal(slots, func(_ []int, hands [][]int) {
			if got, want := holders(deal(t, slots, len(hands))), flat(slots, hands); !slices.Equal(got, want) {
				t.Fatalf("Deal(%d, %d): got %v, want %v", slots, len(hands), got, want)
			}
		})
	}
}

// The members of every layout divide the slots among them, as slot.Member sees it.
func TestMembersOfALayoutPartitionIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		owners := make([]int, l.Size())
		for m := range l.Members() {
			member, err := l.Member("pairs", m)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := member.Slots(), l.Slots(m); !slices.Equal(got, want) {
				t.Fatalf("member %d of %v: got slots %v, want %v", m, l, got, want)
			}
			for _, s := range member.Slots() {
				if l.Holder(s) != m {
					t.Fatalf("%v: slot %d is held by %d and in the member %d", l, s, l.Holder(s), m)
				}
				owners[s]++
			}
		}
		for s, n := range owners {
			if n != 1 {
				t.Fatalf("%v: slot %d is in %d members", l, s, n)
			}
		}
		sum := rapid.Uint32().Draw(t, "sum")
		if got, want := l.Owner(sum), l.Holder(int(sum%uint32(l.Size()))); got != want {
			t.Fatalf("%v: Owner(%d) = %d, want %d", l, sum, got, want)
		}
	})
}

func drawLayout(t *rapid.T) resize.Layout {
	size := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, slot.MaxSize)).Draw(t, "size")
	l, err := resize.Plain(size)
	if rapid.Bool().Draw(t, "dealt") {
		l, err = resize.Deal(size, rapid.IntRange(1, size).Draw(t, "members"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLayoutErrors(t *testing.T) {
	of := func(_ resize.Layout, err error) error { return err }
	member := func(l resize.Layout, group string, m int) error { _, err := l.Member(group, m); return err }
	three := plain(t, 3)
	for _, test := range []struct {
		err  error
		is   error
		want string
	}{
		{of(resize.Plain(0)), resize.ErrSize, "resize: slots 0 is below 1"},
		{of(resize.Plain(-3)), resize.ErrSize, "resize: slots -3 is below 1"},
		{of(resize.Plain(1025)), resize.ErrSize, "resize: slots 1025 is above the limit of 1024"},
		{of(resize.Deal(0, 1)), resize.ErrSize, "resize: slots 0 is below 1"},
		{of(resize.Deal(2000, 1)), resize.ErrSize, "resize: slots 2000 is above the limit of 1024"},
		{of(resize.Deal(12, 0)), resize.ErrMembers, "resize: members 0 is below 1"},
		{of(resize.Deal(12, 13)), resize.ErrMembers, "resize: members 13 is above the number of slots, 12: some would hold none"},
		{of(resize.ParseLayout("")), resize.ErrText, `resize: layout "" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("+3")), resize.ErrText, `resize: layout "+3" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("03")), resize.ErrText, `resize: layout "03" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("360/")), resize.ErrText, `resize: layout "360/" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("360/12/2")), resize.ErrText, `resize: layout "360/12/2" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("360 /12")), resize.ErrText, `resize: layout "360 /12" is neither a size, such as 3, nor slots/members, such as 360/12, in plain decimal numbers`},
		{of(resize.ParseLayout("99999999999999999999")), resize.ErrSize, "resize: slots 99999999999999999999 is above the limit of 1024"},
		{of(resize.ParseLayout("360/0")), resize.ErrMembers, "resize: members 0 is below 1"},
		{member(three, "pairs", 3), resize.ErrMember, "resize: member 3 is not one of the 3 members, which count from 0"},
		{member(three, "pairs", -1), resize.ErrMember, "resize: member -1 is not one of the 3 members, which count from 0"},
		{member(resize.Layout{}, "pairs", 0), resize.ErrMember, "resize: member 0 is not one of the 0 members, which count from 0"},
		{member(three, "two pairs", 0), slot.ErrGroup, `slot: group "two pairs" has ' ' at byte 3; only ASCII letters, digits, "-", "_" and "." may stand in it`},
	} {
		if !errors.Is(test.err, test.is) || test.err.Error() != test.want {
			t.Errorf("got %q, want %q", test.err, test.want)
		}
	}
}

func TestLayoutOutOfRange(t *testing.T) {
	for _, l := range []resize.Layout{{}, plain(t, 3), deal(t, 12, 5)} {
		for _, n := range []int{-1, l.Size(), 1 << 30} {
			if got := l.Holder(n); got != -1 {
				t.Errorf("%q: Holder(%d) = %d, want -1", l, n, got)
			}
			if got := l.Slots(max(n, l.Members())); got != nil {
				t.Errorf("%q: Slots(%d) = %v, want none", l, n, got)
			}
		}
	}
	if got := (resize.Layout{}).Owner(7); got != -1 {
		t.Errorf("Owner in the zero Layout: got %d, want -1", got)
	}
}

func TestLayoutTextsAndEquality(t *testing.T) {
	for _, text := range []string{"3", "12/5"} {
		if a, b := layout(t, text), layout(t, text); a != b {
			t.Errorf("two layouts %s are not ==", text)
		}
	}
	if plain(t, 1) == deal(t, 1, 1) || deal(t, 12, 5) == deal(t, 12, 4) || deal(t, 12, 5).Dealt() == plain(t, 12).Dealt() {
		t.Error("different layouts are ==")
	}
	if text, err := (resize.Layout{}).MarshalText(); err == nil {
		t.Errorf("the zero Layout has the text %q, want an error", text)
	}
	l := plain(t, 3)
	if err := l.UnmarshalText([]byte("12/x")); err == nil || l != plain(t, 3) {
		t.Errorf("after a bad text: layout %v, error %v; want 3 unchanged and an error", l, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		text, err := l.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back resize.Layout
		if err := back.UnmarshalText(text); err != nil || back != l {
			t.Fatalf("%v reads back as %v, error %v", l, back, err)
		}
	})
}

func FuzzParseLayout(f *testing.F) {
	for _, text := range []string{"", "3", "360/12", "03", "1024/1024", "1024/1025", "3/", "/3", "-1", "99999999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := resize.ParseLayout(text)
		var typed *resize.Error
		switch {
		case err == nil && l.String() != text:
			t.Errorf("%q reads as %q: one layout has two texts", text, l)
		case err != nil && !errors.As(err, &typed):
			t.Errorf("%q: the error %v is no *resize.Error", text, err)
		case err != nil && l != resize.Layout{}:
			t.Errorf("%q: an error and the layout %v", text, l)
		}
	})
}

func TestMoves(t *testing.T) {
	got, err := resize.Moves(deal(t, 8, 3), deal(t, 8, 4))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]resize.Move{{Slot: 2, From: 0, To: 3}, {Slot: 6, From: 1, To: 3}}, got); diff != "" {
		t.Errorf("8/3 -> 8/4 (-want +got):\n%s", diff)
	}
	if got, err := resize.Moves(deal(t, 8, 3), deal(t, 8, 3)); len(got) != 0 || err != nil {
		t.Errorf("8/3 -> 8/3: got %v, %v, want no moves", got, err)
	}
	if _, err := resize.Moves(deal(t, 8, 3), deal(t, 9, 3)); !errors.Is(err, resize.ErrSize) || err.Error() != "resize: slots 9 is not the 8 of the layout before: slots of different sizes cannot be compared" {
		t.Errorf("8/3 -> 9/3: got %v", err)
	}
}

// The way back moves the same slots the other way.
func TestMovesAreSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 360).Draw(t, "slots")
		members := rapid.IntRange(1, slots)
		a, err1 := resize.Deal(slots, members.Draw(t, "from"))
		b, err2 := resize.Deal(slots, members.Draw(t, "to"))
		forth, err3 := resize.Moves(a, b)
		back, err4 := resize.Moves(b, a)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		for i := range back {
			back[i].From, back[i].To = back[i].To, back[i].From
		}
		if diff := cmp.Diff(forth, back); diff != "" {
			t.Fatalf("%v and %v (-forth +back):\n%s", a, b, diff)
		}
	})
}

func TestLayoutAllocations(t *testing.T) {
	l := deal(t, 360, 12)
	if n := testing.AllocsPerRun(100, func() { sink = l.Holder(77) + l.Owner(0xab3e7c0b) }); n != 0 {
		t.Errorf("Holder and Owner: %v allocations, want none", n)
	}
}

var sink int

func BenchmarkOwner(b *testing.B) {
	l := deal(b, 360, 12)
	b.ReportAllocs()
	for sum := uint32(0); b.Loop(); sum += 0x9e3779b9 {
		sink = l.Owner(sum)
	}
}

func BenchmarkDeal(b *testing.B) {
	for _, size := range [][2]int{{360, 12}, {1024, 32}, {1024, 1024}} {
		b.Run(fmt.Sprintf("%d to %d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := resize.Deal(size[0], size[1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleDeal() {
	before, err := resize.Deal(12, 3)
	if err != nil {
		panic(err)
	}
	after, err := resize.Deal(12, 4)
	if err != nil {
		panic(err)
	}
	for m := range after.Members() {
		fmt.Println("member", m, "has", before.Slots(m), "then", after.Slots(m))
	}
	// Output:
	// member 0 has [0 1 2 3] then [0 1 2]
	// member 1 has [6 7 8 9] then [6 7 8]
	// member 2 has [4 5 10 11] then [4 5 10]
	// member 3 has [] then [3 9 11]
}
