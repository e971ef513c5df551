package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

const (
	streamName = "s"
	topic      = "t"
	command    = "wrk.demo.command.1"
)

// A bench is a stream on a server of its own.
type bench struct {
	*testing.T
	ctx context.Context
	nc  *nats.Conn
	js  jetstream.JetStream
}

func newBench(t *testing.T) *bench {
	t.Helper()
	broker, err := natsbroker.OpenJetStream("", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	nc, err := broker.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: streamName, Subjects: []string{topic, command}}); err != nil {
		t.Fatal(err)
	}
	return &bench{t, ctx, nc, js}
}

func (b *bench) durable(c jetstream.ConsumerConfig) jetstream.Consumer {
	b.Helper()
	durable, err := b.js.CreateOrUpdateConsumer(b.ctx, streamName, c)
	if err != nil {
		b.Fatal(err)
	}
	return durable
}

// publish publishes n events.
func (b *bench) publish(subject string, n int) {
	b.Helper()
	for i := range n {
		if _, err := b.js.Publish(b.ctx, subject, fmt.Appendf(nil, `{"specversion":"1.0","id":"%d","source":"s","type":"t"}`, i)); err != nil {
			b.Fatal(err)
		}
	}
}

// info waits until the durable is as it should be.
func (b *bench) info(durable jetstream.Consumer, what string, ok func(*jetstream.ConsumerInfo) bool) {
	b.Helper()
	for {
		info, err := durable.Info(b.ctx)
		if err != nil {
			b.Fatalf("%s: %v", what, err)
		}
		if ok(info) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// dedicated makes all events a member's own.
func dedicated() (*slot.Filter, *slot.Counter) {
	return slot.NewFilter(slot.Member{}), new(slot.Counter)
}

// A log is what a handler was given.
type log struct {
	mu        sync.Mutex
	sequences []uint64
	at        []time.Time
	repeats   int // that the broker calls so
}

func (l *log) add(msg jetstream.Msg) (n int, err error) {
	about, err := msg.Metadata()
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if about.NumDelivered > 1 {
		l.repeats++
	}
	l.sequences, l.at = append(l.sequences, about.Sequence.Stream), append(l.at, time.Now())
	return len(l.sequences), nil
}

// acknowledged is when the first n events of the stream are acknowledged, and none is open.
func acknowledged(n uint64) func(*jetstream.ConsumerInfo) bool {
	return func(info *jetstream.ConsumerInfo) bool { return info.AckFloor.Stream >= n && info.NumAckPending == 0 }
}

// What a handler refuses comes again, not at once, and behind a later event of its key.
func TestRefusedBreaksOrder(t *testing.T) {
	b := newBench(t)
	durable := b.durable(config("member-0"))
	b.publish(topic, 2)
	var l log
	all := make(chan struct{})
	filter, counter := dedicated()
	consuming, err := consume(durable, filter, counter, func(msg jetstream.Msg, _ slot.Verdict) error {
		switch n, err := l.add(msg); {
		case n == 1:
			return errors.New("not now")
		case n == 3:
			close(all)
			return nil
		default:
			return err
		}
	}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-all:
	case <-b.ctx.Done():
		t.Fatal("the event did not come again")
	}
	if err := drain(b.nc, durable, consuming); err != nil {
		t.Error(err)
	}
	if want := []uint64{1, 2, 1}; !slices.Equal(l.sequences, want) || l.repeats != 1 {
		t.Errorf("handled in the order %v with %d repeats, want %v and 1", l.sequences, l.repeats, want)
	} else if waited := l.at[2].Sub(l.at[0]); waited < retryAfter*9/10 {
		t.Errorf("it came again after %v, want %v", waited, retryAfter)
	}
	b.info(durable, "acknowledged", acknowledged(2))
}

// A handler may settle a message by itself.
func TestTerm(t *testing.T) {
	b := newBench(t)
	durable := b.durable(config("member-0"))
	b.publish(topic, 3)
	filter, counter := dedicated()
	consuming, err := consume(durable, filter, counter, func(msg jetstream.Msg, _ slot.Verdict) error { return msg.Term() }, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	b.info(durable, "given up", acknowledged(3))
	if err := drain(b.nc, durable, consuming); err != nil {
		t.Error(err)
	}
	if got := counter.Counts().Own; got != 3 {
		t.Errorf("%d events came, want each of 3 once", got)
	}
}

// The time of a handler by the number of events fetched ahead must stay below AckWait: else events
// expire while they wait in the client, are handled twice, and out of order.
func TestAckWaitRunsInTheClient(t *testing.T) {
	const events, work = 900, 3 * time.Millisecond // in the client for about a tenth of a second; with all fetched ahead, for more than two
	for _, test := range []struct {
		ackWait time.Duration
		repeats bool
	}{{2 * time.Second, false}, {30 * time.Millisecond, true}} {
		t.Run(test.ackWait.String(), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c := config("member-0")
			c.AckWait = test.ackWait
			durable := b.durable(c)
			b.publish(topic, events)
			var l log
			filter, counter := dedicated()
			consuming, err := consume(durable, filter, counter, func(msg jetstream.Msg, _ slot.Verdict) error {
				_, err := l.add(msg)
				time.Sleep(work)
				return err
			}, func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			b.info(durable, "handled", func(info *jetstream.ConsumerInfo) bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return acknowledged(events)(info) || l.repeats > 50
			})
			if err := drain(b.nc, durable, consuming); err != nil {
				t.Error(err)
			}
			if got := !slices.IsSorted(l.sequences); l.repeats > 0 != test.repeats || got != test.repeats {
				t.Errorf("%d of %d events came again, out of order: %v; want both: %v", l.repeats, len(l.sequences), got, test.repeats)
			}
		})
	}
}

// A durable that is gone ends its consumer, and the consumer says so: if it is deleted while the
// server has a request for more, and if it was deleted before.
func TestDurableIsGone(t *testing.T) {
	for _, test := range []struct {
		name   string
		events int // more than are fetched ahead: the server has no request then
		want   error
	}{{"asked", 0, jetstream.ErrConsumerDeleted}, {"before", 2 * prefetch, jetstream.ErrConsumerNotFound}} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			durable := b.durable(config("member-0"))
			b.publish(topic, test.events)
			filter, counter := dedicated()
			deleted, told := make(chan struct{}), make(chan error, 10)
			consuming, err := consume(durable, filter, counter, func(jetstream.Msg, slot.Verdict) error {
				<-deleted
				return nil
			}, func(err error) { told <- err })
			if err != nil {
				t.Fatal(err)
			}
			b.info(durable, "fetched", func(info *jetstream.ConsumerInfo) bool {
				return test.events == 0 && info.NumWaiting > 0 || test.events > 0 && info.NumAckPending == prefetch && info.NumWaiting == 0
			})
			if err := b.js.DeleteConsumer(b.ctx, streamName, "member-0"); err != nil {
				t.Fatal(err)
			}
			close(deleted)
			select {
			case err := <-told:
				if !errors.Is(err, test.want) {
					t.Errorf("told %v, want %v", err, test.want)
				}
			case <-b.ctx.Done():
				t.Fatal("the consumer said nothing")
			}
			if err := drain(b.nc, durable, consuming); err != nil { // it returns
				t.Error(err)
			}
		})
	}
}

