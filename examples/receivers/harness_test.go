package receivers_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

const (
	size         = 3
	eventTopic   = "ticks.eu"
	commandTopic = "wrk.feed.command.7"
	patience     = time.Minute // after which a test fails; none waits for it
)

// A network is a transport, with a server of its own for each test.
type network interface {
	// join returns what a member receives by: one protocol or several, all its own.
	join(t *testing.T, member int) []source
	// publish sends an event to all members, in structured mode, or in the mode that the SDK prefers there.
	publish(t *testing.T, topic string, e event.Event, structured bool)
}

// A source is a protocol of the SDK.
type source struct {
	inner interface {
		protocol.Receiver
		protocol.Opener
	}
	topic func(binding.Message) string
	ready <-chan struct{} // closed when it gets what is published from now on; nil: it gets what was published before as well
}

// A worker is a running member.
type worker struct {
	filter   *slot.Filter
	counter  slot.Counter
	finished chan error // of each message that was finished, what with
	stop     func()
	mu       sync.Mutex
	handled  []event.Event
}

func (w *worker) handle(e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.handled = append(w.handled, e)
}

// counted tells of each message that is finished, also of those that the filter drops.
type counted struct {
	source
	finished chan error
}

func (c counted) Receive(ctx context.Context) (binding.Message, error) {
	m, err := c.inner.Receive(ctx)
	if err != nil {
		return nil, err
	}
	return binding.WithFinish(m, func(err error) { c.finished <- err }), nil
}

func (c counted) OpenInbound(ctx context.Context) error { return c.inner.OpenInbound(ctx) }

// start runs a member. Where handle is nil its handler only notes the events.
func start(t *testing.T, n network, index int, handle func(event.Event), options ...client.Option) *worker {
	t.Helper()
	m, err := slot.New(slot.Config{Group: "pairs", Size: size, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{filter: slot.NewFilter(m), finished: make(chan error, 10000)}
	if handle == nil {
		handle = w.handle
	}
	ctx, cancel := context.WithCancel(context.Background())
	var clients sync.WaitGroup
	for _, s := range n.join(t, index) {
		filtered, err := receiver.New(counted{s, w.finished}, w.filter, s.topic, receiver.Options{
			Verdict:   w.counter.Count,
			Malformed: func(_ binding.Message, err error) { t.Errorf("member %d: malformed: %v", index, err) },
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.New(filtered, options...)
		if err != nil {
			t.Fatal(err)
		}
		clients.Go(func() {
			if err := c.StartReceiver(ctx, handle); err != nil {
				t.Errorf("member %d: %v", index, err)
			}
		})
		if s.ready != nil {
			select {
			case <-s.ready:
			case <-time.After(patience):
				t.Fatal("not ready in time")
			}
		}
	}
	w.stop = sync.OnceFunc(func() { cancel(); clients.Wait() })
	t.Cleanup(w.stop)
	return w
}

// wait waits until n messages have been finished, each with nil.
func (w *worker) wait(t *testing.T, n int) {
	t.Helper()
	timeout := time.After(patience)
	for i := range n {
		select {
		case err := <-w.finished:
			if err != nil {
				t.Errorf("a message was finished with %v", err)
			}
		case <-timeout:
			t.Fatalf("%d of %d messages were finished in time", i, n)
		}
	}
}

func newEvent(subject string, n int) event.Event {
	e := event.New()
	e.SetID(fmt.Sprintf("%06d", n))
	e.SetSubject(subject)
	e.SetSource("/feed")
	e.SetType("tick")
	if err := e.SetData("application/json", map[string]any{"n": n, "subject": "of the data"}); err != nil {
		panic(err)
	}
	return e
}

func inOrder() []client.Option {
	return []client.Option{client.WithBlockingCallback(), client.WithPollGoroutines(1)}
}

// testDivides publishes events and commands, and counts who handles and who finishes what.
func testDivides(t *testing.T, n network) {
	const events, commands = 300, 5
	var workers [size]*worker
	for i := range workers {
		workers[i] = start(t, n, i, nil, inOrder()...)
	}
	var want [size][]string // ids by member
	published := map[string]event.Event{}
	for i := range events {
		e := newEvent(fmt.Sprintf("order-%d", i%17), i)
		published[e.ID()] = e
		for j, w := range workers {
			if w.filter.Member().Owns(e.Subject()) {
				want[j] = append(want[j], e.ID())
			}
		}
		n.publish(t, eventTopic, e, i%2 == 0)
	}
	for i := range commands {
		e := newEvent("order-0", events+i)
		published[e.ID()] = e
		for j := range workers {
			want[j] = append(want[j], e.ID())
		}
		n.publish(t, commandTopic, e, i%2 == 0)
	}
	for _, w := range workers {
		w.wait(t, events+commands)
	}
	var total slot.Counts
	for i, w := range workers {
		w.stop()
		if extra := len(w.finished); extra > 0 {
			t.Errorf("member %d finished %d messages too many", i, extra)
		}
		var got, gotCommands []string
		for _, e := range w.handled {
			if e.ID() >= newEvent("", events).ID() {
				gotCommands = append(gotCommands, e.ID())
			} else {
				got = append(got, e.ID())
			}
			if p := published[e.ID()]; e.Subject() != p.Subject() || string(e.Data()) != string(p.Data()) || e.Type() != p.Type() {
				t.Errorf("member %d got %v, want %v", i, e, p)
			}
		}
		if all := append(got, gotCommands...); !slices.Equal(all, want[i]) { // commands may come by another way than events
			t.Errorf("member %d handled, in this order,\n%v, want\n%v", i, all, want[i])
		}
		total = total.Plus(w.counter.Counts())
	}
	if want := (slot.Counts{Own: events, Foreign: events * (size - 1), Bypass: commands * size}); total != want {
		t.Errorf("got %+v, want %+v", total, want)
	}
}

// testSlowHandler has a handler wait while foreign events come, with the client's own settings: no
// blocking callbacks, several poll goroutines.
func testSlowHandler(t *testing.T, n network, whileWaiting func(t *testing.T, foreign int)) {
	const foreign = 100
	begun, release := make(chan string, 1), make(chan struct{})
	w := start(t, n, 1, func(e event.Event) { begun <- e.ID(); <-release })
	own := newEvent(slottest.Key(t, size, 1), 0)
	n.publish(t, eventTopic, own, false)
	select {
	case id := <-begun:
		if id != own.ID() {
			t.Errorf("got %s, want %s", id, own.ID())
		}
	case <-time.After(patience):
		t.Fatal("the own event was not handled in time")
	}
	for i := range foreign {
		n.publish(t, eventTopic, newEvent(slottest.Key(t, size, 0), 1+i), i%2 == 0)
	}
	w.wait(t, foreign)
	if got, want := w.counter.Counts(), (slot.Counts{Own: 1, Foreign: foreign}); got != want {
		t.Errorf("got %+v while the handler waits, want %+v", got, want)
	}
	if whileWaiting != nil {
		whileWaiting(t, foreign)
	}
	close(release)
	w.wait(t, 1)
}
