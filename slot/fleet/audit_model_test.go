package fleet_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot/fleet"
)

// Facts are single statements, so that two ways of saying the same compare as sets.
type facts map[string]bool

func (f facts) add(parts ...any) { f[strings.TrimSpace(fmt.Sprintln(parts...))] = true }

// naiveFacts looks at every pair of announcements and every event topic that exists (see carries).
func naiveFacts(now time.Time, ttl time.Duration, all []fleet.Announcement) facts {
	out := facts{}
	var live, stale []fleet.Announcement
	for _, a := range all {
		gone, alive := false, now.Sub(a.Seen) <= ttl
		siblingLives, last := false, true
		for _, b := range all {
			if a.Group != b.Group || a.Worker != b.Worker || a.Incarnation == b.Incarnation {
				continue
			}
			gone = gone || b.Started.After(a.Started) && !a.Seen.After(b.Started)
			siblingLives = siblingLives || now.Sub(b.Seen) <= ttl && !isReplaced(b, all)
			if !isReplaced(b, all) && (b.Seen.After(a.Seen) || b.Seen.Equal(a.Seen) && b.Incarnation > a.Incarnation) {
				last = false
			}
		}
		switch {
		case gone:
		case alive:
			live = append(live, a)
		case !siblingLives && last:
			out.add("stale", a.Group, a.Worker, a.Incarnation)
			stale = append(stale, a)
		}
	}
	for _, a := range live {
		for _, b := range live {
			if a.Group == "" || a.Group != b.Group || a.Incarnation >= b.Incarnation {
				continue
			}
			pair := []any{a.Group, a.Worker, a.Incarnation, b.Worker, b.Incarnation}
			common := false // a doubled slot, on any topic
			for e := range eventsOf(a.Topics) {
				if !eventsOf(b.Topics)[e] {
					continue
				}
				for _, s := range a.Slots {
					if a.Size == b.Size && slices.Contains(b.Slots, s) {
						out.add(append([]any{"doubled", e, a.Size, s}, pair...)...)
						common = true
					}
				}
				if a.Size != b.Size {
					out.add(append([]any{"sizes", e}, pair...)...)
				}
				if a.Rule != b.Rule {
					out.add(append([]any{"rules", e}, pair...)...)
				}
				if a.Plan != b.Plan {
					out.add(append([]any{"plans", e}, pair...)...)
				}
			}
			if a.Worker == b.Worker && !common {
				out.add("apart", a.Group, a.Worker)
			}
			if a.Worker == b.Worker && common {
				out.add("together", a.Group, a.Worker)
			}
		}
	}
	for i, a := range slices.Concat(live, stale) {
		for _, topic := range a.Topics {
			if a.Group == "" || len(carries[topic]) == 0 {
				continue
			}
			receivers := func(from []fleet.Announcement) []fleet.Announcement {
				return slices.DeleteFunc(slices.Clone(from), func(b fleet.Announcement) bool {
					return b.Group != a.Group || !receivesAll(b.Topics, topic)
				})
			}
			held, sizes := map[int]bool{}, map[int]bool{}
			for _, b := range receivers(live) {
				sizes[b.Size] = true
				for _, s := range b.Slots {
					held[s] = true
				}
			}
			if i >= len(live) { // the dead count where nobody else received the topic
				if len(sizes) > 0 {
					continue
				}
				for _, b := range receivers(stale) {
					sizes[b.Size] = true
				}
			}
			for size := range sizes {
				for s := range size {
					if len(sizes) == 1 && !held[s] {
						out.add("missing", a.Group, topic, size, s)
					}
				}
			}
		}
	}
	return out
}

func isReplaced(a fleet.Announcement, all []fleet.Announcement) bool {
	return slices.ContainsFunc(all, func(b fleet.Announcement) bool {
		return a.Group == b.Group && a.Worker == b.Worker && b.Started.After(a.Started) && !a.Seen.After(b.Started)
	})
}

func eventsOf(topics []string) map[string]bool { return modelWorker{topics: topics}.events() }

