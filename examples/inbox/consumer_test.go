package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/slot"
)

const (
	streamName = "s"
	subject    = "t"
)

// A bench is a stream on a server of its own.
type bench struct {
	*testing.T
	ctx context.Context
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
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: streamName, Subjects: []string{subject}}); err != nil {
		t.Fatal(err)
	}
	return &bench{t, ctx, js}
}

func (b *bench) durable(c jetstream.ConsumerConfig) jetstream.Consumer {
	b.Helper()
	durable, err := b.js.CreateConsumer(b.ctx, streamName, c)
	if err != nil {
		b.Fatal(err)
	}
	return durable
}

// publish publishes n events of one key.
func (b *bench) publish(n int) {
	b.Helper()
	for i := range n {
		body := fmt.Appendf(nil, `{"specversion":"1.0","id":"%d","source":"s","type":"t","subject":"a"}`, i)
		if _, err := b.js.Publish(b.ctx, subject, body, jetstream.WithMsgID(fmt.Sprint(i))); err != nil {
			b.Fatal(err)
		}
	}
}

// received returns when what the server has delivered has come. The answer to a duplicate of the
// first event, which is not stored, takes the same way, behind it.
func (b *bench) received() {
	b.Helper()
	if ack, err := b.js.Publish(b.ctx, subject, nil, jetstream.WithMsgID("0")); err != nil || !ack.Duplicate {
		b.Fatalf("a duplicate: %+v, %v", ack, err)
	}
}

// start starts a member with one lane to which all events belong. The returned function ends it,
// and returns when it has ended.
func (b *bench) start(durable jetstream.Consumer, depth int, work func(job) error, failed func(error)) (stop func()) {
	b.Helper()
	c := &consumer{filter: slot.NewFilter(slot.Member{}), counter: new(slot.Counter), sum: func(v slot.Verdict) uint32 { return v.Sum },
		work: work, refused: func() {}, failed: failed}
	var err error
	if c.box, err = inbox.New(inbox.Config{Lanes: 1, Depth: depth}, c.handle); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	var running sync.WaitGroup
	running.Go(func() { c.run(ctx, durable) })
	return func() {
		cancel()
		running.Wait()
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

// done is when the first n events of the stream are acknowledged, and none is open.
func done(n uint64) func(*jetstream.ConsumerInfo) bool {
	return func(info *jetstream.ConsumerInfo) bool { return info.AckFloor.Stream >= n && info.NumAckPending == 0 }
}

// A log is what handlers were given.
type log struct {
	mu        sync.Mutex
	sequences []uint64
	repeats   int // that the broker calls so
}

func (l *log) add(j job) error {
	about, err := j.msg.Metadata()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sequences = append(l.sequences, about.Sequence.Stream)
	if about.NumDelivered > 1 {
		l.repeats++
	}
	return nil
}

// Events wait in the inbox while AckWait runs: what config says is long enough, and with less they
// are handled twice and out of order.
func TestAckWaitRunsInTheInbox(t *testing.T) {
	const depth, work, events = 32, 3 * time.Millisecond, 200
	for _, test := range []struct {
		name    string
		ackWait time.Duration
		repeats bool
	}{{"long", config("", depth, 20*work).AckWait, false}, {"short", 30 * time.Millisecond, true}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c := config("member-0", depth, 20*work)
			c.AckWait = test.ackWait
			durable := b.durable(c)
			b.publish(events)
			var l log
			stop := b.start(durable, depth, func(j job) error {
				time.Sleep(work)
				return l.add(j)
			}, func(err error) { t.Error(err) })
			b.info(durable, "handled", func(info *jetstream.ConsumerInfo) bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return done(events)(info) || l.repeats > 50
			})
			stop()
			if got := !slices.IsSorted(l.sequences); l.repeats > 0 != test.repeats || got != test.repeats {
				t.Errorf("AckWait %v: %d of %d events came again, out of order: %v; want both: %v", test.ackWait, l.repeats, len(l.sequences), got, test.repeats)
			}
		})
	}
}

// An event waits at worst behind all that are fetched and in the inbox, and all of them are open at the broker.
func TestConfig(t *testing.T) {
	for _, depth := range []int{32, 64, 1000, 10_000} {
		c := config("member-0", depth, time.Second)
		if wait := time.Duration(depth+2*pull) * time.Second; c.AckWait < wait {
			t.Errorf("depth %d: AckWait %v, want %v at least", depth, c.AckWait, wait)
		}
		if open := depth + 2*pull; c.MaxAckPending < open {
			t.Errorf("depth %d: MaxAckPending %d, want %d at least", depth, c.MaxAckPending, open)
		}
	}
}

// A member that ends first handles, in order, what it has fetched: it does not leave it to AckWait.
func TestEndHandlesWhatIsFetched(t *testing.T) {
	const depth, events = 32, pull - 2
	b := newBench(t)
	durable := b.durable(config("member-0", depth, time.Second))
	var l log
	gate := make(chan struct{})
	stop := b.start(durable, 1, func(j job) error {
		<-gate
		return l.add(j)
	}, func(err error) { t.Error(err) })
	b.publish(events)
	b.info(durable, "fetched", func(info *jetstream.ConsumerInfo) bool { return info.NumAckPending == events })
	b.received()
	time.AfterFunc(50*time.Millisecond, func() { close(gate) }) // when it has been told to end
	stop()
	if len(l.sequences) != events || !slices.IsSorted(l.sequences) {
		t.Errorf("handled %v, want each of %d in order", l.sequences, events)
	}
	b.info(durable, "acknowledged", done(events))
}

// A handler that fails is given the event again, later.
func TestFailedComesAgain(t *testing.T) {
	b := newBench(t)
	durable := b.durable(config("member-0", 32, time.Second))
	b.publish(1)
	var l log
	start := time.Now()
	stop := b.start(durable, 32, func(j job) error {
		if err := l.add(j); err != nil || l.repeats > 0 {
			return err
		}
		return errors.New("not now")
	}, func(err error) { t.Error(err) })
	b.info(durable, "handled", done(1))
	stop()
	if took := time.Since(start); len(l.sequences) != 2 || took < failedAfter*9/10 {
		t.Errorf("handled %d times within %v, want 2 and %v", len(l.sequences), took, failedAfter)
	}
}

// A durable that is gone ends its consumer, and the consumer says so: if it is deleted while the
// server has a request for more, and if it was deleted before.
func TestDurableIsGone(t *testing.T) {
	const depth = 32
	for _, test := range []struct {
		name   string
		events int
		want   error
	}{{"asked", 0, jetstream.ErrConsumerDeleted}, {"before", 3 * (depth + pull), jetstream.ErrConsumerNotFound}} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			durable := b.durable(config("member-0", depth, time.Second))
			b.publish(test.events)
			deleted, told := make(chan struct{}), make(chan error, 1000)
			stop := b.start(durable, depth, func(job) error {
				<-deleted
				return nil
			}, func(err error) { told <- err })
			b.info(durable, "fetched", func(info *jetstream.ConsumerInfo) bool {
				return test.events == 0 && info.NumWaiting > 0 || info.NumAckPending > depth+pull/2 && info.NumWaiting == 0
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
			stop()
		})
	}
}