// An error that passes by itself is passed over, as long as the durable is there.
func TestPassingErrors(t *testing.T) {
	b := newBench(t)
	durable := b.durable(config("member-0"))
	filter, counter := dedicated()
	consuming, err := consume(durable, filter, counter, func(jetstream.Msg, slot.Verdict) error { return nil }, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	handler := ended(durable, func(err error) { t.Error("told:", err) })
	for _, err := range []error{jetstream.ErrNoHeartbeat, nats.ErrNoResponders, jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown} {
		handler(consuming, err)
	}
	b.publish(topic, 1)
	b.info(durable, "handled", func(info *jetstream.ConsumerInfo) bool { return info.AckFloor.Stream == 1 })
	if err := drain(b.nc, durable, consuming); err != nil {
		t.Error(err)
	}
}

// What is dropped and not acknowledged stops the delivery at MaxAckPending.
func TestForeignEventsAreAcknowledged(t *testing.T) {
	const events, open = 20, 3
	b := newBench(t)
	c := config("member-0")
	c.MaxAckPending = open
	careless := b.durable(c)
	c.Durable = "member-1"
	careful := b.durable(c)
	b.publish(topic, events)

	batch, err := careless.Fetch(events, jetstream.FetchMaxWait(200*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	came := 0
	for range batch.Messages() {
		came++ // and dropped, without an acknowledgement
	}
	if came != open {
		t.Errorf("%d events came, want no more than MaxAckPending, %d", came, open)
	}

	none, err := slot.NewSet("pairs", 2)
	if err != nil {
		t.Fatal(err)
	}
	counter := new(slot.Counter)
	consuming, err := consume(careful, slot.NewFilter(none), counter, func(jetstream.Msg, slot.Verdict) error {
		t.Error("an event of another member was handled")
		return nil
	}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	b.info(careful, "dropped", acknowledged(events))
	if err := drain(b.nc, careful, consuming); err != nil {
		t.Error(err)
	}
	if got := counter.Counts().Foreign; got != events {
		t.Errorf("%d events were dropped, want %d", got, events)
	}
}

// Where a durable begins is fixed when it is made: from the beginning, with commands of old, or with a gap.
func TestLateDurable(t *testing.T) {
	b := newBench(t)
	b.publish(topic, 2)
	b.publish(command, 1)
	c := config("all")
	all := b.durable(c)
	c.Durable, c.DeliverPolicy = "new", jetstream.DeliverNewPolicy
	late := b.durable(c)
	b.publish(topic, 1)
	for _, test := range []struct {
		durable jetstream.Consumer
		want    slot.Counts
	}{{all, slot.Counts{Own: 3, Bypass: 1}}, {late, slot.Counts{Own: 1}}} {
		filter, counter := dedicated()
		consuming, err := consume(test.durable, filter, counter, func(jetstream.Msg, slot.Verdict) error { return nil }, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		b.info(test.durable, "handled", func(info *jetstream.ConsumerInfo) bool { return info.AckFloor.Stream == 4 })
		if err := drain(b.nc, test.durable, consuming); err != nil {
			t.Error(err)
		}
		if got := counter.Counts(); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.durable.CachedInfo().Name, got, test.want)
		}
	}

	c.DeliverPolicy = jetstream.DeliverAllPolicy
	if _, err := b.js.CreateOrUpdateConsumer(b.ctx, streamName, c); !errors.Is(err, jetstream.ErrConsumerCreate) {
		t.Errorf("another DeliverPolicy: %v, want %v", err, jetstream.ErrConsumerCreate)
	}
	if _, err := b.js.CreateOrUpdateConsumer(b.ctx, streamName, config("member.0")); !errors.Is(err, jetstream.ErrInvalidConsumerName) {
		t.Errorf("a name with a dot: %v, want %v", err, jetstream.ErrInvalidConsumerName)
	}
}

// A publisher that runs ahead is stopped, and told so soon unless it waits longer.
func TestPublishAsyncStalls(t *testing.T) {
	b := newBench(t)
	silent := make(chan *nats.Msg, 5000) // a server that does not answer
	sub, err := b.nc.ChanSubscribe("silent", silent)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	for range 4000 {
		if _, err := b.js.PublishAsync("silent", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.js.PublishAsync("silent", nil); !errors.Is(err, jetstream.ErrTooManyStalledMsgs) {
		t.Fatalf("got %v, want %v", err, jetstream.ErrTooManyStalledMsgs)
	}
	answered := make(chan error, 1)
	time.AfterFunc(300*time.Millisecond, func() { answered <- (<-silent).Respond([]byte(`{"stream":"s","seq":1}`)) })
	if _, err := b.js.PublishAsync("silent", nil, jetstream.WithStallWait(10*time.Second)); err != nil {
		t.Error(err)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// An answer that is lost on its way does not end a publication: it is sent again, with the same id.
func TestPublishTriesAgain(t *testing.T) {
	b := newBench(t)
	var ids []string
	sub, err := b.nc.Subscribe("elsewhere", func(msg *nats.Msg) {
		ids = append(ids, msg.Header.Get(jetstream.MsgIDHeader))
		if len(ids) > 1 {
			msg.Respond([]byte(`{"stream":"s","seq":1}`))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	e := &engine{js: b.js}
	if err := e.Publish(b.ctx, "elsewhere", runner.Event{Seq: 7}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"elsewhere7", "elsewhere7"}; !slices.Equal(ids, want) {
		t.Errorf("sent %q, want %q", ids, want)
	}
}
