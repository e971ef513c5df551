package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot"
)

// Names of contenders that goals refer to.
const (
	batchDecide = "cloudevent.Batch, Decide for each"
	batchSDK    = "CloudEvents SDK, json.Unmarshal into []event.Event"
)

const inBatch = 100

// batchTable: a batch of events.
var batchTable = table{
	name:  "batch",
	title: "Decide a batch",
	about: "A JSON batch of 100 events of 300 bytes, the subject late. Costs are of the whole batch.",
	groups: func() ([]measure.Group, error) {
		var bodies [][]byte
		var want []uint32
		for i := range inBatch {
			e := payload.New(uint64(1000+i), 300, payload.Dense)
			bodies = append(bodies, e.Late())
			want = append(want, hashpin.Sum32String(e.Subject))
		}
		body := slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
		f := benchFilter()
		g := measure.Group{Name: "100 events"}
		for _, c := range batchDeciders {
			var got []uint32
			c.each(f, body, func(v slot.Verdict) { got = append(got, v.Sum) })
			if !slices.Equal(got, want) {
				return nil, fmt.Errorf("%s: sums %08x, want %08x", c.name, got, want)
			}
			g.Contenders = append(g.Contenders, measure.Contender{Name: c.name, Run: func(n int) {
				for range n {
					c.each(f, body, func(v slot.Verdict) { verdict = v })
				}
			}})
		}
		return []measure.Group{g}, nil
	},
}

var batchDeciders = []struct {
	name string
	each func(f *slot.Filter, body []byte, found func(slot.Verdict))
}{
	{batchDecide, func(f *slot.Filter, body []byte, found func(slot.Verdict)) {
		for element, err := range cloudevent.Batch(body) {
			if err == nil {
				found(cloudevent.Decide(f, topic, element))
			}
		}
	}},
	{batchSDK, func(f *slot.Filter, body []byte, found func(slot.Verdict)) {
		var events []event.Event
		if json.Unmarshal(body, &events) != nil {
			return
		}
		for i := range events {
			found(f.Decide(cloudevent.Event(topic, &events[i])))
		}
	}},
	{"encoding/json, slice of structs of two fields", func(f *slot.Filter, body []byte, found func(slot.Verdict)) {
		var events []twoNames
		if json.Unmarshal(body, &events) != nil {
			return
		}
		for i := range events {
			found(events[i].decide(f))
		}
	}},
}
