package resize_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// A world is a log and the members that read it, as hosts would run them: each by its own copy of
// the plan, with a frontier, a store of committed positions that survives, and crashes that lose
// all else.
type world struct {
	texts     []resize.Plan // the plan as it grows: each extends the one before
	log       []event
	members   []*worker
	committed map[string]commit.Position
}

type event struct {
	at      commit.Position
	sum     uint32
	handled []int // by which members
}

// A worker is one member: nil reader while it does not run.
type worker struct {
	number    int
	text      int // index of the text that it has; it survives a crash
	sw        *resize.Switch
	frontier  *commit.Frontier
	next      int             // in the log
	delivered commit.Position // over all its lives, as an announcement would have kept it
	inFlight  []int
	left      bool
	crashed   bool
}

func (w *world) key(t *rapid.T, p resize.Plan, member int) string {
	sw, err := p.Switch("pairs", member, routing.Rule{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := sw.Checkpoint("log").Key()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// start begins to read behind the committed position; a newcomer at its start or anywhere before.
func (w *world) start(t *rapid.T, m *worker) {
	plan := w.texts[m.text]
	sw, err := plan.Switch("pairs", m.number, routing.Rule{})
	if errors.Is(err, resize.ErrMember) {
		return // it does not have the text that names it yet
	}
	if err != nil {
		t.Fatal(err)
	}
	m.sw = sw
	if done, ok := w.committed[w.key(t, plan, m.number)]; ok {
		m.frontier = commit.After(done)
		m.next = slices.IndexFunc(w.log, func(e event) bool { return done.Before(e.at) })
		if m.next < 0 {
			m.next = len(w.log)
		}
		return
	}
	m.next = 0
	for i, e := range w.log {
		if !sw.Start().Before(e.at) || i == 0 {
			m.next = i
		}
	}
	m.next -= rapid.IntRange(0, min(3, m.next)).Draw(t, "earlier")
	m.frontier = commit.From(w.log[m.next].at)
}

// deliver hands the next event to a member.
func (w *world) deliver(t *rapid.T, m *worker) {
	e := w.log[m.next]
	m.next++
	if m.delivered.Before(e.at) {
		m.delivered = e.at
	}
	route := routing.Hashed(e.sum)
	if !m.sw.Filter(e.at).Judge(route).Admit() {
		if err := m.frontier.Skip(e.at); err != nil {
			t.Fatal(err)
		}
		return
	}
	fresh, err := m.frontier.Begin(e.at)
	if !fresh || err != nil {
		t.Fatalf("member %d at %v: %v, %v", m.number, e.at, fresh, err)
	}
	m.inFlight = append(m.inFlight, m.next-1)
	w.checkDrained(t, m, e, route)
}

// checkDrained asks the query, and holds a yes against what has been handled.
func (w *world) checkDrained(t *rapid.T, m *worker, e event, route routing.Route) {
	stored := func(member int) (commit.Position, bool) {
		p, ok := w.committed[w.key(t, m.sw.Plan(), member)]
		return p, ok
	}
	if !m.sw.Drained(e.at, route, stored) {
		return
	}
	generation := m.sw.Plan().At(e.at)
	for _, earlier := range w.log {
		owner, _ := m.sw.Plan().Owner(earlier.at, route)
		if earlier.sum == e.sum && earlier.at.Before(generation.From) && owner != m.number && len(earlier.handled) == 0 {
			t.Fatalf("%v: drained at %v for member %d, but %v of the same key is not handled by %d", m.sw.Plan(), e.at, m.number, earlier.at, owner)
		}
	}
}

func (w *world) finish(m *worker, i int) error {
	e := &w.log[m.inFlight[i]]
	m.inFlight = slices.Delete(m.inFlight, i, i+1)
	e.handled = append(e.handled, m.number)
	return m.frontier.Done(e.at)
}

func (w *world) commit(t *rapid.T, m *worker) {
	if p, ok := m.frontier.Committable(); ok {
		w.committed[w.key(t, m.sw.Plan(), m.number)] = p
	}
}

// needsText reports whether the next event lies at or behind a switch that the member's text lacks:
// the rule is that it has the text first.
func (w *world) needsText(m *worker) bool {
	known := len(w.texts[m.text].Generations())
	all := w.texts[len(w.texts)-1].Generations()
	return known < len(all) && !w.log[m.next].at.Before(all[known].From)
}

// adopt gives a member one of the longer texts.
func (w *world) adopt(t *rapid.T, m *worker, text int) {
	got, err := w.texts[m.text].Adopt(w.texts[text], m.delivered)
	if err != nil {
		t.Fatalf("member %d, delivered up to %v: %v", m.number, m.delivered, err)
	}
	m.text = text
	if m.sw != nil {
		if m.sw, err = got.Switch("pairs", m.number, routing.Rule{}); err != nil {
			t.Fatal(err)
		}
	}
}

// Members start, stop, crash, adopt texts and finish events at random, as the rules of a plan
// allow. In the end every event was handled by its one owner, and only by an owner that crashed
// more than once.
func TestMembersOfAPlanHandleEveryEventOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := drawPlan(t)
		w := &world{committed: map[string]commit.Position{}}
		var text resize.Plan
		for i, g := range full.Generations() {
			var err error
			if i == 0 {
				text, err = resize.NewPlan(g.Layout)
			} else {
				text, err = text.Extend(g.Layout, g.From)
			}
			if err != nil {
				t.Fatal(err)
			}
			w.texts = append(w.texts, text)
		}
		sums := rapid.SliceOfN(rapid.Uint32(), 1, 8).Draw(t, "sums")
		end := full.Generations()[len(w.texts)-1].From.Major + 10
		for at := (commit.Position{}); at.Major < end; {
			w.log = append(w.log, event{at: at, sum: rapid.SampledFrom(sums).Draw(t, "sum")})
			if rapid.IntRange(0, 3).Draw(t, "step") == 0 {
				at.Minor++
			} else {
				at = commit.At(at.Major + 1)
			}
		}
		for n := range full.Members() {
			w.members = append(w.members, &worker{number: n})
		}
		for range 60 {
			m := w.members[rapid.IntRange(0, len(w.members)-1).Draw(t, "member")]
			w.act(t, m, rapid.SampledFrom([]string{"deliver", "deliver", "deliver", "finish", "finish", "commit", "crash", "adopt"}).Draw(t, "act"))
		}
		for _, m := range w.members { // now all go on to the end
			for !m.left && (m.sw == nil || m.next < len(w.log) || len(m.inFlight) > 0) {
				if m.sw == nil {
					w.adopt(t, m, len(w.texts)-1)
				}
				w.act(t, m, "deliver")
				w.act(t, m, "finish")
				w.act(t, m, "commit")
			}
		}
		for _, e := range w.log {
			owner, _ := full.Owner(e.at, routing.Hashed(e.sum))
			by := slices.Compact(slices.Sorted(slices.Values(e.handled)))
			if len(by) != 1 || by[0] != owner {
				t.Fatalf("%v: the event at %v was handled by %v, its owner is %d", full, e.at, e.handled, owner)
			}
			if len(e.handled) > 1 && !w.members[owner].crashed {
				t.Fatalf("%v: the event at %v was handled %d times by member %d, who never crashed", full, e.at, len(e.handled), owner)
			}
		}
	})
}

