package commit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot/commit"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func begin(tb testing.TB, f *commit.Frontier, positions ...uint64) {
	tb.Helper()
	for _, p := range positions {
		if fresh, err := f.Begin(commit.At(p)); !fresh || err != nil {
			tb.Fatalf("Begin(%d): got %v, %v, want true", p, fresh, err)
		}
	}
}

func skip(tb testing.TB, f *commit.Frontier, positions ...uint64) {
	tb.Helper()
	for _, p := range positions {
		must(tb, f.Skip(commit.At(p)))
	}
}

// wantAt checks the committable position.
func wantAt(tb testing.TB, f *commit.Frontier, want uint64) {
	tb.Helper()
	if got, ok := f.Committable(); !ok || got != commit.At(want) {
		tb.Fatalf("committable: got %v, %v, want %d", got, ok, want)
	}
}

func TestForeignEventsMoveTheFrontier(t *testing.T) {
	f := commit.From(commit.At(1))
	if got, ok := f.Committable(); ok {
		t.Fatalf("before anything was done: got %v, want none", got)
	}
	for p := uint64(1); p <= 1000; p++ {
		skip(t, f, p)
		wantAt(t, f, p)
	}
}

func TestAnUnfinishedOwnEventHoldsIt(t *testing.T) {
	f := commit.After(commit.At(3))
	wantAt(t, f, 3)
	skip(t, f, 4)
	begin(t, f, 5)
	skip(t, f, 6, 7, 8, 9)
	wantAt(t, f, 4)
	begin(t, f, 10, 11)
	must(t, f.Done(commit.At(11)))
	wantAt(t, f, 4)
	if n, oldest := f.Unfinished(); n != 2 || oldest != commit.At(5) {
		t.Errorf("unfinished: got %d from %v, want 2 from 5", n, oldest)
	}
	must(t, f.Done(commit.At(5)))
	wantAt(t, f, 9)
	must(t, f.Done(commit.At(5)))
	wantAt(t, f, 9)
	must(t, f.Done(commit.At(10)))
	wantAt(t, f, 11)
	if got, ok := f.Delivered(); !ok || got != commit.At(11) {
		t.Errorf("delivered: got %v, %v, want 11", got, ok)
	}
}

// A member reads a log of ten own events, commits as Kafka wants it (the next offset to read) and
// restarts after every second event. Begun by From(At(offset)), it handles each event. Begun by
// After it would take the event at the offset for finished, and lose one at each restart; the same
// member that stores the last finished position, and goes on After it, loses none.
func TestRestartsByWhatIsStored(t *testing.T) {
	const events = 10
	run := func(restart func(stored uint64) (*commit.Frontier, uint64), store func(commit.Position) uint64) (handled []uint64) {
		var next, stored uint64
		f := commit.From(commit.At(0))
		for next < events {
			for range 2 {
				fresh, err := f.Begin(commit.At(next))
				must(t, err)
				if fresh {
					handled = append(handled, next)
					must(t, f.Done(commit.At(next)))
				}
				next++
			}
			if position, ok := f.Committable(); ok {
				stored = store(position)
			}
			f, next = restart(stored)
		}
		return handled
	}
	nextOffset := func(p commit.Position) uint64 { return p.Major + 1 }
	from := func(stored uint64) (*commit.Frontier, uint64) { return commit.From(commit.At(stored)), stored }
	after := func(stored uint64) (*commit.Frontier, uint64) { return commit.After(commit.At(stored)), stored }
	all := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	if got := run(from, nextOffset); !slices.Equal(got, all) {
		t.Errorf("From(At(next offset)): handled %v, want %v", got, all)
	}
	if got, want := run(after, nextOffset), []uint64{0, 1, 3, 5, 7, 9}; !slices.Equal(got, want) {
		t.Errorf("After(At(next offset)): handled %v, want %v", got, want)
	}
	last := func(p commit.Position) uint64 { return p.Major }
	behind := func(stored uint64) (*commit.Frontier, uint64) { return commit.After(commit.At(stored)), stored + 1 }
	if got := run(behind, last); !slices.Equal(got, all) {
		t.Errorf("After(last finished): handled %v, want %v", got, all)
	}
}

