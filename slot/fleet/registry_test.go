package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// sameRule lets go-cmp compare rules, whose fields are private.
var sameRule = cmp.Comparer(func(a, b routing.Rule) bool { return a == b })

func rule(tb testing.TB, text string) routing.Rule {
	tb.Helper()
	r, err := routing.ParseRule(text)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// worker returns a worker by the text of its member, on the given topics.
func worker(tb testing.TB, name, member string, topics ...string) fleet.Worker {
	tb.Helper()
	m, err := slot.ParseMember(member)
	if err != nil {
		tb.Fatal(err)
	}
	return fleet.Worker{Name: name, Filter: slot.NewFilter(m), Topics: topics}
}

func under(w fleet.Worker, r routing.Rule) fleet.Worker {
	w.Filter = w.Filter.WithRule(r)
	return w
}

func planned(w fleet.Worker, plan string) fleet.Worker {
	w.Plan = plan
	return w
}

func text(lines []fleet.Coverage) []string {
	var out []string
	for _, c := range lines {
		out = append(out, c.String())
	}
	return out
}

// start starts workers that nothing stands in the way of, and returns the last coverage.
func start(tb testing.TB, r *fleet.Registry, workers ...fleet.Worker) (lines []fleet.Coverage) {
	tb.Helper()
	for _, w := range workers {
		var err error
		if lines, err = r.Start(w); err != nil {
			tb.Fatalf("start of %s: %v", w.Name, err)
		}
	}
	return lines
}

func TestCoverage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		workers []fleet.Worker
		want    []string
	}{
		{"the first of three", []fleet.Worker{
			worker(t, "a", "pairs:0/3", "ticks"),
		}, []string{"group pairs on [ticks] has 1 of 3 members running"}},
		{"topics with equal results are one line", []fleet.Worker{
			worker(t, "a", "pairs:0/3", "trades", "ticks"),
			worker(t, "b", "pairs:2/3", "ticks", "trades"),
		}, []string{"group pairs on [ticks, trades] has 2 of 3 members running"}},
		{"a full group", []fleet.Worker{
			worker(t, "a", "pairs:0/2", "ticks"),
			worker(t, "b", "pairs:1/2", "ticks"),
		}, []string{"group pairs on [ticks] has 2 of 2 members running"}},
		{"halves on two topics", []fleet.Worker{
			worker(t, "a", "pairs:0/2", "ticks"),
			worker(t, "b", "pairs:1/2", "trades"),
		}, []string{
			"group pairs on [ticks] has 1 of 2 members running",
			"group pairs on [trades] has 1 of 2 members running",
		}},
		{"members with several slots", []fleet.Worker{
			worker(t, "a", "pairs:0-179/360", "ticks"),
			worker(t, "b", "pairs:200-259/360", "ticks"),
		}, []string{"group pairs on [ticks] has 240 of 360 slots running"}},
		{"one member with several slots", []fleet.Worker{
			worker(t, "a", "pairs:0-1/4", "ticks"),
			worker(t, "b", "pairs:3/4", "ticks"),
		}, []string{"group pairs on [ticks] has 3 of 4 slots running"}},
		{"a member that owns nothing", []fleet.Worker{
			worker(t, "a", "pairs:none/3", "ticks"),
		}, []string{"group pairs on [ticks] has 0 of 3 members running"}},
		{"a pattern covers what is inside", []fleet.Worker{
			worker(t, "a", "pairs:0/2", "ticks.>"),
			worker(t, "b", "pairs:1/2", "ticks.eu"),
		}, []string{
			"group pairs on [ticks.>] has 1 of 2 members running",
			"group pairs on [ticks.eu] has 2 of 2 members running",
		}},
		{"command topics count for nothing", []fleet.Worker{
			worker(t, "a", "pairs:0/2", "ticks", "wrk.pairs.command.a"),
			worker(t, "b", "pairs:1/2", "ticks", "wrk.pairs.command.b"),
		}, []string{"group pairs on [ticks] has 2 of 2 members running"}},
		{"a dedicated worker has no coverage", []fleet.Worker{
			worker(t, "a", "dedicated", "ticks"),
		}, nil},
		{"disjoint topics: any size, any rule", []fleet.Worker{
			worker(t, "a", "pairs:0/2", "ticks"),
			under(worker(t, "b", "pairs:0/3", "trades"), rule(t, "source+id")),
		}, []string{
			"group pairs on [ticks] has 1 of 2 members running",
			"group pairs on [trades] has 1 of 3 members running",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r fleet.Registry
			start(t, &r, tt.workers...)
			if diff := cmp.Diff(tt.want, text(r.Coverage())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStartReturnsTheGroupOnly(t *testing.T) {
	var r fleet.Registry
	got := start(t, &r,
		worker(t, "a", "pairs:0/3", "ticks"),
		worker(t, "b", "orders:1/2", "ticks"),
	)
	want := []fleet.Coverage{{Group: "orders", Topics: []string{"ticks"}, Size: 2, Running: []int{1}, Missing: []int{0}}}
	if diff := cmp.Diff(want, got, sameRule); diff != "" {
		t.Errorf("start of b (-want +got):\n%s", diff)
	}
	got, err := r.Stop("a")
	if err != nil || got != nil {
		t.Errorf("stop of the last member of pairs: %v, %v; want no lines, no error", got, err)
	}
}

func TestRefusals(t *testing.T) {
	percent := rule(t, "subject,id percent")
	for _, tt := range []struct {
		name    string
		running []fleet.Worker
		w       fleet.Worker
		want    string
		is      error
		as      *fleet.Conflict // the parts, where it is one
	}{
		{"no name", nil, worker(t, "", "pairs:0/3", "ticks"),
			`fleet: worker "" has an empty name`, fleet.ErrWorker, nil},
		{"no filter", nil, fleet.Worker{Name: "a", Topics: []string{"ticks"}},
			`fleet: worker "a" has no filter`, fleet.ErrWorker, nil},
		{"no topic", nil, worker(t, "a", "pairs:0/3"),
			`fleet: worker "a" has no topic`, fleet.ErrWorker, nil},
		{"a dedicated worker needs a topic too", nil, worker(t, "a", "dedicated"),
			`fleet: worker "a" has no topic`, fleet.ErrWorker, nil},
		{"empty topic", nil, worker(t, "a", "pairs:0/3", "ticks", ""),
			`fleet: worker "a" has the topic "", which is empty`, fleet.ErrWorker, nil},
		{"> in the middle", nil, worker(t, "a", "pairs:0/3", "ticks.>.eu"),
			`fleet: worker "a" has the topic "ticks.>.eu", which has ">" before its end`, fleet.ErrWorker, nil},
		{"* in a token", nil, worker(t, "a", "pairs:0/3", "ticks*"),
			`fleet: worker "a" has the topic "ticks*", which has "*" or ">" beside other characters in a token`, fleet.ErrWorker, nil},
		{"empty token beside a wildcard", nil, worker(t, "a", "pairs:0/3", "ticks..*"),
			`fleet: worker "a" has the topic "ticks..*", which has an empty token beside a wildcard`, fleet.ErrWorker, nil},
		{"a filter of MQTT", nil, worker(t, "a", "pairs:0/3", "ticks", "orders/#"),
			`fleet: worker "a" has the topic "orders/#", which is a pattern of MQTT or AMQP: write "orders" and "orders.>"`, fleet.ErrWorker, nil},

		{"the name runs",
			[]fleet.Worker{worker(t, "a", "pairs:0/3", "ticks")},
			worker(t, "a", "orders:1/2", "trades"),
			`fleet: worker "a" may not start: a worker of that name runs`,
			fleet.ErrRunning, &fleet.Conflict{"a", "a", "", "", -1, "", "", fleet.ErrRunning}},
		{"the name runs, dedicated",
			[]fleet.Worker{worker(t, "a", "dedicated", "ticks")},
			worker(t, "a", "dedicated", "ticks"),
			`fleet: worker "a" may not start: a worker of that name runs`,
			fleet.ErrRunning, &fleet.Conflict{"a", "a", "", "", -1, "", "", fleet.ErrRunning}},
		{"the slot is held",
			[]fleet.Worker{worker(t, "a", "pairs:1/3", "ticks")},
			worker(t, "b", "pairs:1/3", "trades", "ticks"),
			`fleet: worker "b" may not start: worker "a" holds slot 1 of group "pairs" on "ticks"`,
			fleet.ErrSlotHeld, &fleet.Conflict{"b", "a", "pairs", "ticks", 1, "", "", fleet.ErrSlotHeld}},
		{"one of several slots is held",
			[]fleet.Worker{worker(t, "a", "pairs:0-119/360", "ticks")},
			worker(t, "b", "pairs:119-300/360", "ticks"),
			`fleet: worker "b" may not start: worker "a" holds slot 119 of group "pairs" on "ticks"`,
			fleet.ErrSlotHeld, &fleet.Conflict{"b", "a", "pairs", "ticks", 119, "", "", fleet.ErrSlotHeld}},
		{"patterns overlap",
			[]fleet.Worker{worker(t, "a", "pairs:1/3", "ticks.*.fx")},
			worker(t, "b", "pairs:1/3", "ticks.eu.>"),
			`fleet: worker "b" may not start: worker "a" holds slot 1 of group "pairs" on "ticks.eu.fx"`,
			fleet.ErrSlotHeld, &fleet.Conflict{"b", "a", "pairs", "ticks.eu.fx", 1, "", "", fleet.ErrSlotHeld}},
		{"a pattern of which only short topics are commands",
			[]fleet.Worker{under(worker(t, "a", "pairs:1/3", "a.>"), rule(t, "subject,id bypass=a.*,a.*.*,a.*.*.*"))},
			under(worker(t, "b", "pairs:1/3", "a.>"), rule(t, "subject,id bypass=a.*,a.*.*,a.*.*.*")),
			`fleet: worker "b" may not start: worker "a" holds slot 1 of group "pairs" on "a.>"`,
			fleet.ErrSlotHeld, &fleet.Conflict{"b", "a", "pairs", "a.>", 1, "", "", fleet.ErrSlotHeld}},
		{"another size",
			[]fleet.Worker{worker(t, "a", "pairs:0/3", "ticks")},
			worker(t, "b", "pairs:1/5", "ticks"),
			`fleet: worker "b" may not start: its size is 5, that of worker "a" in group "pairs" on "ticks" is 3`,
			fleet.ErrSizeDiffers, &fleet.Conflict{"b", "a", "pairs", "ticks", -1, "5", "3", fleet.ErrSizeDiffers}},
		{"another rule",
			[]fleet.Worker{worker(t, "a", "pairs:0/3", "ticks")},
			under(worker(t, "b", "pairs:1/3", "ticks"), percent),
			`fleet: worker "b" may not start: its rule is "fnv1a32-fmix32 subject,id percent", that of worker "a" in group "pairs" on "ticks" is "fnv1a32-fmix32 subject,id"`,
			fleet.ErrRuleDiffers, &fleet.Conflict{"b", "a", "pairs", "ticks", -1, "fnv1a32-fmix32 subject,id percent", "fnv1a32-fmix32 subject,id", fleet.ErrRuleDiffers}},
		{"another plan",
			[]fleet.Worker{planned(worker(t, "a", "pairs:0/3", "ticks"), "3,5@120000")},
			worker(t, "b", "pairs:1/3", "ticks"),
			`fleet: worker "b" may not start: its plan is "", that of worker "a" in group "pairs" on "ticks" is "3,5@120000"`,
			fleet.ErrPlanDiffers, &fleet.Conflict{"b", "a", "pairs", "ticks", -1, "", "3,5@120000", fleet.ErrPlanDiffers}},
		{"the first in the way by name",
			[]fleet.Worker{worker(t, "c", "pairs:1/3", "ticks"), worker(t, "a", "pairs:2/3", "ticks")},
			worker(t, "b", "pairs:1/4", "ticks"),
			`fleet: worker "b" may not start: its size is 4, that of worker "a" in group "pairs" on "ticks" is 3`,
			fleet.ErrSizeDiffers, &fleet.Conflict{"b", "a", "pairs", "ticks", -1, "4", "3", fleet.ErrSizeDiffers}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r fleet.Registry
			start(t, &r, tt.running...)
			before, coverage := len(r.List()), text(r.Coverage())
			lines, err := r.Start(tt.w)
			if err == nil || err.Error() != tt.want || !errors.Is(err, tt.is) || lines != nil {
				t.Errorf("\n got %v, %v\nwant %v", lines, err, tt.want)
			}
			var got *fleet.Conflict
			if errors.As(err, &got); tt.as != nil && (got == nil || *got != *tt.as) {
				t.Errorf("\n got %+v\nwant %+v", got, tt.as)
			}
			if diff := cmp.Diff(coverage, text(r.Coverage())); diff != "" || len(r.List()) != before {
				t.Errorf("a refusal left something behind: %d workers, want %d; coverage\n%s", len(r.List()), before, diff)
			}
		})
	}
}

func TestFreeOfEachOther(t *testing.T) {
	for name, workers := range map[string][]fleet.Worker{
		"disjoint topics":         {worker(t, "a", "pairs:1/3", "ticks"), worker(t, "b", "pairs:1/3", "trades")},
		"disjoint patterns":       {worker(t, "a", "pairs:1/3", "ticks.eu.*"), worker(t, "b", "pairs:1/3", "ticks.us.*", "ticks.*")},
		"two groups":              {worker(t, "a", "pairs:1/3", "ticks"), worker(t, "b", "orders:1/3", "ticks")},
		"groups by name and dash": {worker(t, "a", "a-b:0/1", "c"), worker(t, "b", "a:0/1", "b-c")},
		"dedicated twice":         {worker(t, "a", "dedicated", "ticks"), worker(t, "b", "dedicated", "ticks")},
		"dedicated, a member":     {worker(t, "a", "dedicated", "ticks"), worker(t, "b", "pairs:0/1", "ticks")},
		"command topics shared":   {worker(t, "a", "pairs:1/3", "ticks", "wrk.*.command.*"), worker(t, "b", "pairs:1/3", "trades", "wrk.*.command.*")},
		"nothing held":            {worker(t, "a", "pairs:none/3", "ticks"), worker(t, "b", "pairs:none/3", "ticks")},
	} {
		t.Run(name, func(t *testing.T) {
			var r fleet.Registry
			start(t, &r, workers...)
		})
	}
}

func TestStopFreesThePlace(t *testing.T) {
	var r fleet.Registry
	start(t, &r, worker(t, "a", "pairs:1/3", "ticks"))
	if _, err := r.Stop("b"); !errors.Is(err, fleet.ErrNotRunning) {
		t.Errorf("stop of what does not run: %v, want ErrNotRunning", err)
	}
	if _, err := r.Stop("a"); err != nil {
		t.Fatal(err)
	}
	start(t, &r, worker(t, "b", "pairs:1/4", "ticks"), worker(t, "a", "pairs:0/4", "ticks"))
	if _, err := new(fleet.Registry).Stop("a"); !errors.Is(err, fleet.ErrNotRunning) {
		t.Errorf("stop in the zero Registry: %v, want ErrNotRunning", err)
	}
}

func TestStartDuring(t *testing.T) {
	percent := rule(t, "subject,id percent")
	shape := func(size int) fleet.Shape { return fleet.Shape{Size: size} }
	grow := fleet.Transition{From: shape(3), To: shape(6)}

	var r fleet.Registry
	start(t, &r, worker(t, "a", "pairs:0/3", "ticks"), worker(t, "b", "pairs:1/3", "ticks"))
	lines, err := r.StartDuring(grow, worker(t, "c", "pairs:0/6", "ticks"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"group pairs on [ticks] has 2 of 3 members running", "group pairs on [ticks] has 1 of 6 members running"}
	if diff := cmp.Diff(want, text(lines)); diff != "" {
		t.Errorf("during the change (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name string
		t    fleet.Transition
		w    fleet.Worker
		want string
		is   error
	}{
		{"a third size", grow, worker(t, "d", "pairs:0/4", "ticks"),
			`fleet: worker "d" has neither shape of the declared transition`, fleet.ErrWorker},
		{"a rule beside", grow, under(worker(t, "d", "pairs:1/6", "ticks"), percent),
			`fleet: worker "d" has neither shape of the declared transition`, fleet.ErrWorker},
		{"the slot is held in its size", grow, worker(t, "d", "pairs:0/6", "ticks"),
			`fleet: worker "d" may not start: worker "c" holds slot 0 of group "pairs" on "ticks"`, fleet.ErrSlotHeld},
		{"the slot is held in the old size", grow, worker(t, "d", "pairs:1/3", "ticks"),
			`fleet: worker "d" may not start: worker "b" holds slot 1 of group "pairs" on "ticks"`, fleet.ErrSlotHeld},
		{"what runs is of a third shape", fleet.Transition{From: shape(6), To: shape(12)}, worker(t, "d", "pairs:1/12", "ticks"),
			`fleet: worker "d" may not start: its size is 12, that of worker "a" in group "pairs" on "ticks" is 3`, fleet.ErrSizeDiffers},
		{"no worker", grow, fleet.Worker{Name: "d"}, `fleet: worker "d" has no filter`, fleet.ErrWorker},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := r.StartDuring(tt.t, tt.w); err == nil || err.Error() != tt.want || !errors.Is(err, tt.is) {
				t.Errorf("\n got %v\nwant %v", err, tt.want)
			}
		})
	}
	if _, err := r.Start(worker(t, "d", "pairs:1/6", "ticks")); !errors.Is(err, fleet.ErrSizeDiffers) {
		t.Errorf("start without the declaration: %v, want ErrSizeDiffers", err)
	}

	// A change of rule, and one of plan.
	var other fleet.Registry
	start(t, &other, worker(t, "a", "pairs:0/2", "ticks"))
	change := fleet.Transition{From: fleet.Shape{Size: 2}, To: fleet.Shape{Size: 2, Rule: percent}}
	if _, err := other.StartDuring(change, under(worker(t, "b", "pairs:0/2", "ticks"), percent)); err != nil {
		t.Errorf("the new rule on a held slot: %v", err)
	}
	start(t, &other, worker(t, "c", "orders:0/3", "ticks"))
	extend := fleet.Transition{From: fleet.Shape{Size: 3}, To: fleet.Shape{Size: 3, Plan: "3,5@9"}}
	if _, err := other.StartDuring(extend, planned(worker(t, "d", "orders:1/3", "ticks"), "3,5@9")); err != nil {
		t.Errorf("the new plan: %v", err)
	}
	if _, err := other.StartDuring(extend, planned(worker(t, "e", "orders:0/3", "ticks"), "3,5@9")); !errors.Is(err, fleet.ErrSlotHeld) {
		t.Errorf("the new plan on a held slot: %v, want ErrSlotHeld: size and rule are the same", err)
	}
}

func TestListIsTheCallers(t *testing.T) {
	var r fleet.Registry
	topics := []string{"ticks"}
	start(t, &r, worker(t, "b", "pairs:1/3", topics...), worker(t, "a", "pairs:0/3", topics...))
	topics[0] = "changed"
	list := r.List()
	list[0].Topics[0] = "changed"
	list = r.List()
	if got, want := len(list), 2; got != want {
		t.Fatalf("%d workers, want %d", got, want)
	}
	if list[0].Name != "a" || list[1].Name != "b" || list[0].Topics[0] != "ticks" || list[1].Topics[0] != "ticks" {
		t.Errorf("got %+v, want a and b on ticks", list)
	}
}

func TestWarn(t *testing.T) {
	var r fleet.Registry
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	lines := start(t, &r, worker(t, "a", "pairs:0/3", "ticks", "trades"), worker(t, "b", "pairs:2/3", "ticks"), worker(t, "c", "pairs:1/3", "ticks"))
	fleet.Warn(context.Background(), log, lines)
	want := `level=WARN msg="group pairs on [trades] has 1 of 3 members running" coverage.group=pairs coverage.topics=[trades] coverage.size=3 coverage.running=1 coverage.missing=1-2 coverage.rule="fnv1a32-fmix32 subject,id"` + "\n"
	if got := out.String(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// 64 goroutines compete for 16 slots; no slot ever has two workers that run.
func TestRegistryUnderConcurrency(t *testing.T) {
	const goroutines, slots, rounds = 64, 16, 50
	var r fleet.Registry
	var running [slots]atomic.Int32
	var started atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		w := worker(t, "w"+strconv.Itoa(g), "pairs:"+strconv.Itoa(g%slots)+"/"+strconv.Itoa(slots), "ticks")
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range rounds {
				lines, err := r.Start(w)
				if err != nil {
					if !errors.Is(err, fleet.ErrSlotHeld) {
						t.Errorf("start of %s: %v", w.Name, err)
					}
					continue
				}
				started.Add(1)
				if n := running[g%slots].Add(1); n != 1 {
					t.Errorf("slot %d has %d workers that run", g%slots, n)
				}
				if len(lines) != 1 || len(lines[0].Running)+len(lines[0].Missing) != slots {
					t.Errorf("coverage %v, want one line of %d slots", lines, slots)
				}
				r.List()
				r.Coverage()
				running[g%slots].Add(-1)
				if _, err := r.Stop(w.Name); err != nil {
					t.Errorf("stop of %s: %v", w.Name, err)
				}
			}
		}()
	}
	wg.Wait()
	if left := r.List(); len(left) != 0 {
		t.Errorf("%d workers are left", len(left))
	}
	if started.Load() == 0 {
		t.Error("no worker ever started")
	}
}
