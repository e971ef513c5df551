package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
)

// Names on the broker. Each run has its servers for itself.
const (
	group         = "soak"
	eventTopic    = "soak.events"
	announceTopic = "soak.announcements"
)

// A client is a process's connection to the broker. It outlives the broker's restarts: what cannot
// be done while the broker is down is tried again, until it is done or ctx ends.
type client interface {
	// create makes the log, with nothing in it.
	create(ctx context.Context) error
	// open makes the cursor of a reader: at the log's beginning, or at its end.
	open(ctx context.Context, cursor string, atEnd bool) error
	// forget removes a cursor.
	forget(ctx context.Context, cursor string) error
	// publish appends events, in their order, each once, however often it has to try. The events of
	// a batch are about different entities.
	publish(ctx context.Context, batch []published) error
	// consume delivers the whole log from a cursor on, until ctx ends or take fails, and then
	// returns when settle has: after that nothing is acknowledged.
	consume(ctx context.Context, cursor string, take func(delivery) error, settle func()) error
	// read returns the log, as a reader without a cursor finds it.
	read(ctx context.Context) ([]logged, error)
	// behind says what a reader has not been given or has not acknowledged; empty if nothing.
	behind(ctx context.Context, cursor string) (string, error)
	// announce sends an announcement to all who listen now, if it can.
	announce(body []byte)
	// listen calls heard with announcements from now on.
	listen(ctx context.Context, heard func(body []byte)) error
	close()
}

// A delivery is an event that a broker hands to a member.
type delivery struct {
	topic string
	body  []byte
	record
	// begin is called in the order of delivery, with whether the event is the member's own. It
	// reports whether it is to be handled: an event that comes again may still be in its handler.
	// One that is not our own is done with it.
	begin func(own bool) (fresh bool, err error)
	// done is called when an event of our own has been handled.
	done func() error
}

// A published event.
type published struct {
	number uint64 // from 1
	entity string
}

// A logged event is one as it stands in the log.
type logged struct {
	place
	body []byte
}

// connect returns a client. The broker need not be up. ackWait is for the cursors that it opens on JetStream.
func connect(engine string, addresses []string, name string, ackWait time.Duration) (client, error) {
	switch engine {
	case "jetstream":
		return connectJetStream(addresses, name, ackWait)
	case "redis":
		return connectRedis(addresses[0]), nil
	case "kafka":
		return connectKafka(addresses[0], name)
	}
	return nil, fmt.Errorf("no engine %q", engine)
}

// retry tries until it works or ctx ends.
func retry(ctx context.Context, what string, try func(context.Context) error) error {
	for {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := try(once)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w (last: %s)", what, context.Cause(ctx), strings.Join(strings.Fields(err.Error()), " "))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// body is the event as a CloudEvent in structured mode.
func (p published) body() ([]byte, error) {
	e := event.New()
	e.SetID(p.id())
	e.SetSource("/examples/soak")
	e.SetType("example.changed")
	e.SetSubject(p.entity)
	if err := e.SetData(event.ApplicationJSON, map[string]uint64{"number": p.number}); err != nil {
		return nil, err
	}
	return json.Marshal(e)
}

func (p published) id() string { return fmt.Sprint("event-", p.number) }