// From a position and After the one before it are the same to a log that counts with one number,
// but for what there is before anything is reported.
func TestFromAndAfterTheOneBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Uint64Range(1, 20).Draw(t, "first")
		a, b := commit.From(commit.At(first)), commit.After(commit.At(first-1))
		if at, ok := b.Committable(); !ok || at != commit.At(first-1) {
			t.Fatalf("After: committable %v, %v", at, ok)
		}
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			p := commit.At(rapid.Uint64Range(0, 30).Draw(t, "position"))
			var got, want string
			switch rapid.IntRange(0, 2).Draw(t, "call") {
			case 0:
				got, want = fmt.Sprint(a.Begin(p)), fmt.Sprint(b.Begin(p))
			case 1:
				got, want = fmt.Sprint(a.Skip(p)), fmt.Sprint(b.Skip(p))
			case 2:
				got, want = fmt.Sprint(a.Done(p)), fmt.Sprint(b.Done(p))
			}
			if got != want {
				t.Fatalf("at %v: From %s, After %s", p, got, want)
			}
			atA, ok := a.Committable()
			if atB, _ := b.Committable(); ok && atA != atB || !ok && atB != commit.At(first-1) {
				t.Fatalf("committable: From %v, %v, After %v", atA, ok, atB)
			}
		}
	})
}

func ExampleFrom() {
	stored := uint64(17) // committed in Kafka: the next offset to read
	frontier := commit.From(commit.At(stored))
	fresh, err := frontier.Begin(commit.At(17)) // the first event that is read
	fmt.Println(fresh, err)

	wrong := commit.After(commit.At(stored)) // takes 17 for finished
	fresh, err = wrong.Begin(commit.At(17))
	fmt.Println(fresh, err)
	// Output:
	// true <nil>
	// false <nil>
}

// The same convention as in all packages.
func TestErrorsNameThePackage(t *testing.T) {
	for _, err := range []error{commit.ErrText, commit.ErrNotStarted, commit.ErrOrder, commit.ErrBatch, commit.ErrCheckpoint} {
		if !strings.HasPrefix(err.Error(), "commit: ") {
			t.Errorf("%v", err)
		}
	}
}

func TestAnOwnEventReportedTooLateIsAnError(t *testing.T) {
	for name, f := range map[string]*commit.Frontier{"From": commit.From(commit.At(5)), "After": commit.After(commit.At(4))} {
		skip(t, f, 6)
		fresh, err := f.Begin(commit.At(5))
		want := "commit: position 5 was never reported, although 6 was: events are reported in the order of delivery"
		if fresh || !errors.Is(err, commit.ErrOrder) || err.Error() != want {
			t.Errorf("%s: got %v, %v, want %s", name, fresh, err, want)
		}
		if err := f.Skip(commit.At(5)); !errors.Is(err, commit.ErrOrder) {
			t.Errorf("%s: a foreign event too late: got %v", name, err)
		}
		wantAt(t, f, 6)
	}
}

func TestReleaseGivesUp(t *testing.T) {
	f := commit.From(commit.At(1))
	begin(t, f, 1, 2)
	must(t, f.Done(commit.At(2)))
	if n, err := f.Release(commit.At(1)); n != 1 || err != nil {
		t.Errorf("Release: got %d, %v, want 1", n, err)
	}
	wantAt(t, f, 2)
	if n, err := f.Release(commit.At(1)); n != 0 || err != nil || f.Released() != 1 {
		t.Errorf("Release again: got %d, %v, released %d, want 0 and 1", n, err, f.Released())
	}
}

