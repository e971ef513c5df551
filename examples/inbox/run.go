package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/slot"
)

// patience limits each wait, on a busy machine too.
const patience = 30 * time.Second

// errInterrupted is why a run ends on a signal.
var errInterrupted = errors.New("interrupted")

// run is the whole program, and returns its exit status. sum, where it is not nil, chooses lanes in
// place of the verdict's: the tests give one that breaks the order.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, sum func(slot.Verdict) uint32) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "inbox: %v (-h shows how to use it)\n", err)
		return 2
	}
	if sum == nil {
		sum = func(v slot.Verdict) uint32 { return v.Sum }
	}
	whole, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(errInterrupted) })()
	r := report.New(stdout)
	err = show(whole, fail, o, stdout, r, sum)
	if cause := context.Cause(whole); cause != nil {
		err = cause
	}
	if err != nil {
		fmt.Fprintf(stderr, "inbox: %v\n", err)
		return 1
	}
	if !r.End() {
		return 1
	}
	return 0
}

func show(ctx context.Context, fail func(error), o options, stdout io.Writer, r *report.Report, sum func(slot.Verdict) uint32) (err error) {
	broker, err := natsbroker.OpenJetStream(o.url, fail)
	if err != nil {
		return err
	}
	defer broker.Close()
	nc, err := broker.Connect("inbox")
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "broker: %s\n", broker.Describe(nc))
	name := "INBOX-" + strings.ToLower(rand.Text()[:8])
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience) // a stream that is half made would stay
	defer cancel()
	stream, err := js.CreateStream(limited, jetstream.StreamConfig{Name: name, Subjects: []string{topic(name)}})
	if err != nil {
		return fmt.Errorf("stream %s: %w", name, err)
	}
	defer func() {
		last, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err = errors.Join(err, js.DeleteStream(last, name))
	}()
	s := newStage(o, sum, fail)
	defer s.stop()
	if err := s.start(ctx, stream); err != nil {
		return err
	}
	held, let := context.WithTimeoutCause(ctx, hold, fmt.Errorf("publishing and filling the inboxes took longer than %v", hold))
	defer let()
	if err := publish(held, js, topic(name), o, s); err != nil {
		return err
	}
	if err := s.full(held, r); err != nil {
		return err
	}
	if err := s.handle(ctx, r); err != nil {
		return err
	}
	s.lanes(r)
	return nil
}

func topic(stream string) string { return "inbox." + strings.ToLower(stream) }

// publish writes all events, in rounds of one for each entity. Each third event may wait, and each
// third is about the entity of the one before it, as changes come in bursts: there the order is put
// to the test.
func publish(ctx context.Context, js jetstream.JetStream, topic string, o options, s *stage) error {
	var acks []jetstream.PubAckFuture
	var round []int
	entity := 0
	for number := range o.events {
		if len(round) == 0 {
			round = mathrand.Perm(o.entities())
		}
		if number%3 != 2 {
			entity, round = round[0], round[1:]
		}
		e := event.New()
		e.SetID(fmt.Sprint(number))
		e.SetSource("/examples/inbox")
		e.SetType("example.changed")
		if number%3 == 0 {
			e.SetType(lowType)
		}
		e.SetSubject(entityName(entity))
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		s.published = append(s.published, e.Subject())
		ack, err := js.PublishAsync(topic, body, jetstream.WithStallWait(patience))
		if err != nil {
			return err
		}
		acks = append(acks, ack)
	}
	for _, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
