package main

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestSchedule(t *testing.T) {
	for _, o := range []options{
		{engine: "kafka", members: 1, nodes: 1, duration: time.Minute},
		{engine: "redis", members: 3, nodes: 1, duration: 20 * time.Second},
		{engine: "jetstream", members: 3, nodes: 3, duration: 25 * time.Second},
		{engine: "jetstream", members: 3, nodes: 3, duration: time.Minute},
		{engine: "jetstream", members: 16, nodes: 3, duration: 30 * time.Minute},
	} {
		o.faults = true
		for o.seed = range 300 {
			steps := schedule(o)
			if !reflect.DeepEqual(steps, schedule(o)) {
				t.Fatalf("%+v: two schedules", o)
			}
			kinds := map[fault]int{}
			free := map[int]time.Duration{} // members, and -1 for the broker
			last := time.Duration(0)
			for _, s := range steps {
				kinds[s.fault]++
				who := s.target
				switch s.fault {
				case downBroker, downNode:
					who = -1
				case twin, otherSize:
					for m, at := range free {
						if s.at < at {
							t.Errorf("%+v: %v at %v, while %d is under a fault until %v", o, s, s.at, m, at)
						}
					}
				}
				switch {
				case s.at < last, s.at < free[who]:
					t.Errorf("%+v: %v at %v: the last was at %v, and its target is under a fault until %v", o, s, s.at, last, free[who])
				case s.at+s.hold > o.duration:
					t.Errorf("%+v: %v at %v goes beyond the end", o, s, s.at)
				case s.fault == downNode && (s.target < 0 || s.target >= o.nodes), s.fault != downNode && (s.target < 0 || s.target >= o.members):
					t.Errorf("%+v: %v: no such target", o, s)
				}
				last, free[who] = s.at, s.at+s.hold
			}
			want := []fault{killMember, stopMember, pauseMember, slowMember, downBroker, twin, otherSize}
			if o.nodes > 1 {
				want = append(want, downNode)
			}
			for _, kind := range want {
				if kinds[kind] == 0 && o.members > 1 {
					t.Errorf("%+v: no %s in %v", o, kind, kinds)
				}
			}
			if past := slices.ContainsFunc(steps, func(s step) bool { return s.fault == pauseMember && s.hold > o.ackWait() }); !past && o.members > 1 {
				t.Errorf("%+v: no pause is longer than %v", o, o.ackWait())
			}
			if o.duration == 30*time.Minute && len(steps) < 200 {
				t.Errorf("%+v: only %d faults", o, len(steps))
			}
		}
	}
	if steps := schedule(options{members: 3, nodes: 3, duration: time.Minute}); steps != nil {
		t.Errorf("no faults are wanted, and there are %v", steps)
	}
}

func TestSeedsDiffer(t *testing.T) {
	o := options{faults: true, members: 3, nodes: 3, duration: time.Minute, seed: 1}
	one := schedule(o)
	o.seed = 2
	if reflect.DeepEqual(one, schedule(o)) {
		t.Error("seeds 1 and 2 have one schedule")
	}
}
