package slot_test

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func ExampleCounter() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)
	var counter slot.Counter
	handled := 0
	for id := range 10000 {
		event := routing.Event{Topic: "ticks", ID: fmt.Sprint(id)}
		if !counter.Count(filter.Decide(event)).Admit() {
			continue // acknowledge and forget
		}
		handled++
	}
	fmt.Printf("handled %d of %d: %+v\n", handled, counter.Counts().Total(), counter.Counts())
	// Output: handled 3252 of 10000: {Own:3252 Foreign:6748 Bypass:0 Malformed:0}
}

// A consumer with several loops has a Counter in each and adds up.
func ExampleCounts() {
	first := slot.Counts{Own: 330, Foreign: 669, Bypass: 1}
	second := slot.Counts{Own: 120, Foreign: 242, Bypass: 1, Malformed: 2}
	sum := first.Plus(second)
	fmt.Printf("%+v of %d\n", sum, sum.Total())
	// Output: {Own:450 Foreign:911 Bypass:2 Malformed:2} of 1365
}

// Most consumers ask Admit. One that answers for events that it cannot read looks at the Kind.
func ExampleKind() {
	filter := slot.NewFilter(slot.Member{}) // dedicated
	verdict := filter.Decide(routing.Event{Topic: "wrk.feed.command.7"})
	switch verdict.Kind {
	case slot.Own:
		fmt.Println("handle")
	case slot.Bypass:
		fmt.Println("handle the command, which every member has")
	case slot.Malformed:
		fmt.Println("report it: no other member will")
	case slot.Foreign:
		fmt.Println("acknowledge and forget")
	}
	// Output: handle the command, which every member has
}

// Members, verdicts and counts are groups in structured logs.
func ExampleVerdict_LogValue() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey && len(groups) == 0 {
				return slog.Attr{}
			}
			return a
		},
	}))
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict := slot.NewFilter(member).Decide(routing.Event{Subject: "USD/JPY"})
	log.Info("dropped", "member", member, "event", verdict)
	// Output: level=INFO msg=dropped member.group=pairs member.size=3 member.slots=1 event.verdict=foreign event.slot=0 event.sum=fe55e07c
}
