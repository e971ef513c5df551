package slotkey_test

import (
	"encoding/json"
	"fmt"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Three consumers receive every event and divide the work: from configuration to counts.
func Example() {
	events := []routing.Event{
		{Topic: "ticks", Subject: "EUR/USD", ID: "1"},
		{Topic: "ticks", Subject: "USD/JPY", ID: "2"},
		{Topic: "ticks", Subject: "EUR/JPY", ID: "3"},
		{Topic: "ticks", ID: "4"},                     // no subject: the id is the key
		{Topic: "ticks", Subject: "EUR/USD", ID: "5"}, // goes where event 1 went
		{Topic: "wrk.feed.command.7", ID: "6"},        // a command: every member takes it
	}
	for _, text := range []string{
		`{"group": "pairs", "group_size": 3, "group_index": 0}`,
		`{"group": "pairs", "group_size": 3, "group_index": 1}`,
		`{"group": "pairs", "group_size": 3, "group_index": 2}`,
	} {
		var config slot.Config
		if err := json.Unmarshal([]byte(text), &config); err != nil {
			fmt.Println(err)
			return
		}
		member, err := slot.New(config)
		if err != nil {
			fmt.Println(err)
			return
		}

		filter := slot.NewFilter(member)
		var counter slot.Counter
		fmt.Print(member, " handles")
		for _, event := range events {
			if !counter.Count(filter.Decide(event)).Admit() {
				continue // acknowledge and forget: another member has it
			}
			fmt.Print(" ", event.ID)
		}
		fmt.Printf("; %+v\n", counter.Counts())
	}
	// Output:
	// pairs:0/3 handles 2 4 6; {Own:2 Foreign:3 Bypass:1 Malformed:0}
	// pairs:1/3 handles 1 5 6; {Own:2 Foreign:3 Bypass:1 Malformed:0}
	// pairs:2/3 handles 3 6; {Own:1 Foreign:4 Bypass:1 Malformed:0}
}
