package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/report"
)

// sequenceHeader carries the publish sequence: the identity of an event here, and never part of the event.
const sequenceHeader = "Publish-Sequence"

// A stage is what the phases share. The publisher is one connection, so NATS keeps its order.
type stage struct {
	ctx    context.Context // ends on a signal, or when a connection breaks
	fail   context.CancelCauseFunc
	broker *natsbroker.Broker
	nc     *nats.Conn // the publisher's, which also reads the markers
	run    string     // tells runs on a shared server apart; empty on an embedded one
	report *report.Report
	faults faults
}

// open starts or finds the broker. Close the stage after use, also after an error.
func (s *stage) open(url string) (err error) {
	if s.broker, err = natsbroker.Open(url, s.fail); err != nil {
		return err
	}
	if s.nc, err = s.broker.Connect("publisher"); err != nil {
		return err
	}
	if !s.broker.Embedded() {
		s.run = strings.ToLower(rand.Text()[:8])
	}
	return nil
}

func (s *stage) close() {
	s.nc.Close()
	if s.broker != nil {
		s.broker.Close()
	}
}

// topic returns a topic of a phase that no other run uses.
func (s *stage) topic(phase string) string {
	if s.run == "" {
		return "demo." + phase
	}
	return "demo." + s.run + "." + phase
}

// id returns a worker's id that no other run uses.
func (s *stage) id(name string, i int) string {
	id := name + "-" + strconv.Itoa(i)
	if s.run != "" {
		id += "-" + s.run
	}
	return id
}

// publish sends an event in structured mode. Every worker that receives it on this topic reports to reply when it
// has been through everything up to it; without a reply nobody does.
func (s *stage) publish(topic string, e events.Event, seq uint64, reply string) error {
	msg := &nats.Msg{Subject: topic, Reply: reply, Data: e.Body, Header: nats.Header{}}
	msg.Header.Set("Content-Type", "application/cloudevents+json")
	msg.Header.Set(sequenceHeader, strconv.FormatUint(seq, 10))
	err := s.nc.PublishMsg(msg)
	if errors.Is(err, nats.ErrMaxPayload) {
		return fmt.Errorf("%s: the event has %d bytes; with headers this server takes %d", e.Origin, len(e.Body), s.nc.MaxPayload())
	}
	return err
}

// ready waits until a worker's subscriptions have reached the publisher's server: in a cluster that takes
// longer than the worker's own server knows. An answer to a request proves it for all that was subscribed before.
func (s *stage) ready(topic string) error {
	ctx, cancel := context.WithTimeout(s.ctx, s.faults.wait())
	defer cancel()
	for {
		_, err := s.nc.RequestWithContext(ctx, topic, nil)
		if err == nil || !errors.Is(err, nats.ErrNoResponders) {
			return s.cause(err)
		}
		select {
		case <-ctx.Done():
			return s.cause(ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// errInterrupted is why the run ends on a signal.
var errInterrupted = errors.New("interrupted")

// cause returns why the run as a whole ends, if it does; else err.
func (s *stage) cause(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	return err
}
