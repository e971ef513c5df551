package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/proof"
)

// A publication is an event of a short phase, where it goes, and what should come of it.
type publication struct {
	topic     string
	event     events.Event
	receivers int      // how many workers it reaches
	takers    []string // those that should handle it
}

// A tally is what came of publications; the sequence of the first is 1.
type tally struct {
	plan  []publication
	marks []proof.Mark // by sequence, then by worker
	quiet string       // why some are missing, if they are
}

// play publishes, waits for the reports, and counts.
func (c *crew) play(plan ...publication) (tally, error) {
	t := tally{plan: plan}
	reports := 0
	for i, p := range plan {
		if err := c.publish(p.topic, p.event, uint64(i+1), c.reply()); err != nil {
			return t, c.cause(err)
		}
		reports += p.receivers
	}
	err := c.collect(reports, func(m proof.Mark) { t.marks = append(t.marks, m) }, func(seen) {})
	var quiet silence
	if errors.As(err, &quiet) {
		t.quiet, err = quiet.Error(), nil
	}
	slices.SortFunc(t.marks, func(a, b proof.Mark) int { return strings.Compare(a.Worker, b.Worker) })
	slices.SortStableFunc(t.marks, func(a, b proof.Mark) int { return int(a.Seq) - int(b.Seq) })
	return t, err
}

// workers returns who handled the event with a sequence, sorted, with repeats.
func (t tally) workers(seq uint64) []string {
	var ids []string
	for _, m := range t.marks {
		if m.Seq == seq {
			ids = append(ids, m.Worker)
		}
	}
	return ids
}

// markers says how many markers came, and from whom.
func (t tally) markers() string {
	ids := slices.Compact(t.workers(1))
	return fmt.Sprintf("%d marker(s) from %d worker(s) (%s)", len(t.marks), len(ids), strings.Join(ids, ", "))
}

// perEvent says how many markers came for each event.
func (t tally) perEvent() string {
	var counts []string
	for i := range t.plan {
		counts = append(counts, fmt.Sprint(len(t.workers(uint64(i+1)))))
	}
	return fmt.Sprintf("%d events -> %d marker(s); per-event counts [%s]", len(t.plan), len(t.marks), strings.Join(counts, ", "))
}

// who says which worker handled which event.
func (t tally) who() string {
	var pairs []string
	for i, p := range t.plan {
		pairs = append(pairs, strings.Join(t.workers(uint64(i+1)), " and ")+" has "+p.event.Key())
	}
	return strings.Join(pairs, ", ")
}

// problems returns a line for each event that was handled by others than it should.
func (t tally) problems() []string {
	var lines []string
	for i, p := range t.plan {
		if got := t.workers(uint64(i + 1)); !slices.Equal(got, p.takers) {
			lines = append(lines, fmt.Sprintf("%s on %s was handled by [%s], not by [%s]", p.event.Key(), p.topic, strings.Join(got, ", "), strings.Join(p.takers, ", ")))
		}
	}
	if t.quiet != "" {
		lines = append(lines, t.quiet)
	}
	return lines
}

// orders are the events of the short phases, made with the SDK: three orders, one for each slot of three.
func orders() []events.Event {
	var made []events.Event
	for _, number := range []int{1, 2, 4} {
		e := event.New()
		e.SetID(fmt.Sprintf("placed-%d", number))
		e.SetType("com.example.shop.order.placed")
		e.SetSource("/shop/checkout")
		e.SetSubject(fmt.Sprintf("orders/%d", number))
		e.SetTime(time.Date(2026, time.March, 14, 9, number, 0, 0, time.UTC))
		err := e.SetData(event.ApplicationJSON, map[string]any{"order": number, "item": "walnut bowl"})
		body, jsonErr := e.MarshalJSON()
		parsed, parseErr := events.Parse(body)
		if err := errors.Join(err, jsonErr, parseErr); err != nil {
			panic(err) // the same three events every time
		}
		made = append(made, parsed)
	}
	return made
}
