package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// member is for brevity; a program gets its member from configuration.
func member(text string) *slot.Filter {
	m, err := slot.ParseMember(text)
	if err != nil {
		panic(err)
	}
	return slot.NewFilter(m)
}

// A host starts workers one after the other, and one too many.
func ExampleRegistry() {
	var registry fleet.Registry
	for _, w := range []fleet.Worker{
		{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks", "trades"}},
		{Name: "b", Filter: member("pairs:2/3"), Topics: []string{"ticks", "trades"}},
		{Name: "c", Filter: member("pairs:2/3"), Topics: []string{"ticks"}},
	} {
		coverage, err := registry.Start(w)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(coverage[0])
	}
	// Output:
	// group pairs on [ticks, trades] has 1 of 3 members running
	// group pairs on [ticks, trades] has 2 of 3 members running
	// fleet: worker "c" may not start: worker "b" holds slot 2 of group "pairs" on "ticks"
}

// A refusal as a status of HTTP; gRPC's is FAILED_PRECONDITION.
func ExampleConflict() {
	var registry fleet.Registry
	registry.Start(fleet.Worker{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks"}})
	_, err := registry.Start(fleet.Worker{Name: "b", Filter: member("pairs:1/5"), Topics: []string{"ticks"}})

	status := 200
	var conflict *fleet.Conflict
	switch {
	case errors.As(err, &conflict):
		status = 409
	case errors.Is(err, fleet.ErrWorker):
		status = 400
	}
	fmt.Println(status, errors.Is(err, fleet.ErrSizeDiffers), conflict.Other)
	// Output: 409 true a
}

func ExampleWorkerError() {
	var registry fleet.Registry
	_, err := registry.Start(fleet.Worker{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks*"}})
	var fault *fleet.WorkerError
	fmt.Println(errors.As(err, &fault), err)
	// Output: true fleet: worker "a" has the topic "ticks*", which has "*" or ">" beside other characters in a token
}

// A group grows from 3 to 6 members, the new ones first.
func ExampleTransition() {
	var registry fleet.Registry
	registry.Start(fleet.Worker{Name: "old", Filter: member("pairs:0/3"), Topics: []string{"ticks"}})

	grow := fleet.Transition{From: fleet.Shape{Size: 3}, To: fleet.Shape{Size: 6}}
	coverage, err := registry.StartDuring(grow, fleet.Worker{Name: "new", Filter: member("pairs:3/6"), Topics: []string{"ticks"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range coverage {
		fmt.Println(c)
	}
	// Output:
	// group pairs on [ticks] has 1 of 3 members running
	// group pairs on [ticks] has 1 of 6 members running
}

func ExampleWorker_Shape() {
	w := fleet.Worker{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks"}}
	fmt.Println(w.Shape() == fleet.Shape{Size: 3, Rule: routing.Rule{}})
	// Output: true
}

// Topics with equal results are one line.
func ExampleCoverage() {
	var registry fleet.Registry
	registry.Start(fleet.Worker{Name: "a", Filter: member("pairs:0/2"), Topics: []string{"ticks"}})
	registry.Start(fleet.Worker{Name: "b", Filter: member("pairs:1/2"), Topics: []string{"trades"}})
	for _, c := range registry.Coverage() {
		fmt.Println(c, c.Missing, c.Complete())
	}
	// Output:
	// group pairs on [ticks] has 1 of 2 members running [1] false
	// group pairs on [trades] has 1 of 2 members running [0] false
}

func ExampleWarn() {
	var registry fleet.Registry
	coverage, _ := registry.Start(fleet.Worker{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks"}})

	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	fleet.Warn(context.Background(), log, coverage)
	// Output: level=WARN msg="group pairs on [ticks] has 1 of 3 members running" coverage.group=pairs coverage.topics=[ticks] coverage.size=3 coverage.running=1 coverage.missing=1-2 coverage.rule="fnv1a32-fmix32 subject,id"
}

// Three workers announced; web-1 was configured with another size, and web-2 has not been heard of for a while.
func ExampleAudit() {
	now := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	started := now.Add(-time.Hour)
	var heard []fleet.Announcement
	for _, w := range []struct {
		name, member string
		seen         time.Duration
	}{
		{"web-0", "pairs:0/3", time.Second},
		{"web-1", "pairs:1/4", time.Second},
		{"web-2", "pairs:2/3", time.Minute},
	} {
		worker := fleet.Worker{Name: w.name, Filter: member(w.member), Topics: []string{"ticks"}}
		seen := now.Add(-w.seen)
		heard = append(heard, worker.Announce("9f3c", started, seen).SeenAt(seen))
	}
	for _, finding := range fleet.Audit(now, 15*time.Second, heard) {
		fmt.Println(finding)
	}
	// Output:
	// group pairs on [ticks]: sizes differ, 3 (web-0), 4 (web-1); 1/2 (50 %) of the keys have no owner, 1/12 (8.3 %) have several: finish the change, or give all members one size
	// worker web-2 of group pairs was last seen 1m0s ago: start it again, or forget it if its slots have other members
}

// An announcement travels as a CloudEvent, and the observer stamps it with its own clock.
func ExampleAnnouncement() {
	worker := fleet.Worker{Name: "web-0", Filter: member("pairs:0/3"), Topics: []string{"ticks"}}
	started := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	body, err := worker.Announce("9f3c", started, started.Add(time.Minute)).CloudEvent()
	if err != nil {
		fmt.Println(err)
		return
	}

	heard, err := fleet.ParseCloudEvent(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	heard = heard.SeenAt(time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)) // our clock is almost an hour ahead of the worker's
	fmt.Println(heard.Worker, heard.Group, heard.Slots, heard.Size, "began", heard.Started.Format(time.TimeOnly))
	// Output: web-0 pairs [0] 3 began 03:59:00
}

// Findings are values: a program can act on their kind, slots and workers.
func ExampleFinding() {
	now := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	var heard []fleet.Announcement
	for _, name := range []string{"web-0", "web-3"} { // both index 0
		worker := fleet.Worker{Name: name, Filter: member("pairs:0/2"), Topics: []string{"ticks"}}
		heard = append(heard, worker.Announce("incarnation of "+name, now.Add(-time.Hour), now))
	}
	for _, f := range fleet.Audit(now, 15*time.Second, heard) {
		switch f.Kind {
		case fleet.Missing:
			fmt.Println("missing", f.Slots)
		case fleet.Doubled:
			for _, i := range f.Instances() {
				fmt.Println("doubled", f.Slots, i.Worker)
			}
		}
	}
	// Output:
	// missing [1]
	// doubled [0] web-0
	// doubled [0] web-3
}

// The parts of a mixed finding are the instances of each size apart.
func ExamplePart() {
	now := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	web0 := fleet.Worker{Name: "web-0", Filter: member("pairs:0/2"), Topics: []string{"ticks"}}
	web1 := fleet.Worker{Name: "web-1", Filter: member("pairs:1/3"), Topics: []string{"ticks"}}
	findings := fleet.Audit(now, 15*time.Second, []fleet.Announcement{
		web0.Announce("a1", now.Add(-time.Hour), now),
		web1.Announce("b7", now.Add(-time.Hour), now),
	})
	for _, part := range findings[0].Parts {
		fmt.Println(findings[0].Kind, part.Value, part.Instances)
	}
	// Output:
	// mixed sizes 2 [{web-0 a1}]
	// mixed sizes 3 [{web-1 b7}]
}

// Members agree on their shape or not at all.
func ExampleShape() {
	a := fleet.Worker{Name: "a", Filter: member("pairs:0/3"), Topics: []string{"ticks"}}
	b := fleet.Worker{Name: "b", Filter: member("pairs:1/3"), Topics: []string{"ticks"}}
	c := fleet.Worker{Name: "c", Filter: member("pairs:2/4"), Topics: []string{"ticks"}}
	fmt.Println(a.Shape() == b.Shape(), a.Shape() == c.Shape(), c.Shape().Size)
	// Output: true false 4
}
