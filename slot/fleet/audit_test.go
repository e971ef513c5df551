package fleet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
	"github.com/slotkey/slotkey/slot/resize"
)

// t0 is when the fleets of these tests started; audits are a minute later, with a ttl of 15 s.
var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const ttl = 15 * time.Second

func at(seconds int) time.Time { return t0.Add(time.Duration(seconds) * time.Second) }

// says returns an announcement of a member of pairs on ticks, seen a second before the audit; change alters it.
func says(worker string, size int, slots []int, change ...func(*fleet.Announcement)) fleet.Announcement {
	a := fleet.Announcement{
		Worker: worker, Incarnation: "i-" + worker, Rule: "fnv1a32-fmix32 subject,id",
		Group: "pairs", Size: size, Slots: slots, Topics: []string{"ticks"},
		Started: t0, Seen: at(59),
	}
	for _, c := range change {
		c(&a)
	}
	return a
}

// one returns members with one slot each: w0, w1, …
func one(size int, slots ...int) (all []fleet.Announcement) {
	for i, s := range slots {
		all = append(all, says(fmt.Sprint("w", i), size, []int{s}))
	}
	return all
}

func topics(topics ...string) func(*fleet.Announcement) {
	return func(a *fleet.Announcement) { a.Topics = topics }
}

func incarnation(name string, started, seen int) func(*fleet.Announcement) {
	return func(a *fleet.Announcement) { a.Incarnation, a.Started, a.Seen = name, at(started), at(seen) }
}

func lines(findings []fleet.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}