func receivesAll(topics []string, topic string) bool {
	events := eventsOf(topics)
	return !slices.ContainsFunc(carries[topic], func(e string) bool { return !events[e] })
}

// auditFacts takes findings apart into the same statements.
func auditFacts(findings []fleet.Finding) facts {
	out := facts{}
	for _, f := range findings {
		switch f.Kind {
		case fleet.Stale:
			i := f.Instances()[0]
			out.add("stale", f.Group, i.Worker, i.Incarnation)
		case fleet.Missing:
			for _, topic := range f.Topics {
				for _, s := range f.Slots {
					out.add("missing", f.Group, topic, f.Size, s)
				}
			}
		case fleet.Doubled:
			for _, s := range f.Slots {
				addPairs(out, f, []fleet.Part{{Instances: f.Instances()}}, "doubled", f.Size, s)
			}
		case fleet.Twins:
			out.add("apart", f.Group, f.Instances()[0].Worker)
		case fleet.MixedSizes:
			addPairs(out, f, f.Parts, "sizes")
		case fleet.MixedRules:
			addPairs(out, f, f.Parts, "rules")
		case fleet.MixedPlans:
			addPairs(out, f, f.Parts, "plans")
		default:
			out.add("unexpected", f)
		}
	}
	return out
}

// addPairs states a finding for each pair of instances of different parts (of the one part, where
// there is one) and each event topic.
func addPairs(out facts, f fleet.Finding, parts []fleet.Part, what string, more ...any) {
	for _, topic := range f.Topics {
		for _, e := range carries[topic] {
			for i, p := range parts {
				for j, q := range parts {
					if i == j && len(parts) > 1 {
						continue
					}
					for _, a := range p.Instances {
						for _, b := range q.Instances {
							if a.Incarnation < b.Incarnation {
								out.add(append(append([]any{what, e}, more...), f.Group, a.Worker, a.Incarnation, b.Worker, b.Incarnation)...)
							}
						}
					}
				}
			}
		}
	}
}

// agree compares the two, apart from how twins are told: workers that run more than once are "together" where they have
// a doubled slot, and only else a finding of their own.
func agree(t *rapid.T, now time.Time, all []fleet.Announcement, findings []fleet.Finding) {
	want := naiveFacts(now, ttl, all)
	for fact := range maps.Clone(want) {
		if worker, ok := strings.CutPrefix(fact, "together "); ok {
			delete(want, fact)
			delete(want, "apart "+worker) // of three incarnations, two may share a slot
		}
	}
	if diff := cmp.Diff(want, auditFacts(findings)); diff != "" {
		t.Fatalf("%+v\n(-model +audit):\n%s", all, diff)
	}
}

var modelTopics = []string{"ticks", "ticks.eu", "ticks.*", ">", "trades", "wrk.a.command.b"}

func drawAnnouncement(t *rapid.T, incarnation string) fleet.Announcement {
	a := fleet.Announcement{
		Worker:      rapid.SampledFrom([]string{"w", "x", "y", "w-x"}).Draw(t, "worker"),
		Incarnation: incarnation,
		Rule:        rapid.SampledFrom([]string{"fnv1a32-fmix32 subject,id", "fnv1a32-fmix32 subject,id", "fnv1a32-fmix32 source+id"}).Draw(t, "rule"),
		Topics:      rapid.SliceOfNDistinct(rapid.SampledFrom(modelTopics), 1, 3, rapid.ID[string]).Draw(t, "topics"),
	}
	if a.Size = rapid.SampledFrom([]int{0, 2, 2, 2, 3}).Draw(t, "size"); a.Size == 0 {
		return a
	}
	a.Group = rapid.SampledFrom([]string{"g", "g", "g-w"}).Draw(t, "group")
	a.Slots = rapid.SliceOfNDistinct(rapid.IntRange(0, a.Size-1), 0, 2, rapid.ID[int]).Draw(t, "slots")
	a.Plan = rapid.SampledFrom([]string{"", "", "2"}).Draw(t, "plan")
	return a
}