func (w *world) act(t *rapid.T, m *worker, what string) {
	if m.left {
		return
	}
	if m.sw == nil {
		if what == "adopt" {
			w.adopt(t, m, rapid.IntRange(m.text, len(w.texts)-1).Draw(t, "text"))
		}
		w.start(t, m)
		return
	}
	switch what {
	case "deliver":
		if m.next < len(w.log) {
			if w.needsText(m) {
				w.adopt(t, m, len(w.texts)-1)
			}
			w.deliver(t, m)
		}
	case "finish":
		if n := len(m.inFlight); n > 0 {
			if err := w.finish(m, rapid.IntRange(0, n-1).Draw(t, "which")); err != nil {
				t.Fatal(err)
			}
		}
	case "commit":
		w.commit(t, m)
		end, ends := m.sw.End()
		if done, ok := w.committed[w.key(t, m.sw.Plan(), m.number)]; ok && ends && m.text == len(w.texts)-1 && !done.Before(end) {
			m.left = true
		}
	case "crash":
		m.sw, m.frontier, m.inFlight, m.crashed = nil, nil, nil, true
	case "adopt":
		w.adopt(t, m, rapid.IntRange(m.text, len(w.texts)-1).Draw(t, "text"))
	}
}

// One member lacks the text and goes on with its size while all others switch. What then has no
// owner, and what has two, is computed: it is what Simulate says of a rolling change in which this
// member flips last, just before its step.
func TestAMemberWithoutTheTextMakesGapsAndDoubles(t *testing.T) {
	for _, text := range []string{"3,5@100", "5,3@100", "10,11@100", "360/3,360/5@100", "4,8@100"} {
		p := plan(t, text)
		before, after := p.Generations()[0].Layout, p.Generations()[1].Layout
		short := plan(t, before.String())
		for lacks := range before.Members() {
			var order []int
			for m := range p.Members() {
				if m != lacks {
					order = append(order, m)
				}
			}
			change := simulate(t, before, after, append(order, lacks)...)
			want := change.Steps[len(order)-1]
			if lacks >= after.Members() {
				// A member that is to leave and stays doubles what it had, and leaves no gap.
				if want.Unowned.Num != 0 {
					t.Errorf("%s without member %d: unowned %v, want none", text, lacks, want.Unowned)
				}
			}
			switches := make([]*resize.Switch, p.Members())
			for m := range switches {
				from := p
				if m == lacks {
					from = short
				}
				s, err := from.Switch("pairs", m, routing.Rule{})
				if err != nil {
					t.Fatal(err)
				}
				switches[m] = s
			}
			residues := before.Size() * after.Size()
			for _, at := range []uint64{99, 100, 5000} {
				unowned, doubled := 0, 0
				for sum := range uint32(residues) {
					n := 0
					for _, s := range switches {
						if s.Filter(commit.At(at)).Judge(routing.Hashed(sum)).Kind == slot.Own {
							n++
						}
					}
					switch n {
					case 0:
						unowned++
					case 2:
						doubled++
					}
				}
				got := fmt.Sprint(unowned*want.Unowned.Den == want.Unowned.Num*residues, doubled*want.Doubled.Den == want.Doubled.Num*residues)
				if at < 100 {
					got = fmt.Sprint(unowned == 0, doubled == 0)
				}
				if got != "true true" {
					t.Errorf("%s without member %d at %d: %d unowned and %d doubled of %d, want shares %v and %v from 100 on, none before", text, lacks, at, unowned, doubled, residues, want.Unowned, want.Doubled)
				}
			}
		}
	}
	// In figures: of 15 residues, member 0 of 3,5@100 alone lacks the text, so 2 have no owner and 4 have two.
	last := simulate(t, plain(t, 3), plain(t, 5), 1, 2, 3, 4, 0).Steps[3]
	if got := fmt.Sprint(last.Unowned, last.Doubled); got != "2/15 4/15" {
		t.Errorf("3,5@100 without member 0: got %s, want 2/15 4/15", got)
	}
}

