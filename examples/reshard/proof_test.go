package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// good is a run of 40 events and 8 entities over a switch from 2 to 3 members, all as it should be.
func good(t *testing.T) outcome {
	t.Helper()
	plan, err := resize.ParsePlan("2,3@21")
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{plan: plan}
	start := time.Unix(0, 0)
	for m := range 3 {
		o.lives = append(o.lives, life{member: m, incarnation: fmt.Sprint("a", m), start: start, end: start.Add(time.Minute)})
		o.records = append(o.records, record{Kind: "started", Member: m, Incarnation: fmt.Sprint("a", m), Sequence: 1})
	}
	for sequence := uint64(1); sequence <= 40; sequence++ {
		entity := fmt.Sprint("entity-", sequence%8)
		owner, _ := plan.Owner(commit.At(sequence), routing.Hashed(hashpin.Sum32String(entity)))
		o.entities = append(o.entities, entity)
		o.published = append(o.published, start)
		o.records = append(o.records, record{Kind: "handled", Member: owner, Incarnation: fmt.Sprint("a", owner), Sequence: sequence, Entity: entity})
	}
	return o
}

// at returns the place of an event in the log.
func (o *outcome) at(sequence uint64) int { return 2 + int(sequence) }

func TestProof(t *testing.T) {
	again := func(o *outcome, sequence uint64, incarnation string) record {
		r := o.records[o.at(sequence)]
		r.Incarnation = incarnation
		return r
	}
	restart := func(o *outcome, member int, from uint64, start time.Duration) {
		o.lives = append(o.lives, life{member: member, incarnation: "b", start: time.Unix(0, 0).Add(start)})
		o.records = append(o.records, record{Kind: "started", Member: member, Incarnation: "b", Sequence: from})
	}
	for _, test := range []struct {
		name  string
		spoil func(o *outcome)
		want  string // the beginnings of the problems
	}{
		{"good", func(*outcome) {}, ""},
		{"lost", func(o *outcome) { o.records[o.at(7)].Kind = "adopted" }, "handled by nobody: 1 (first: sequence 7, entity-7)"},
		{"by another", func(o *outcome) { o.records[o.at(40)].Member ^= 1 }, "handled by another than its owner: 1|entities with two members in one generation: 1"},
		{"by two", func(o *outcome) {
			r := o.records[o.at(40)]
			r.Member ^= 1
			o.records = append(o.records, r)
		}, "handled by two members: 1|entities with two members in one generation: 1|handled again without a reason: 1"},
		{"twice by one process", func(o *outcome) { o.records = append(o.records, o.records[o.at(33)]) }, "handled again without a reason: 1"},
		{"again after a restart", func(o *outcome) {
			restart(o, o.records[o.at(33)].Member, 30, time.Hour)
			o.records = append(o.records, again(o, 33, "b"))
		}, ""},
		{"again by a process that began behind it", func(o *outcome) {
			restart(o, o.records[o.at(33)].Member, 34, time.Hour)
			o.records = append(o.records, again(o, 33, "b"))
		}, "handled again without a reason: 1"},
		{"again by a process that ran at the same time", func(o *outcome) {
			restart(o, o.records[o.at(33)].Member, 30, time.Second)
			o.records = append(o.records, again(o, 33, "b"))
		}, "handled again without a reason: 1"},
		{"out of order", func(o *outcome) {
			a, b := o.at(25), o.at(33) // one entity
			o.records[a], o.records[b] = o.records[b], o.records[a]
		}, "out of order: 1 (first: entity-1: sequence 25 after 33)"},
		{"another entity", func(o *outcome) { o.records[o.at(9)].Entity = "entity-x" }, "not as published: 1"},
		{"never published", func(o *outcome) {
			o.records = append(o.records, record{Kind: "handled", Sequence: 41, Entity: "entity-1"})
		}, "not as published: 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := good(t)
			test.spoil(&o)
			got := prove(o).problems
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

func TestMoved(t *testing.T) {
	p := prove(good(t))
	moved, of := p.moved(1)
	want := 0
	for i := range 8 {
		sum := hashpin.Sum32String(fmt.Sprint("entity-", i))
		if sum%2 != sum%3 {
			want++
		}
	}
	if moved != want || of != 8 {
		t.Errorf("got %d of %d, want %d of 8", moved, of, want)
	}
}