func TestBatches(t *testing.T) {
	f := commit.From(commit.At(1))
	for _, own := range []int{2, 3, 64, 65, 1000} {
		p := commit.At(uint64(own))
		before, _ := f.Committable()
		if fresh, err := f.BeginBatch(p, own); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
		if fresh, err := f.BeginBatch(p, own); fresh || err != nil {
			t.Errorf("a batch that comes again: got %v, %v", fresh, err)
		}
		for _, event := range rand.New(rand.NewPCG(1, 2)).Perm(own) {
			if at, _ := f.Committable(); at != before {
				t.Fatalf("batch of %d: committable %v before all are done", own, at)
			}
			must(t, f.DoneEvent(p, event))
			if n, _ := f.Unfinished(); n == 1 {
				must(t, f.DoneEvent(p, event)) // twice is once
			}
		}
		wantAt(t, f, uint64(own))
	}
	p := commit.At(2000)
	if _, err := f.BeginBatch(p, 70); err != nil {
		t.Fatal(err)
	}
	must(t, f.DoneEvent(p, 69))
	if n, err := f.Release(p); n != 69 || err != nil {
		t.Errorf("Release: got %d, %v, want 69", n, err)
	}
}

func TestFrontierErrors(t *testing.T) {
	begun := func(_ bool, err error) error { return err }
	released := func(_ int, err error) error { return err }
	f := commit.From(commit.At(10))
	skip(t, f, 10)
	if _, err := f.BeginBatch(commit.At(11), 3); err != nil {
		t.Fatal(err)
	}
	skip(t, f, 20)
	var zero commit.Frontier
	for _, test := range []struct {
		err  error
		is   error
		want string
	}{
		{zero.Skip(commit.At(1)), commit.ErrNotStarted, "commit: frontier is not started: From and After make one"},
		{begun(zero.Begin(commit.At(1))), commit.ErrNotStarted, "commit: frontier is not started: From and After make one"},
		{zero.Done(commit.At(1)), commit.ErrNotStarted, "commit: frontier is not started: From and After make one"},
		{released(zero.Release(commit.At(1))), commit.ErrNotStarted, "commit: frontier is not started: From and After make one"},
		{begun(f.BeginBatch(commit.At(21), 0)), commit.ErrBatch, "commit: events 0 is not from 1 to 1048576"},
		{begun(f.BeginBatch(commit.At(21), -1)), commit.ErrBatch, "commit: events -1 is not from 1 to 1048576"},
		{begun(f.BeginBatch(commit.At(21), 1<<20+1)), commit.ErrBatch, "commit: events 1048577 is not from 1 to 1048576"},
		{begun(f.Begin(commit.At(11))), commit.ErrBatch, "commit: events 1 is not the 3 with which position 11 began"},
		{begun(f.Begin(commit.At(20))), commit.ErrBatch, "commit: position 20 was skipped: the own events at one position begin together, and it is skipped only if there are none"},
		{f.DoneEvent(commit.At(11), 3), commit.ErrBatch, "commit: event 3 is not one of the 3 own events at position 11, which count from 0"},
		{f.DoneEvent(commit.At(11), -1), commit.ErrBatch, "commit: event -1 is not one of the 3 own events at position 11, which count from 0"},
		{f.Done(commit.At(21)), commit.ErrOrder, "commit: position 21 was never begun"},
		{f.Done(commit.At(15)), commit.ErrOrder, "commit: position 15 was never reported, although 20 was: events are reported in the order of delivery"},
		{released(f.Release(commit.At(21))), commit.ErrOrder, "commit: position 21 was never begun"},
		{begun(f.Begin(commit.Position{Major: 19, Minor: 5})), commit.ErrOrder, "commit: position 19-5 was never reported, although 20 was: events are reported in the order of delivery"},
	} {
		if !errors.Is(test.err, test.is) || test.err.Error() != test.want {
			t.Errorf("got %v, want %s", test.err, test.want)
		}
	}
	wantAt(t, f, 10)
	if n, _ := f.Unfinished(); n != 1 {
		t.Errorf("unfinished: got %d, want 1", n)
	}
	if _, ok := zero.Committable(); ok {
		t.Error("the zero Frontier has a committable position")
	}
}

