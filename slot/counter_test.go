package slot_test

import (
	"sync"
	"testing"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func TestCounterCountsByKind(t *testing.T) {
	var c slot.Counter
	if got := c.Counts(); got != (slot.Counts{}) {
		t.Fatalf("the zero Counter has counted %+v", got)
	}
	for kind, times := range map[slot.Kind]int{
		slot.Own: 4, slot.Foreign: 3, slot.Bypass: 2, slot.Malformed: 1,
		0: 5, slot.Malformed + 1: 6, 255: 7, // no verdicts
	} {
		for i := range times {
			v := slot.Verdict{Kind: kind, Slot: i, Sum: 7}
			if got := c.Count(v); got != v {
				t.Errorf("Count(%+v) returns %+v", v, got)
			}
		}
	}
	want := slot.Counts{Own: 4, Foreign: 3, Bypass: 2, Malformed: 1}
	if got := c.Counts(); got != want || got.Total() != 10 {
		t.Errorf("got %+v, total %d, want %+v", got, got.Total(), want)
	}
}

func TestCountsPlus(t *testing.T) {
	a := slot.Counts{Own: 1, Foreign: 2, Bypass: 3, Malformed: 4}
	b := slot.Counts{Own: 10, Foreign: 20, Bypass: 30, Malformed: 40}
	if got, want := a.Plus(b), (slot.Counts{Own: 11, Foreign: 22, Bypass: 33, Malformed: 44}); got != want || got.Total() != 110 {
		t.Errorf("got %+v, total %d, want %+v", got, got.Total(), want)
	}
}

// One Counter and one Filter serve many goroutines (the race detector watches), and no count is lost or ever falls.
func TestCounterConcurrently(t *testing.T) {
	const workers, each = 8, 1000
	var c slot.Counter
	f := slot.NewFilter(member(t, "pairs", 3, 1)).WithRule(ruleOf(t, "tenant+id,topic[1] bypass=control.>"))
	events := []routing.Event{
		{Topic: "control.stop"},
		{Topic: "a.b", ID: "1", Attributes: map[string]string{"tenant": "acme"}},
		{Topic: "a.c", Attributes: map[string]string{}},
		{Topic: "a"},
	}
	want := slot.Counts{}
	var once slot.Counter
	for _, e := range events {
		once.Count(f.Decide(e))
	}
	for range workers * each {
		want = want.Plus(once.Counts())
	}

	done := make(chan struct{})
	fell := make(chan string, 1)
	go func() {
		defer close(fell)
		last := slot.Counts{}
		for {
			now := c.Counts()
			if now.Own < last.Own || now.Foreign < last.Foreign || now.Bypass < last.Bypass || now.Malformed < last.Malformed {
				fell <- "a count fell"
				return
			}
			last = now
			select {
			case <-done:
				return
			default:
			}
		}
	}()
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range each {
				for _, e := range events {
					c.Count(f.Decide(e))
				}
			}
		}()
	}
	wg.Wait()
	close(done)
	for message := range fell {
		t.Error(message)
	}
	if got := c.Counts(); got != want || got.Total() != workers*each*uint64(len(events)) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
