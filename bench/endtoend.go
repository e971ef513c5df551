package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	jetstream "github.com/cloudevents/sdk-go/protocol/nats_jetstream/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// Names of contenders that goals refer to.
const (
	discard    = "(a) receive and discard"
	decideDrop = "(b) receive, decide, drop"
	decodeDrop = "(c) receive, decode with the SDK, drop"
)

// endToEndTable: whole systems.
var endToEndTable = table{
	name:  "end-to-end",
	title: "End to end",
	about: "A NATS server, a publisher and all members in one process, over the loopback interface; events of 1 KiB. Events per second of the whole system, and processor time " +
		"of all of it, the server and the publisher included, per message that a member received. In (b) and (c) own events are dropped as well.",
	run: endToEnd,
}

// A work is what members do with a message. It reports whether the event is theirs.
type work struct {
	name string
	own  func(f *slot.Filter, m *nats.Msg) bool
}

var structuredWorks = []work{
	{discard, func(*slot.Filter, *nats.Msg) bool { return false }},
	{decideDrop, func(f *slot.Filter, m *nats.Msg) bool { return cloudevent.Decide(f, m.Subject, m.Data).Admit() }},
	{decodeDrop, func(f *slot.Filter, m *nats.Msg) bool {
		var e event.Event
		return json.Unmarshal(m.Data, &e) == nil && f.Decide(cloudevent.Event(m.Subject, &e)).Admit()
	}},
}

var binaryWorks = []work{
	structuredWorks[0],
	{decideDrop, func(f *slot.Filter, m *nats.Msg) bool {
		return cloudevent.DecideMessage(f, cloudevent.Message{Topic: m.Subject, Header: cloudevent.NATS.Values(m.Header), Body: m.Data}).Admit()
	}},
	{decodeDrop, func(f *slot.Filter, m *nats.Msg) bool {
		e, err := binding.ToEvent(context.Background(), jetstream.NewMessage(m))
		return err == nil && f.Decide(cloudevent.Event(m.Subject, e)).Admit()
	}},
}

// endToEnd measures for a tenth of the settings' passes, each of a hundredfold length: a system
// takes long to come to speed.
func endToEnd(s measure.Settings) ([]column, error) {
	url, stop, err := startServer()
	if err != nil {
		return nil, err
	}
	defer stop()
	passes, pass := max(1, s.Passes/10), min(100*s.Pass, time.Second)
	var columns []column
	for _, mode := range []string{"structured", "binary"} {
		for _, members := range []int{1, 3, 8, 64} {
			c, err := endToEndColumn(url, mode, members, passes, pass)
			if err != nil {
				return nil, fmt.Errorf("%s, %d members: %w", mode, members, err)
			}
			columns = append(columns, c)
		}
	}
	return columns, nil
}

func endToEndColumn(url, mode string, members, passes int, pass time.Duration) (column, error) {
	works, messages := worksOf(mode)
	var crews []*crew
	for i, w := range works {
		c, err := hire(url, fmt.Sprintf("%s.%d.%d", mode, members, i), members, w)
		if err != nil {
			return column{}, err
		}
		defer c.close()
		crews = append(crews, c)
	}
	measured := make([]samples, len(crews))
	for p := range passes + 1 {
		for i, c := range crews {
			windows := 1
			if p > 0 { // the first pass tells how much fits into the time
				windows = max(1, int(pass.Seconds()*measured[i].best()/window))
			}
			if p == 1 {
				measured[i] = samples{}
			}
			if err := measured[i].add(c, messages, windows); err != nil {
				return column{}, err
			}
		}
	}
	result := column{Name: fmt.Sprintf("%s, %d", mode, members)}
	for i, c := range crews {
		if got, want := c.own.Load(), c.published; works[i].name != discard && got != want {
			return column{}, fmt.Errorf("%s: %d of %d events had an owner", works[i].name, got, want)
		}
		result.Costs = append(result.Costs, measured[i].cost(works[i].name))
	}
	return result, nil
}

// samples are what the passes of one work gave.
type samples struct {
	perSecond []float64
	processor []float64 // nanoseconds per message received
}

func (s *samples) add(c *crew, messages []*nats.Msg, windows int) error {
	began, processor := time.Now(), measure.Processor()
	err := c.play(messages, windows)
	events := float64(windows * window)
	s.perSecond = append(s.perSecond, events/time.Since(began).Seconds())
	s.processor = append(s.processor, float64(measure.Processor()-processor)/events/float64(c.members))
	return err
}

func (s *samples) best() float64 {
	inverse := make([]float64, len(s.perSecond))
	for i, v := range s.perSecond {
		inverse[i] = 1 / v
	}
	least, _ := measure.Cheapest(inverse)
	return 1 / least
}

func (s *samples) cost(name string) measure.Cost {
	cost := measure.Cost{Contender: name, PerSecond: s.best()}
	cost.Time, cost.Spread = measure.Cheapest(s.processor)
	return cost
}

// samePublished is the number of events that are published over and over.
const samePublished = 256

// worksOf returns what members do with messages of a mode, and such messages.
func worksOf(mode string) ([]work, []*nats.Msg) {
	messages := make([]*nats.Msg, samePublished)
	for i := range messages {
		e := payload.New(uint64(3000+i), 1<<10, payload.Dense)
		if mode == "binary" {
			messages[i] = natsMessage(e)
		} else {
			messages[i] = &nats.Msg{Data: e.Early()}
		}
	}
	if mode == "binary" {
		return binaryWorks, messages
	}
	return structuredWorks, messages
}
