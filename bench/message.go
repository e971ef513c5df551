package main

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot"
)

const topic = "shops.eu.orders"

// A decider says whose a message is by its body alone.
type decider struct {
	name string
	// decide returns the verdict; its Sum tells a check which key was found.
	decide func(f *slot.Filter, body []byte) slot.Verdict
	// last: of two subjects the last one counts, as in the SDK's decode, so that the whole body is
	// read. Deciders that stop at the first are quick where it is early, and disagree with the
	// handler where there are two.
	last bool
}

// Names of contenders that goals refer to.
const (
	decide       = "cloudevent.Decide"
	decideHeader = "cloudevent.DecideMessage"
	sdkClient    = "CloudEvents SDK, client (json.Unmarshal into event.Event)"
	twoFields    = "encoding/json, struct of two fields"
	tokens       = "jsontext, top level in full"
	gjsonGet     = "gjson, Get *"
	parserGet    = "jsonparser, GetUnsafeString *"
)

var structuredHeader = http.Header{"Content-Type": {"application/cloudevents+json; charset=utf-8"}, "User-Agent": {"shop/1.0"}}

var ownDeciders = []decider{
	{decide, func(f *slot.Filter, body []byte) slot.Verdict { return cloudevent.Decide(f, topic, body) }, true},
	{decideHeader, func(f *slot.Filter, body []byte) slot.Verdict {
		return cloudevent.DecideMessage(f, cloudevent.Message{Topic: topic, Header: cloudevent.HTTP.Values(structuredHeader), Body: body})
	}, true},
}

// sameEvents is the number of events that a contender goes through, over and over: enough of them
// that their lengths surprise a branch predictor now and then, as those of a stream do. All of them
// fit into a cache.
const sameEvents = 16

// messageTable: decide from a structured message.
var messageTable = table{
	name:  "message",
	title: "Decide from a structured JSON message",
	about: "Whose is this event, by its subject? Data is dense JSON. In \"early\" the subject stands before the data, in \"late\" behind it (names sorted). " +
		"* stops at the first subject: it does not see a second one, which is the one that counts.",
	groups: func() ([]measure.Group, error) {
		var groups []measure.Group
		for _, size := range []int{300, 1536, 64 << 10} {
			for _, position := range []string{"early", "late"} {
				g, err := messageGroup(sizeText(size)+" "+position, size, payload.Dense, position == "late")
				if err != nil {
					return nil, err
				}
				groups = append(groups, g)
			}
		}
		return groups, nil
	},
}

// dataTable: what other data than dense JSON does.
var dataTable = table{
	name:  "data",
	title: "Decide from a structured message with other data",
	about: "64 KiB, the subject late: data that is one long JSON string with escapes, and data_base64.",
	groups: func() ([]measure.Group, error) {
		text, err := messageGroup("64 KiB, a JSON string", 64<<10, payload.Prose, true)
		if err != nil {
			return nil, err
		}
		base64, err := messageGroup("64 KiB, base64", 64<<10, payload.Base64, true)
		return []measure.Group{text, base64}, err
	},
}

func sizeText(size int) string {
	switch size {
	case 300:
		return "300 B"
	case 1536:
		return "1.5 KiB"
	}
	return fmt.Sprintf("%d KiB", size>>10)
}

func messageGroup(name string, size int, form payload.Form, late bool) (measure.Group, error) {
	g := measure.Group{Name: name}
	events := make([]payload.Event, sameEvents)
	bodies := make([][]byte, sameEvents)
	for i := range events {
		events[i] = payload.New(uint64(size+i), size, form)
		if bodies[i] = events[i].Early(); late {
			bodies[i] = events[i].Late()
		}
	}
	f := benchFilter()
	for _, d := range append(slices.Clone(ownDeciders), peerDeciders()...) {
		for i := range events {
			if err := checkDecider(d, f, events[i], bodies[i]); err != nil {
				return g, fmt.Errorf("%s: %s: %w", name, d.name, err)
			}
		}
		g.Contenders = append(g.Contenders, measure.Contender{Name: d.name, Run: func(n int) {
			for i := range n {
				verdict = d.decide(f, bodies[i%sameEvents])
			}
		}})
	}
	return g, nil
}

// verdict is the result of loops, so that no compiler leaves them out.
var verdict slot.Verdict

// benchFilter decides for member 1 of 3.
func benchFilter() *slot.Filter { return slot.NewFilter(memberOf(3)) }

// checkDecider wants the verdict of the event's own subject, and the right one of two.
func checkDecider(d decider, f *slot.Filter, e payload.Event, body []byte) error {
	want := hashpin.Sum32String(e.Subject)
	if got := d.decide(f, body); got.Sum != want {
		return fmt.Errorf("verdict %v with sum %08x, want %08x", got, got.Sum, want)
	}
	if last := d.decide(f, e.Twice()).Sum == want; last != d.last {
		return fmt.Errorf("of two subjects the last one counts: %v, want %v", last, d.last)
	}
	return nil
}