func TestAudit(t *testing.T) {
	type fleetOf = []fleet.Announcement
	seen := func(seconds int) func(*fleet.Announcement) {
		return func(a *fleet.Announcement) { a.Seen = at(seconds) }
	}
	plan := func(plan string, delivered uint64) func(*fleet.Announcement) {
		return func(a *fleet.Announcement) { a.Plan, a.Delivered = plan, commit.At(delivered) }
	}
	change := func(f func(*fleet.Announcement)) func(*fleet.Announcement) { return f }
	all := func(n int) (slots []int) {
		for s := range n {
			slots = append(slots, s)
		}
		return slots
	}
	for _, tt := range []struct {
		name  string
		fleet fleetOf
		want  []string
	}{
		{"nothing", nil, []string{}},
		{"all well", one(3, 0, 1, 2), []string{}},
		{"one is enough", one(1, 0), []string{}},
		{"two of three", one(3, 0, 1), []string{
			"group pairs on [ticks]: slot 2 of 3 has no member, so events wait: start a member with it",
		}},
		{"one of five", one(5, 2), []string{
			"group pairs on [ticks]: slots 0-1,3-4 of 5 have no member, so events wait: start members with them",
		}},
		{"index 0 twice", one(3, 0, 0, 1, 2), []string{
			"group pairs on [ticks]: slot 0 of 3 has 2 members, w0, w1, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"all index 0", one(3, 0, 0, 0), []string{
			"group pairs on [ticks]: slots 1-2 of 3 have no member, so events wait: start members with them",
			"group pairs on [ticks]: slot 0 of 3 has 3 members, w0, w1, w2, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"two doubled and two missing of seven", one(7, 0, 1, 0, 1, 2, 3, 4), []string{
			"group pairs on [ticks]: slots 5-6 of 7 have no member, so events wait: start members with them",
			"group pairs on [ticks]: slot 0 of 7 has 2 members, w0, w2, so events may be handled twice: stop all but one, or give each its own slots",
			"group pairs on [ticks]: slot 1 of 7 has 2 members, w1, w3, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"a size of 1 beside 3", fleetOf{says("a", 1, []int{0}), says("b", 3, []int{0}), says("c", 3, []int{1}), says("d", 3, []int{2})}, []string{
			"group pairs on [ticks]: sizes differ, 1 (a), 3 (b, c, d); 0 % of the keys have no owner, 100 % have several: finish the change, or give all members one size",
		}},
		{"one of four beside four of five", fleetOf{says("a", 4, []int{0}), says("b", 5, []int{1}), says("c", 5, []int{2}), says("d", 5, []int{3}), says("e", 5, []int{4})}, []string{
			"group pairs on [ticks]: sizes differ, 4 (a), 5 (b, c, d, e); 3/20 (15 %) of the keys have no owner, 1/5 (20 %) have several: finish the change, or give all members one size",
		}},
		{"64 beside 32", append(one(64, all(64)...), func() fleetOf {
			old := one(32, all(32)...)
			for i := range old {
				old[i].Worker = fmt.Sprint("old", i)
			}
			return old
		}()...), []string{
			"group pairs on [ticks]: sizes differ, 32 (old0, old1, old10, old11 and 28 more), 64 (w0, w1, w10, w11 and 60 more); 0 % of the keys have no owner, 100 % have several: finish the change, or give all members one size",
		}},
		{"sizes without a small common multiple", fleetOf{says("a", 1021, []int{0}), says("b", 1019, []int{0}), says("c", 1013, []int{0})}, []string{
			"group pairs on [ticks]: sizes differ, 1013 (c), 1019 (b), 1021 (a); keys have several owners or none: finish the change, or give all members one size",
		}},
		{"3 to 6, the new members first", append(one(3, 0, 1, 2), says("x", 6, []int{3}), says("y", 6, []int{4})), []string{
			"group pairs on [ticks]: sizes differ, 3 (w0, w1, w2), 6 (x, y); 0 % of the keys have no owner, 1/3 (33.3 %) have several: finish the change, or give all members one size",
		}},
		{"two members without each other's rule", fleetOf{says("a", 2, []int{0}), says("b", 2, []int{1}, func(a *fleet.Announcement) { a.Rule = "subject,id percent" })}, []string{
			`group pairs on [ticks]: rules differ, "fnv1a32-fmix32 subject,id" (a), "fnv1a32-fmix32 subject,id percent" (b); an event can have several owners or none: give all members one rule`,
		}},
		{"one rule, written in two ways", fleetOf{says("a", 2, []int{0}), says("b", 2, []int{1}, func(a *fleet.Announcement) { a.Rule = "subject,id" })}, []string{}},
		{"a rule of another version is compared as text", fleetOf{
			says("a", 2, []int{0}, func(a *fleet.Announcement) { a.Rule = "fnv2 subject" }),
			says("b", 2, []int{1}, func(a *fleet.Announcement) { a.Rule = "fnv2 subject" }),
		}, []string{}},

		// Several slots.
		{"slots dealt to two", fleetOf{says("a", 360, all(180)), says("b", 360, all(360)[180:])}, []string{}},
		{"slots of one held by the other", fleetOf{says("a", 6, []int{0, 1, 2, 3}), says("b", 6, []int{2, 3, 5})}, []string{
			"group pairs on [ticks]: slot 4 of 6 has no member, so events wait: start a member with it",
			"group pairs on [ticks]: slots 2-3 of 6 have 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"a member that owns nothing", append(one(2, 0, 1), says("x", 2, nil)), []string{}},

		// Topics.
		{"halves on two topics", fleetOf{says("a", 2, []int{0}), says("b", 2, []int{1}, topics("trades"))}, []string{
			"group pairs on [ticks]: slot 1 of 2 has no member, so events wait: start a member with it",
			"group pairs on [trades]: slot 0 of 2 has no member, so events wait: start a member with it",
		}},
		{"topics with equal findings are one line", fleetOf{says("a", 2, []int{0}, topics("trades", "ticks")), says("b", 2, []int{0}, topics("ticks", "trades"))}, []string{
			"group pairs on [ticks, trades]: slot 1 of 2 has no member, so events wait: start a member with it",
			"group pairs on [ticks, trades]: slot 0 of 2 has 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"disjoint topics are free of each other", fleetOf{says("a", 1, []int{0}), says("b", 1, []int{0}, topics("trades"))}, []string{}},
		{"topics that overlap by pattern", fleetOf{says("a", 1, []int{0}, topics("ticks.>")), says("b", 1, []int{0}, topics("ticks.eu"))}, []string{
			"group pairs on [ticks.eu]: slot 0 of 1 has 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"patterns that cross", fleetOf{says("a", 1, []int{0}, topics("ticks.*")), says("b", 1, []int{0}, topics("*.eu"))}, []string{
			"group pairs on [ticks.eu]: slot 0 of 1 has 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"patterns that cross, within one that is double anyway", fleetOf{
			says("a", 1, []int{0}, topics("ticks.*", "*.eu")), says("b", 1, []int{0}, topics("ticks.*", "*.eu")),
		}, []string{
			"group pairs on [*.eu, ticks.*]: slot 0 of 1 has 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"patterns that cross, and a slot that nobody holds", fleetOf{says("a", 3, []int{0}, topics("ticks.*")), says("b", 3, []int{1}, topics("*.eu"))}, []string{
			"group pairs on [*.eu]: slots 0,2 of 3 have no member, so events wait: start members with them",
			"group pairs on [ticks.*]: slots 1-2 of 3 have no member, so events wait: start members with them",
		}},
		{"patterns that cross, and a topic beside", fleetOf{says("a", 1, []int{0}, topics("ticks.*", "trades")), says("b", 1, []int{0}, topics("*.eu", "trades"))}, []string{
			"group pairs on [ticks.eu, trades]: slot 0 of 1 has 2 members, a, b, so events may be handled twice: stop all but one, or give each its own slots",
		}},
		{"topics of commands alone", fleetOf{says("a", 2, []int{0}, topics("ticks", "wrk.pairs.command.a")), says("b", 2, []int{1}, topics("ticks", "wrk.pairs.command.b"))}, []string{}},

		// Groups and names.
		{"two groups", fleetOf{says("a", 1, []int{0}), says("b", 2, []int{0}, change(func(a *fleet.Announcement) { a.Group = "orders" }))}, []string{
			"group orders on [ticks]: slot 1 of 2 has no member, so events wait: start a member with it",
		}},
		{"one process in two groups", fleetOf{says("a", 1, []int{0}), says("a", 1, []int{0}, change(func(a *fleet.Announcement) { a.Group = "orders" }))}, []string{}},
		{"names with dashes and dots", fleetOf{
			says("c", 1, []int{0}, change(func(a *fleet.Announcement) { a.Group = "a-b" })),
			says("b-c", 1, []int{0}, change(func(a *fleet.Announcement) { a.Group = "a" })),
			says("b.c", 1, []int{0}, change(func(a *fleet.Announcement) { a.Group = "a.b" })),
		}, []string{}},
		{"dedicated workers", fleetOf{says("a", 1, []int{0}), says("b", 0, nil, change(func(a *fleet.Announcement) { a.Group = "" })), says("c", 0, nil, change(func(a *fleet.Announcement) { a.Group = "" }))}, []string{}},

		// Time.
		{"one is dead", append(one(3, 0, 1), says("w2", 3, []int{2}, seen(44))), []string{
			"group pairs on [ticks]: slot 2 of 3 has no member, so events wait: start w2 again, or another in its place",
			"worker w2 of group pairs was last seen 16s ago: start it again, or forget it if its slots have other members",
		}},
		{"the dead one was of another size", append(one(3, 0, 1), says("w2", 4, []int{2}, seen(44))), []string{
			"group pairs on [ticks]: slot 2 of 3 has no member, so events wait: start a member with it",
			"worker w2 of group pairs was last seen 16s ago: start it again, or forget it if its slots have other members",
		}},
		{"just within the ttl", append(one(3, 0, 1), says("w2", 3, []int{2}, seen(45))), []string{}},
		{"seen in the future", append(one(3, 0, 1), says("w2", 3, []int{2}, seen(100))), []string{}},
		{"all are dead", fleetOf{says("a", 2, []int{0}, seen(0)), says("b", 2, []int{1}, seen(1))}, []string{
			"group pairs on [ticks]: slots 0-1 of 2 have no member, so events wait: start a, b again, or another in its place",
			"worker a of group pairs was last seen 1m0s ago: start it again, or forget it if its slots have other members",
			"worker b of group pairs was last seen 59s ago: start it again, or forget it if its slots have other members",
		}},
		{"a dead member and its successor", fleetOf{says("a", 1, []int{0}), says("b", 1, []int{0}, seen(0))}, []string{
			"worker b of group pairs was last seen 1m0s ago: start it again, or forget it if its slots have other members",
		}},
		{"a dedicated worker is dead", fleetOf{says("b", 0, nil, change(func(a *fleet.Announcement) { a.Group = "" }), seen(0))}, []string{
			"worker b was last seen 1m0s ago: start it again, or forget it if its slots have other members",
		}},

		// Incarnations.
		{"a restart", fleetOf{says("w0", 1, []int{0}, incarnation("old", 0, 50)), says("w0", 1, []int{0}, incarnation("new", 51, 59))}, []string{}},
		{"a restart at the very moment", fleetOf{says("w0", 1, []int{0}, incarnation("old", 0, 50)), says("w0", 1, []int{0}, incarnation("new", 50, 59))}, []string{}},
		{"a restart with another index", fleetOf{says("w0", 2, []int{0}, incarnation("old", 0, 50)), says("w0", 2, []int{1}, incarnation("new", 51, 59))}, []string{
			"group pairs on [ticks]: slot 0 of 2 has no member, so events wait: start a member with it",
		}},
		{"two live after a forced deletion", fleetOf{says("web-0", 1, []int{0}, incarnation("old", 0, 58)), says("web-0", 1, []int{0}, incarnation("new", 30, 59))}, []string{
			"group pairs on [ticks]: slot 0 of 1 has 2 members, all named web-0 (new, old), so events may be handled twice: end the old one, or give each worker its own name and slots",
		}},
		{"a restart on a node with a slow clock, stamped by the worker", fleetOf{says("web-0", 1, []int{0}, incarnation("old", 0, 50)), says("web-0", 1, []int{0}, incarnation("new", -600, 59))}, []string{
			"group pairs on [ticks]: slot 0 of 1 has 2 members, all named web-0 (new, old), so events may be handled twice: end the old one, or give each worker its own name and slots",
		}},
		{"the same, stamped by the observer", fleetOf{
			says("web-0", 1, []int{0}, incarnation("old", 0, 50)),
			says("web-0", 1, []int{0}, incarnation("new", -600, -592)).SeenAt(at(59)), // it has run for 8 s
		}, []string{}},
		{"of two, the newer has died again", fleetOf{says("web-0", 1, []int{0}, incarnation("old", 0, 59)), says("web-0", 1, []int{0}, incarnation("new", 10, 20))}, []string{}},
		{"three incarnations, each replaced", fleetOf{
			says("w0", 1, []int{0}, incarnation("a", 0, 10)), says("w0", 1, []int{0}, incarnation("b", 12, 20)), says("w0", 1, []int{0}, incarnation("c", 22, 59)),
		}, []string{}},
		{"all pods have one name", fleetOf{says("w", 3, []int{0}, incarnation("a", 0, 59)), says("w", 3, []int{1}, incarnation("b", 1, 59)), says("w", 3, []int{2}, incarnation("c", 2, 59))}, []string{
			"worker w (a, b, c) of group pairs runs more than once, on different slots: give each worker its own name",
		}},
		{"an older announcement of one incarnation", fleetOf{says("w0", 2, []int{1}, incarnation("a", 0, 59)), says("w0", 2, []int{0}, incarnation("a", 0, 50)), says("w1", 2, []int{0})}, []string{}},

		// Plans.
		{"one plan, before its switch", fleetOf{says("a", 1, []int{0}, plan("1,2@100", 50)), says("b", 1, nil, plan("1,2@100", 60))}, []string{}},
		{"one plan, in its switch", fleetOf{says("a", 1, []int{0}, plan("1,2@100", 99)), says("b", 2, []int{1}, plan("1,2@100", 100))}, []string{
			`group pairs on [ticks]: a switch of the plan is under way, generation 0 of "1,2@100" (a), generation 1 of "1,2@100" (b): nothing to do while all move on`,
		}},
		{"one plan, after its switch", fleetOf{says("a", 2, []int{0}, plan("1,2@100", 120)), says("b", 2, []int{1}, plan("1,2@100", 100))}, []string{}},
		{"a deal in its switch", fleetOf{says("a", 4, []int{0, 1, 2, 3}, plan("4/1,4/2@100", 99)), says("b", 4, []int{2, 3}, plan("4/1,4/2@100", 100))}, []string{
			`group pairs on [ticks]: a switch of the plan is under way, generation 0 of "4/1,4/2@100" (a), generation 1 of "4/1,4/2@100" (b): nothing to do while all move on`,
		}},
		{"double on one side of a switch", fleetOf{says("a", 1, []int{0}, plan("1,2@100", 99)), says("b", 2, []int{1}, plan("1,2@100", 100)), says("c", 2, []int{1}, plan("1,2@100", 100))}, []string{
			"group pairs on [ticks]: slot 1 of 2 has 2 members, b, c, so events may be handled twice: stop all but one, or give each its own slots",
			`group pairs on [ticks]: a switch of the plan is under way, generation 0 of "1,2@100" (a), generation 1 of "1,2@100" (b, c): nothing to do while all move on`,
		}},
		{"one lacks the text", fleetOf{says("a", 2, []int{0}, plan("2", 50)), says("b", 2, []int{1}, plan("2,3@100", 60))}, []string{
			`group pairs on [ticks]: plans differ, "2" (a), "2,3@100" (b); each is the beginning of the longest: give it to a before position 100`,
		}},
		{"one has no plan at all", fleetOf{says("a", 2, []int{0}), says("b", 2, []int{1}, plan("2,3@1700000000000-5,4@1700000000001", 60))}, []string{
			`group pairs on [ticks]: plans differ, "" (a), "2,3@1700000000000-5,4@1700000000001" (b); each is the beginning of the longest: give it to a before position 1700000000000-5`,
		}},
		{"one lacked the text at the switch", fleetOf{says("a", 2, []int{0}, plan("2", 105)), says("b", 2, []int{1}, plan("2,3@100", 60))}, []string{
			`group pairs on [ticks]: plans differ, "2" (a), "2,3@100" (b); each is the beginning of the longest: give it to a before position 100, which a has reached already (105)`,
		}},
		{"one lacked the text at the very position", fleetOf{says("a", 2, []int{0}, plan("2", 100)), says("b", 2, []int{1}, plan("2,3@100", 60))}, []string{
			`group pairs on [ticks]: plans differ, "2" (a), "2,3@100" (b); each is the beginning of the longest: give it to a before position 100, which a has reached already (100)`,
		}},
		{"plans that contradict", fleetOf{says("a", 2, []int{0}, plan("2,4@100", 50)), says("b", 2, []int{1}, plan("2,30@100", 60))}, []string{
			`group pairs on [ticks]: plans differ, "2,4@100" (a), "2,30@100" (b); they contradict each other: give all members one plan`,
		}},
		{"a plan that extends no one's", fleetOf{says("a", 2, []int{0}, plan("2,x", 50)), says("b", 2, []int{1}, plan("2", 60))}, []string{
			`group pairs on [ticks]: plans differ, "2" (b), "2,x" (a); give all members the longest`,
		}},

		// What cannot be.
		{"indexes from 1", one(3, 1, 2, 3), []string{
			"worker w2 of group pairs announces slot 3, outside its size of 3: slots count from 0, so give it one from 0 to 2",
			"group pairs on [ticks]: slot 0 of 3 has no member, so events wait: start a member with it",
		}},
		{"slots outside on both ends", fleetOf{says("a", 2, []int{-1, 0, 1, 2, 7, 7})}, []string{
			"worker a of group pairs announces slots -1,2,7, outside its size of 2: slots count from 0, so give it one from 0 to 1",
		}},
		{"a slot twice", fleetOf{says("a", 2, []int{1, 0, 1})}, []string{
			"worker a of group pairs: slot 1 is there twice: mend its announcement",
		}},
		{"a size too large", fleetOf{says("a", 2000, []int{0})}, []string{
			"worker a of group pairs: group_size 2000 is above the limit of 1024: mend its announcement",
		}},
		{"a size without a name", fleetOf{says("a", 2, []int{0}, change(func(a *fleet.Announcement) { a.Group = "" }))}, []string{
			`worker a: group "" is empty; a group that has a size has a name of 1 to 64 characters: mend its announcement`,
		}},
		{"no name, no incarnation, no rule, no topic", fleetOf{{Group: "pairs", Size: 1, Slots: []int{0}, Started: t0, Seen: at(59)}}, []string{
			`worker "" of group pairs: the incarnation is empty, so that a restart cannot be told from a second worker: mend its announcement`,
			`worker "" of group pairs: the name is empty: mend its announcement`,
			`worker "" of group pairs: the rule is empty: mend its announcement`,
			`worker "" of group pairs: there is no topic: mend its announcement`,
		}},
		{"a bad pattern beside a good topic", fleetOf{says("a", 1, []int{0}, topics("ticks*", "ticks"))}, []string{
			`worker a of group pairs: the topic "ticks*" has "*" or ">" beside other characters in a token: mend its announcement`,
		}},
		{"a filter of MQTT", fleetOf{says("a", 1, []int{0}, topics("ticks/+", "ticks"))}, []string{
			`worker a of group pairs: the topic "ticks/+" is a pattern of MQTT or AMQP: write "ticks.*": mend its announcement`,
		}},
		{"names that would break the line", append(one(1, 0), says("a\nb", 1, []int{0}), says("c, d", 1, []int{0})), []string{
			`group pairs on [ticks]: slot 0 of 1 has 3 members, "a\nb", "c, d", w0, so events may be handled twice: stop all but one, or give each its own slots`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lines(fleet.Audit(at(60), ttl, tt.fleet))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAuditWithoutTTL(t *testing.T) {
	long := []fleet.Announcement{says("a", 1, []int{0})}
	for _, ttl := range []time.Duration{0, -1} {
		if got := fleet.Audit(at(1e6), ttl, long); got != nil {
			t.Errorf("ttl %v: %v, want nothing", ttl, lines(got))
		}
	}
}

func TestFindingJSON(t *testing.T) {
	mixed := []fleet.Announcement{says("a", 1, []int{0}), says("b", 2, []int{0})}
	got, err := json.Marshal(fleet.Audit(at(60), ttl, mixed))
	want := `[{"kind":"mixed sizes","group":"pairs","topics":["ticks"],"parts":[{"value":"1","instances":[{"worker":"a","incarnation":"i-a"}]},` +
		`{"value":"2","instances":[{"worker":"b","incarnation":"i-b"}]}],"unowned":"0","several":"1/2"}]`
	if err != nil || string(got) != want {
		t.Errorf("\n got %s, %v\nwant %s", got, err, want)
	}
}

// A plan is read once in an audit, however many announce it.
func TestAnAuditReadsAPlanOnce(t *testing.T) {
	parts := []string{"360/1"}
	for n := 2; n <= 20; n++ {
		parts = append(parts, fmt.Sprintf("360/%d@%d", n, n))
	}
	text := strings.Join(parts, ",")
	allocs := func(workers int) float64 {
		var heard []fleet.Announcement
		for i := range workers {
			heard = append(heard, says(fmt.Sprint("w", i), 360, []int{i}, func(a *fleet.Announcement) { a.Plan = text }))
		}
		return testing.AllocsPerRun(5, func() { fleet.Audit(at(60), ttl, heard) })
	}
	reading := testing.AllocsPerRun(5, func() {
		if _, err := resize.ParsePlan(text); err != nil {
			t.Error(err)
		}
	})
	if one := (allocs(21) - allocs(1)) / 20; one >= reading {
		t.Errorf("each announcement more costs %.0f allocations; to read its plan costs %.0f", one, reading)
	}
}

// What the tool and other programs write is read back. An age is text: a bare number would not say its unit.
func TestFindingsAreReadBack(t *testing.T) {
	heard := append(one(5, 0, 0, 3),
		says("x", 3, []int{0, 7}, topics("trades")), says("y", 2, []int{1}, topics("trades")),
		says("z", 2, nil, func(a *fleet.Announcement) { a.Seen = at(1).Add(-500 * time.Millisecond) }))
	want := fleet.Audit(at(60), ttl, heard)
	data, err := json.Marshal(want)
	if err != nil || !bytes.Contains(data, []byte(`"age":"59.5s"`)) || !bytes.Contains(data, []byte(`"several":"1/6"`)) {
		t.Errorf("got %s, %v", data, err)
	}
	var got []fleet.Finding
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, text := range []string{`{"kind":"stale","age":59500000000}`, `{"kind":"stale","age":"59"}`, `{"kind":"stale","age":""}`, `[]`, `{"several":"2/1"}`} {
		got := fleet.Finding{Kind: fleet.Missing}
		if err := json.Unmarshal([]byte(text), &got); err == nil || got.Kind != fleet.Missing {
			t.Errorf("%s: got %+v, %v, want an error", text, got, err)
		}
	}
}

// A topic's ">" is escaped only where the caller's encoder does so.
func TestFindingJSONOfAPattern(t *testing.T) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fleet.Audit(at(60), ttl, []fleet.Announcement{says("a", 2, []int{0}, topics("ticks.>"))})); err != nil {
		t.Fatal(err)
	}
	if want := `[{"kind":"missing","group":"pairs","topics":["ticks.>"],"group_size":2,"slots":[1]}]` + "\n"; out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

func TestFindingLogValue(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}}))
	for _, f := range fleet.Audit(at(60), ttl, one(5, 0, 0, 3)) {
		log.Warn(f.String(), "finding", f)
	}
	want := "level=WARN finding.kind=missing finding.group=pairs finding.topics=[ticks] finding.size=5 finding.slots=1-2,4 finding.workers=\"\"\n" +
		"level=WARN finding.kind=doubled finding.group=pairs finding.topics=[ticks] finding.size=5 finding.slots=0 finding.workers=\"w0, w1\"\n"
	if got := out.String(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
