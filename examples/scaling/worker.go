package main

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// A worker is a consumer as people have it, a connection and a loop, with a filter before the handler.
type worker struct {
	id      string
	filter  *slot.Filter
	counter slot.Counter
	nc      *nats.Conn
	inbox   chan *nats.Msg
	marks   string // topic
	faults  faults
	fail    func(error)
}

// run is the consumer's loop.
func (w *worker) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case msg := <-w.inbox:
			if verdict := w.counter.Count(decide(w.filter, msg)); verdict.Admit() {
				w.handle(msg, verdict)
			}
			if msg.Reply != "" { // the publisher asks who has come this far
				w.answer(msg.Reply, seen{w.id, w.counter.Counts()})
			}
		}
	}
}

// decide looks at the raw message: nothing is decoded for an event that another member has.
func decide(f *slot.Filter, msg *nats.Msg) slot.Verdict {
	return cloudevent.Decide(f, msg.Subject, msg.Data)
}

// handle is the consumer's work. Here it only says, through the broker, that it was done.
func (w *worker) handle(msg *nats.Msg, verdict slot.Verdict) {
	e, err := events.Parse(msg.Data)
	if err != nil {
		w.fail(err)
		return
	}
	seq, err := strconv.ParseUint(msg.Header.Get(sequenceHeader), 10, 64)
	if err != nil {
		w.fail(err)
		return
	}
	mark := proof.Mark{Worker: w.id, Seq: seq, ID: e.ID, Subject: e.Subject, Verdict: verdict.Kind.String()}
	for _, m := range w.faults.marks(mark) {
		w.answer(w.marks, m)
	}
}

// seen is a worker's report that it has been through everything up to some message.
type seen struct {
	Worker string      `json:"worker"`
	Counts slot.Counts `json:"counts"`
}

func (w *worker) answer(topic string, v any) {
	body, err := json.Marshal(v)
	if err == nil {
		err = w.nc.Publish(topic, body)
	}
	if err != nil {
		w.fail(err)
	}
}
