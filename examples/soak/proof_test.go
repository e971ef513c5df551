package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/slot/commit"
)

// good is a run of 40 events about 8 entities, by 2 members, all as it should be.
func good(t *testing.T) outcome {
	t.Helper()
	start := time.Unix(0, 0)
	o := outcome{members: 2, records: map[string][]record{}, faults: map[fault]int{}, elapsed: time.Second, drained: time.Second}
	for m := range 2 {
		o.lives = append(o.lives, &life{member: m, incarnation: fmt.Sprint("a", m), start: start, end: start.Add(time.Minute)})
	}
	for n := uint64(1); n <= 40; n++ {
		p := published{n, fmt.Sprint("entity-", n%8)}
		body, err := p.body()
		if err != nil {
			t.Fatal(err)
		}
		o.published = append(o.published, p.entity)
		at := place{Position: commit.At(n)}
		o.log = append(o.log, logged{at, body})
		by := fmt.Sprint("a", owner(p.entity, 2))
		o.records[by] = append(o.records[by], record{Number: n, Entity: p.entity, place: at, Deliveries: 1, Cursor: n, First: 1})
	}
	return o
}

// of returns the records of who handled an event, and the event's place there.
func (o *outcome) of(n uint64) (incarnation string, i int) {
	for incarnation, records := range o.records {
		for i, r := range records {
			if r.Number == n {
				return incarnation, i
			}
		}
	}
	panic("nobody handled it")
}

func TestProof(t *testing.T) {
	// again adds a second handling of event 33, after a change to its record, by the same process
	// or by one that started later.
	again := func(o *outcome, after time.Duration, change func(*record)) {
		by, i := o.of(33)
		r := o.records[by][i]
		change(&r)
		if after != 0 {
			o.lives = append(o.lives, &life{member: owner(r.Entity, 2), incarnation: "b", start: time.Unix(0, 0).Add(after)})
			by = "b"
		}
		o.records[by] = append(o.records[by], r)
	}
	for _, test := range []struct {
		name  string
		spoil func(o *outcome)
		want  string // the beginnings of the problems
	}{
		{"good", func(*outcome) {}, ""},
		{"lost", func(o *outcome) {
			by, i := o.of(7)
			o.records[by] = append(o.records[by][:i], o.records[by][i+1:]...)
		}, "handled by nobody: 1 (first: event 7, entity-7,"},
		{"by another", func(o *outcome) { o.lives[0].member, o.lives[1].member = 1, 0 }, "handled by another than its owner: 40"},
		{"by two", func(o *outcome) {
			by, i := o.of(40)
			r := o.records[by][i]
			r.Deliveries = 2
			other := map[string]string{"a0": "a1", "a1": "a0"}[by]
			o.records[other] = append(o.records[other], r)
		}, "handled by two members: 1"},
		{"twice", func(o *outcome) { again(o, 0, func(r *record) { r.Cursor = 99 }) }, "handled again without evidence that it was delivered again: 1 (first: event 33"},
		{"twice, delivered twice", func(o *outcome) { again(o, 0, func(r *record) { r.Cursor, r.Deliveries = 99, 2 }) }, ""},
		{"three times, delivered twice", func(o *outcome) {
			again(o, 0, func(r *record) { r.Cursor, r.Deliveries = 99, 2 })
			again(o, 0, func(r *record) { r.Cursor, r.Deliveries = 100, 2 })
		}, "handled again without evidence that it was delivered again: 1 (first: event 33"},
		{"twice, by a count that did not fall", func(o *outcome) { again(o, 0, func(*record) {}) }, "handled again without"},
		{"twice, by a count that fell", func(o *outcome) { again(o, 0, func(r *record) { r.First, r.Falls, r.Cursor = 30, 1, 35 }) }, ""},
		{"twice, by a count that fell less far", func(o *outcome) { again(o, 0, func(r *record) { r.First, r.Falls, r.Cursor = 34, 1, 35 }) }, "handled again without"},
		{"after a restart, by a count that fell", func(o *outcome) { again(o, time.Hour, func(r *record) { r.First, r.Cursor = 33, 33 }) }, ""},
		{"after a restart that does not explain it", func(o *outcome) { again(o, time.Hour, func(r *record) { r.Cursor, r.First = 99, 99 }) }, "handled again without"},
		{"after a restart at the committed position", func(o *outcome) { again(o, time.Hour, func(r *record) { r.Cursor, r.First, r.From = 0, 0, 34 }) }, ""},
		{"after a restart behind it", func(o *outcome) { again(o, time.Hour, func(r *record) { r.Cursor, r.First, r.From = 0, 0, 35 }) }, "handled again without"},
		{"by a process that ran at the same time", func(o *outcome) { again(o, time.Second, func(r *record) { r.Cursor, r.First, r.From = 0, 0, 34 }) }, "handled again without"},
		{"out of order", func(o *outcome) { swap(o, 1) }, "out of order, without evidence that it was delivered again: 1 (first: event 25 after 33, entity-1)"},
		{"out of order, delivered again", func(o *outcome) { swap(o, 2) }, ""},
		{"another entity", func(o *outcome) {
			by, i := o.of(9)
			o.records[by][i].Entity = "entity-x"
		}, "not as published: 1"},
		{"never published", func(o *outcome) { o.records["a0"] = append(o.records["a0"], record{Number: 41, Entity: "entity-1"}) }, "not as published: 1"},
		{"not in the log", func(o *outcome) { o.log = o.log[1:] }, "not in the log: 1 (first: event 1)"},
		{"not read", func(o *outcome) { o.log, o.unread = nil, "no answer" }, "no answer"},
		{"in the log twice", func(o *outcome) { o.log = append(o.log, o.log[4]) }, "in the log twice: 1 (first: event 5"},
		{"in the log twice, and handled twice", func(o *outcome) { double(o, o.log[32].body) }, "in the log twice: 1 (first: event 33"},
		{"in the log twice, which this broker does", func(o *outcome) {
			double(o, o.log[32].body)
			o.forgets = 1
		}, ""},
		{"in the log twice, more often than this broker does", func(o *outcome) {
			o.log = append(o.log, o.log[4], o.log[5])
			o.forgets = 1
		}, "in the log twice: 2 (first: event 5"},
		{"as if it were in the log twice", func(o *outcome) {
			double(o, o.log[31].body)
			o.forgets = 1
		}, "handled again without evidence that it was delivered again: 1 (first: event 33"},
		{"out of order in the log", func(o *outcome) { o.log[0], o.log[8] = o.log[8], o.log[0] }, "out of order in the log: 1 (first: event 1 after 9"},
		{"something else in the log", func(o *outcome) { o.log = append(o.log, logged{body: []byte("{}")}) }, "in the log, and never published: 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := good(t)
			test.spoil(&o)
			p := prove(o)
			got := append(p.inLog, p.problems...)
			var want []string
			if test.want != "" {
				want = strings.Split(test.want, "|")
			}
			if len(got) != len(want) {
				t.Fatalf("got %q, want %q", got, want)
			}
			for i := range want {
				if !strings.HasPrefix(got[i], want[i]) {
					t.Errorf("got %q, want %q…", got[i], want[i])
				}
			}
		})
	}
}

