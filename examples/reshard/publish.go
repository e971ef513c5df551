package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A publisher writes the log at a steady rate.
type publisher struct {
	*stage
	rate int
	// before is called before a sequence is published, in the order of sequences; what it takes
	// does not count as time of publishing.
	before func(sequence uint64) error
	// published has the time at which each event was published.
	published []time.Time
}

// run publishes an event about each of the entities, as sequences 1, 2, …, and returns when the broker has them all.
func (p *publisher) run(ctx context.Context, entities []string) error {
	var acks []jetstream.PubAckFuture
	start := time.Now()
	for i, entity := range entities {
		sequence := uint64(i) + 1
		calm := time.Now()
		if err := p.before(sequence); err != nil {
			return err
		}
		start = start.Add(time.Since(calm))
		due := start.Add(time.Duration(i) * time.Second / time.Duration(p.rate))
		if early := time.Until(due); early > time.Millisecond {
			select {
			case <-time.After(early):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		msg, err := message(p.eventTopic(), entity, sequence)
		if err != nil {
			return err
		}
		ack, err := p.js.PublishMsgAsync(msg, jetstream.WithStallWait(timeout))
		if err != nil {
			return fmt.Errorf("sequence %d: %w", sequence, err)
		}
		acks = append(acks, ack)
		p.published = append(p.published, time.Now())
	}
	for i, ack := range acks {
		select {
		case got := <-ack.Ok():
			if got.Sequence != uint64(i)+1 {
				return fmt.Errorf("event %d has sequence %d: something else publishes on %s", i+1, got.Sequence, p.eventTopic())
			}
		case err := <-ack.Err():
			return fmt.Errorf("sequence %d: %w", i+1, err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// message is a CloudEvent in structured mode.
func message(topic, entity string, sequence uint64) (*nats.Msg, error) {
	e := event.New()
	e.SetID(fmt.Sprint("event-", sequence))
	e.SetSource("/examples/reshard")
	e.SetType("example.changed")
	e.SetSubject(entity)
	if err := e.SetData(event.ApplicationJSON, map[string]uint64{"number": sequence}); err != nil {
		return nil, err
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return &nats.Msg{Subject: topic, Data: body, Header: nats.Header{"Content-Type": {event.ApplicationCloudEventsJSON}}}, nil
}