// Any heap of announcements.
func TestAuditAgainstTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []fleet.Announcement
		for i := range rapid.IntRange(0, 8).Draw(t, "n") {
			a := drawAnnouncement(t, fmt.Sprint("i", i))
			started := rapid.IntRange(0, 40).Draw(t, "started")
			a.Started, a.Seen = at(started), at(started+rapid.IntRange(0, 40).Draw(t, "ran"))
			all = append(all, a)
		}
		now := at(rapid.IntRange(0, 80).Draw(t, "now"))
		findings := fleet.Audit(now, ttl, all)
		agree(t, now, all, findings)

		shuffled := rapid.Permutation(all).Draw(t, "shuffled")
		if diff := cmp.Diff(findings, fleet.Audit(now, ttl, shuffled)); diff != "" {
			t.Fatalf("in another order (-first +second):\n%s", diff)
		}
		for _, f := range findings {
			if line := f.String(); strings.ContainsAny(line, "\n\r") || line == "" {
				t.Fatalf("%q is not a line", line)
			}
		}
	})
}

// A process is a worker that runs, with a clock of its own.
type process struct {
	a    fleet.Announcement
	skew time.Duration
}

func (p process) announce(now time.Time) fleet.Announcement {
	p.a.Seen = now.Add(p.skew)
	return p.a
}

// Workers start, restart, die and come double, with clocks that are wrong; an observer collects
// what they announce. At every step Audit says what the model says of the announcements, and
// whenever all who live have announced for longer than the ttl, it says what is true of the
// processes.
func TestAuditFollowsAFleet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := t0
		running := map[string]process{}             // by incarnation
		observed := map[string]fleet.Announcement{} // the same
		started := 0
		begin := func(t *rapid.T, like *fleet.Announcement) {
			incarnation := fmt.Sprintf("i%04d", started)
			started++
			var a fleet.Announcement
			if like != nil {
				a = *like
				a.Incarnation = incarnation
			} else {
				a = drawAnnouncement(t, incarnation)
			}
			p := process{a, time.Duration(rapid.IntRange(-100, 100).Draw(t, "skew")) * time.Minute}
			p.a.Started = now.Add(p.skew)
			running[incarnation] = p
			observed[incarnation] = p.announce(now).SeenAt(now)
		}
		tick := func() {
			now = now.Add(5 * time.Second)
			for incarnation, p := range running {
				observed[incarnation] = p.announce(now).SeenAt(now)
			}
		}
		pick := func(t *rapid.T) (string, bool) {
			names := slices.Sorted(maps.Keys(running))
			if len(names) == 0 {
				return "", false
			}
			return rapid.SampledFrom(names).Draw(t, "process"), true
		}
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) { begin(t, nil) },
			"kill": func(t *rapid.T) {
				if name, ok := pick(t); ok {
					delete(running, name)
				}
			},
			"restart": func(t *rapid.T) {
				if name, ok := pick(t); ok {
					a := running[name].a
					delete(running, name)
					begin(t, &a)
				}
			},
			"start a second one of the same name": func(t *rapid.T) { // a pod deleted by force
				if name, ok := pick(t); ok {
					a := running[name].a
					begin(t, &a)
				}
			},
			"time passes": func(t *rapid.T) { tick() },
			"all is quiet": func(t *rapid.T) {
				for range 5 {
					tick()
				}
				var truth []fleet.Announcement
				for _, name := range slices.Sorted(maps.Keys(running)) {
					truth = append(truth, running[name].announce(now).SeenAt(now))
				}
				heard := slices.DeleteFunc(fleet.Audit(now, ttl, slices.Collect(maps.Values(observed))), func(f fleet.Finding) bool {
					return f.Kind == fleet.Stale || f.Kind == fleet.Missing // which also tell of the dead
				})
				want := slices.DeleteFunc(fleet.Audit(now, ttl, truth), func(f fleet.Finding) bool { return f.Kind == fleet.Missing })
				if diff := cmp.Diff(lines(want), lines(heard)); diff != "" {
					t.Fatalf("(-true +heard):\n%s", diff)
				}
			},
			"": func(t *rapid.T) {
				all := slices.Collect(maps.Values(observed))
				agree(t, now, all, fleet.Audit(now, ttl, all))
			},
		})
	})
}