func TestDrained(t *testing.T) {
	p := plan(t, "3,5@100,7@200")
	s, err := p.Switch("pairs", 6, routing.Rule{})
	if err != nil {
		t.Fatal(err)
	}
	route := routing.Hashed(13) // member 1 of 3, then 3 of 5, then 6 of 7
	store := func(committed map[int]string) func(int) (commit.Position, bool) {
		return func(m int) (commit.Position, bool) {
			text, ok := committed[m]
			if !ok {
				return commit.Position{}, false
			}
			return position(t, text), true
		}
	}
	for _, test := range []struct {
		at        uint64
		committed map[int]string
		want      bool
	}{
		{50, nil, true}, // there was nobody before
		{100, nil, false},
		{100, map[int]string{1: "99"}, false},
		{100, map[int]string{1: "99-7"}, false},
		{100, map[int]string{1: "100"}, true},
		{200, map[int]string{3: "205"}, false}, // the owner before last has not said anything
		{200, map[int]string{1: "99", 3: "205"}, false},
		{200, map[int]string{1: "150", 3: "199"}, false},
		{200, map[int]string{1: "150", 3: "200"}, true},
	} {
		if got := s.Drained(commit.At(test.at), route, store(test.committed)); got != test.want {
			t.Errorf("at %d with %v: got %v, want %v", test.at, slices.Sorted(maps.Keys(test.committed)), got, test.want)
		}
	}
	if !s.Drained(commit.At(200), routing.Rule{}.Route(routing.Event{Topic: "wrk.a.command.b"}), store(nil)) {
		t.Error("a command waits for somebody")
	}
	keeps, err := plan(t, "4,8@100").Switch("pairs", 1, routing.Rule{})
	if err != nil {
		t.Fatal(err)
	}
	if !keeps.Drained(commit.At(100), routing.Hashed(9), store(nil)) {
		t.Error("a member that keeps the key waits for itself")
	}
}