func TestTheEndOfAllPositions(t *testing.T) {
	last := commit.Position{Major: math.MaxUint64, Minor: math.MaxUint64}
	f := commit.From(last)
	must(t, f.Skip(last))
	if got, ok := f.Committable(); !ok || got != last {
		t.Errorf("got %v, %v, want %v", got, ok, last)
	}
	f = commit.After(last)
	if fresh, err := f.Begin(last); fresh || err != nil {
		t.Errorf("behind the end: got %v, %v, want a position that is done", fresh, err)
	}
	f = commit.After(commit.At(math.MaxUint64 - 1))
	skip(t, f, math.MaxUint64)
	must(t, f.Skip(last))
}

// A model remembers everything: each position that was reported, in order, and how many of its events are unfinished.
type model struct {
	frontier *commit.Frontier
	start    commit.Position // the first position that can be new
	before   *commit.Position
	reported []commit.Position
	begun    map[commit.Position]int
	left     map[commit.Position]map[int]bool
	last     commit.Position // what Committable returned; it must not fall
}

func (m *model) highest() (commit.Position, bool) {
	if n := len(m.reported); n > 0 {
		return m.reported[n-1], true
	}
	if m.before != nil {
		return *m.before, true
	}
	return commit.Position{}, false
}

// state is "new", "seen" (also what lies before the start) or "missed".
func (m *model) state(p commit.Position) string {
	if high, ok := m.highest(); p.Before(m.start) || slices.Contains(m.reported, p) {
		return "seen"
	} else if !ok || high.Before(p) {
		return "new"
	}
	i := slices.IndexFunc(m.reported, p.Before) // reported[i] is the first position behind p
	previous := m.before
	if i > 0 {
		previous = &m.reported[i-1]
	}
	if previous != nil && previous.Minor == 0 && m.reported[i] == commit.At(previous.Major+1) {
		return "seen" // whole numbers that follow on each other count as neighbours
	}
	return "missed"
}

func (m *model) check(t *rapid.T) {
	got, ok := m.frontier.Committable()
	want, wantOK := m.highest()
	for p := range m.left {
		for want == p || p.Before(want) && wantOK {
			i := slices.Index(m.reported, want)
			if i > 0 {
				want = m.reported[i-1]
			} else if m.before != nil {
				want = *m.before
			} else {
				want, wantOK = commit.Position{}, false
			}
			if !wantOK {
				break
			}
		}
	}
	if ok != wantOK || ok && got != want {
		t.Fatalf("committable: got %v, %v, want %v, %v; reported %v, unfinished %v", got, ok, want, wantOK, m.reported, m.left)
	}
	if ok && got.Before(m.last) {
		t.Fatalf("committable fell from %v to %v", m.last, got)
	}
	m.last = got
	n, oldest := m.frontier.Unfinished()
	if n != len(m.left) {
		t.Fatalf("unfinished: got %d, want %d", n, len(m.left))
	}
	for p := range m.left {
		if p.Before(oldest) {
			t.Fatalf("oldest unfinished: got %v, but %v is", oldest, p)
		}
	}
}

func TestFrontierAgainstAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		two := rapid.Bool().Draw(t, "two numbers")
		drawn := func() commit.Position {
			p := commit.At(rapid.Uint64Range(0, 30).Draw(t, "position"))
			if two {
				p.Minor = rapid.Uint64Range(0, 3).Draw(t, "minor")
			}
			return p
		}
		m := &model{begun: map[commit.Position]int{}, left: map[commit.Position]map[int]bool{}}
		if m.start = drawn(); rapid.Bool().Draw(t, "go on") {
			before := m.start
			m.before = &before
			m.start.Minor++
			m.frontier = commit.After(before)
		} else {
			m.frontier = commit.From(m.start)
		}
		// next is mostly the next position or one a little further on, as a log delivers them.
		next := func() commit.Position {
			if high, ok := m.highest(); ok && rapid.IntRange(0, 3).Draw(t, "how") > 0 {
				return commit.At(high.Major + rapid.Uint64Range(1, 2).Draw(t, "step"))
			}
			return drawn()
		}
		known := func() commit.Position {
			if len(m.reported) > 0 && rapid.IntRange(0, 3).Draw(t, "how") > 0 {
				return rapid.SampledFrom(m.reported).Draw(t, "known")
			}
			return drawn()
		}
		expect := func(what string, p commit.Position, err error, is error) {
			if is == nil && err != nil || !errors.Is(err, is) {
				t.Fatalf("%s(%v), which is %s: got %v, want %v", what, p, m.state(p), err, is)
			}
		}
		missed := func(p commit.Position) error {
			if m.state(p) == "missed" {
				return commit.ErrOrder
			}
			return nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"": m.check,
			"skip": func(t *rapid.T) {
				p := next()
				expect("Skip", p, m.frontier.Skip(p), missed(p))
				if m.state(p) == "new" {
					m.reported = append(m.reported, p)
				}
			},
			"begin": func(t *rapid.T) {
				p := next()
				own := rapid.SampledFrom([]int{1, 1, 1, 2, 70}).Draw(t, "own")
				fresh, err := m.frontier.BeginBatch(p, own)
				want := missed(p)
				high, any := m.highest()
				switch {
				case m.left[p] != nil && m.begun[p] != own, any && p == high && m.begun[p] == 0 && len(m.reported) > 0:
					want = commit.ErrBatch
				}
				expect("Begin", p, err, want)
				if isNew := m.state(p) == "new"; fresh != isNew {
					t.Fatalf("Begin(%v): fresh is %v, want %v", p, fresh, isNew)
				} else if isNew {
					m.reported = append(m.reported, p)
					m.begun[p] = own
					m.left[p] = map[int]bool{}
					for i := range own {
						m.left[p][i] = true
					}
				}
			},
			"done": func(t *rapid.T) {
				p := known()
				event := 0
				if n := m.begun[p]; n > 0 {
					event = rapid.IntRange(0, n-1).Draw(t, "event")
				}
				want := missed(p)
				if m.state(p) == "new" {
					want = commit.ErrOrder
				}
				expect("Done", p, m.frontier.DoneEvent(p, event), want)
				if delete(m.left[p], event); len(m.left[p]) == 0 {
					delete(m.left, p)
				}
			},
			"release": func(t *rapid.T) {
				p := known()
				want := missed(p)
				if m.state(p) == "new" {
					want = commit.ErrOrder
				}
				n, err := m.frontier.Release(p)
				expect("Release", p, err, want)
				if n != len(m.left[p]) {
					t.Fatalf("Release(%v): got %d, want %d", p, n, len(m.left[p]))
				}
				delete(m.left, p)
			},
		})
	})
}

// Behind the last 64 jumps an unseen position cannot be told from one that is finished.
func TestJumpsAreForgotten(t *testing.T) {
	f := commit.From(commit.At(0))
	for p := uint64(0); p <= 200; p += 2 {
		skip(t, f, p)
	}
	for p := uint64(1); p < 200; p += 2 {
		_, err := f.Begin(commit.At(p))
		if got, want := errors.Is(err, commit.ErrOrder), p > 200-2*64; got != want {
			t.Errorf("Begin(%d): got %v, want an error: %v", p, err, want)
		}
	}
}