// swap lets event 25 be handled after 33, which is about the same entity.
func swap(o *outcome, deliveries uint64) {
	by, i := o.of(25)
	_, j := o.of(33)
	records := o.records[by]
	records[i].Number, records[j].Number = 33, 25
	records[j].Deliveries = deliveries
}

// double lets event 33 be handled at a second place, where body stands.
func double(o *outcome, body []byte) {
	by, i := o.of(33)
	r := o.records[by][i]
	r.Position, r.Cursor = commit.At(41), 41
	o.records[by] = append(o.records[by], r)
	o.log = append(o.log, logged{r.place, body})
}

// What is not found, not at the end, or not whole, is a FAIL.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(o *outcome)
		want  string
	}{
		{"good", func(*outcome) {}, "PASS: all 4 phases\n"},
		{"found", func(o *outcome) {
			o.intruders = []intruder{{fault: twin, finding: "it", found: time.Second}, {fault: otherSize, finding: "it", found: time.Second}}
		}, "PASS: all 6 phases\n"},
		{"not found", func(o *outcome) { o.intruders = []intruder{{what: "he is there", fault: twin}} }, "  FAIL  he is there, and is not found\n"},
		{"found late", func(o *outcome) {
			o.intruders = []intruder{{what: "he is there", fault: otherSize, finding: "it", found: time.Minute}}
		}, "  FAIL  he is there, and is found after 1m0s\n"},
		{"behind", func(o *outcome) { o.behind = []string{"7 pending"} }, "  FAIL  7 pending\n"},
		{"restless", func(o *outcome) { o.restless = "one is missing" }, "  FAIL  one is missing\n"},
	} {
		o := good(t)
		test.spoil(&o)
		var out bytes.Buffer
		ok := judge(&out, options{engine: "kafka", nodes: 1}, o)
		if !strings.Contains(out.String(), test.want) || ok == strings.Contains(test.want, "FAIL") {
			t.Errorf("%s: %v, want %q in\n%s", test.name, ok, test.want, &out)
		}
	}
}

// What a killed process wrote is read up to the last whole line.
func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	e, err := newEvidence(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	want := record{7, "entity-1", place{2, commit.Position{Major: 5, Minor: 1}}, 2, 9, 8, 1, 3}
	if err := e.add(want); err != nil {
		t.Fatal(err)
	}
	if _, err := e.file.WriteString(`{"n":8,"e":"ent`); err != nil {
		t.Fatal(err)
	}
	got, err := readEvidence(dir, "x")
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, err := readEvidence(dir, "y"); got != nil || err != nil {
		t.Errorf("of a process that did not begin: %v, %v", got, err)
	}
	if err := os.WriteFile(evidencePath(dir, "z"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readEvidence(dir, "z"); err == nil {
		t.Error("a line that is none passes")
	}
	if _, err := newEvidence(dir, "x"); err == nil {
		t.Error("two processes write one file")
	}
}