// Memory follows what is unfinished, and nothing else.
func TestFrontierMemory(t *testing.T) {
	f := commit.After(commit.At(0))
	begin(t, f, 1)
	p := uint64(1)
	if n := testing.AllocsPerRun(100_000, func() { p++; must(t, f.Skip(commit.At(p))) }); n != 0 {
		t.Errorf("Skip: %v allocations, want none", n)
	}
	for range 100_000 {
		p++
		begin(t, f, p)
		must(t, f.Done(commit.At(p)))
	}
	if got := f.Capacity(); got > 8 {
		t.Errorf("100 000 own events finished around one that is not: room for %d, want 8 at most", got)
	}
	wantAt(t, f, 0)
	for range 10_000 {
		p++
		begin(t, f, p)
	}
	for q := uint64(1); q <= p; q++ {
		must(t, f.Done(commit.At(q)))
	}
	if got := f.Capacity(); got != 0 {
		t.Errorf("after a burst of 10 000: room for %d, want none", got)
	}
	wantAt(t, f, p)
}

// One goroutine receives, many finish, one commits.
func TestFrontierConcurrently(t *testing.T) {
	const events = 5000
	f := commit.From(commit.At(1))
	work := make(chan uint64, 64)
	var handlers sync.WaitGroup
	for range 8 {
		handlers.Add(1)
		go func() {
			defer handlers.Done()
			for p := range work {
				if err := f.Done(commit.At(p)); err != nil {
					t.Error(err)
				}
				f.Committable()
			}
		}()
	}
	for p := uint64(1); p <= events; p++ {
		if p%3 != 0 {
			skip(t, f, p)
			continue
		}
		begin(t, f, p)
		work <- p
	}
	close(work)
	handlers.Wait()
	wantAt(t, f, events)
}

func BenchmarkSkip(b *testing.B) {
	f := commit.From(commit.At(0))
	b.ReportAllocs()
	for p := uint64(0); b.Loop(); p++ {
		if err := f.Skip(commit.At(p)); err != nil { // must costs more than Skip
			b.Fatal(err)
		}
	}
}

// A Redis stream jumps from every entry to the next.
func BenchmarkSkipJumping(b *testing.B) {
	f := commit.From(commit.At(0))
	b.ReportAllocs()
	for p := uint64(0); b.Loop(); p++ {
		if err := f.Skip(commit.Position{Major: 3 * p, Minor: 7}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBeginDone(b *testing.B) {
	for _, unfinished := range []uint64{1, 64, 4096} {
		b.Run(fmt.Sprint(unfinished, " unfinished"), func(b *testing.B) {
			f := commit.From(commit.At(0))
			var p uint64
			for ; p < unfinished; p++ {
				begin(b, f, p)
			}
			b.ReportAllocs()
			for ; b.Loop(); p++ {
				if fresh, err := f.Begin(commit.At(p)); !fresh || err != nil {
					b.Fatal(fresh, err)
				}
				if err := f.Done(commit.At(p - unfinished)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// 10 million foreign events pass around one own event that does not end. B/op is all that they cost.
func BenchmarkTenMillionForeignAroundOneUnfinished(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		f := commit.From(commit.At(1))
		begin(b, f, 1)
		for p := uint64(2); p < 10_000_002; p++ {
			if err := f.Skip(commit.At(p)); err != nil {
				b.Fatal(err)
			}
		}
		if _, ok := f.Committable(); ok {
			b.Fatal("the frontier passed the unfinished event")
		}
	}
}

func Example() {
	frontier := commit.After(commit.At(4)) // 4 was committed before
	_, _ = frontier.Begin(commit.At(5))    // an own event goes to its handler
	for p := uint64(6); p <= 9; p++ {
		_ = frontier.Skip(commit.At(p)) // foreign events
	}
	fmt.Println(frontier.Committable())
	_ = frontier.Done(commit.At(5)) // the handler is back
	fmt.Println(frontier.Committable())
	// Output:
	// 4 true
	// 9 true
}
