package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

// A stage is a cluster with the topic "topic", and a publisher.
type stage struct {
	*testing.T
	cluster   *kfake.Cluster
	publisher *kgo.Client
	admin     *kadm.Client
	ctx       context.Context // ends after a while, so that a test fails rather than hang
	own       []string        // keys of the member
	other     string          // a key of the other one
}

func start(t *testing.T) *stage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "topic"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	publisher, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ProducerLinger(0),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(publisher.Close)
	return &stage{t, cluster, publisher, kadm.NewClient(publisher), ctx, slottest.Keys(t, 2, 0, 3), slottest.Key(t, 2, 1)}
}

func (s *stage) publish(partition int32, subjects ...string) {
	s.Helper()
	for _, subject := range subjects {
		value := []byte(`{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"` + subject + `"}`)
		r := &kgo.Record{Topic: "topic", Partition: partition, Value: value}
		if err := s.publisher.ProduceSync(s.ctx, r).FirstErr(); err != nil {
			s.Fatal(err)
		}
	}
}

// committed returns the position of the member's group in partition 0, and -1 where there is none.
func (s *stage) committed() int64 {
	s.Helper()
	offsets, err := s.admin.FetchOffsets(s.ctx, "member-0")
	if err != nil {
		s.Fatal(err)
	}
	at, ok := offsets.Lookup("topic", 0)
	if !ok {
		return -1
	}
	return at.At
}

// A member is a consumer that has joined. Its handler says what it has, and waits to be let go on.
type member struct {
	*consumer
	stage *stage
	begun chan string // "0/5": partition and offset
	goOn  chan struct{}
	told  chan error

	stop func()
	end  chan error // of run
}

// join joins as member 0 of 2. A member that was not left is, at the end of the test.
func (s *stage) join(replay bool, options ...kgo.Opt) *member {
	s.Helper()
	place, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		s.Fatal(err)
	}
	m := &member{stage: s, begun: make(chan string), goOn: make(chan struct{}), told: make(chan error, 100), end: make(chan error, 1)}
	m.consumer = &consumer{
		filter: slot.NewFilter(place), counter: new(slot.Counter), failed: func(err error) {
			select {
			case m.told <- err:
			default: // enough
			}
		},
		handle: func(r *kgo.Record, _ slot.Verdict) {
			select {
			case m.begun <- fmt.Sprintf("%d/%d", r.Partition, r.Offset):
				<-m.goOn
			case <-s.ctx.Done():
			}
		},
	}
	options = append(options, kgo.SeedBrokers(s.cluster.ListenAddrs()...))
	if err := m.join(s.ctx, "member-0", []string{"topic"}, replay, options...); err != nil {
		s.Fatal(err)
	}
	return m
}

func (m *member) start() {
	running, stop := context.WithCancel(m.stage.ctx)
	m.stop = stop
	go func() { m.end <- m.run(running) }()
}

// leave stops the loop, lets the handler go on if it is held, and closes.
func (m *member) leave(held bool) {
	m.stage.Helper()
	m.stop()
	if held {
		m.goOn <- struct{}{}
	}
	if err := <-m.end; err != nil {
		m.stage.Error(err)
	}
	if err := m.close(); err != nil {
		m.stage.Error(err)
	}
}

// begins waits for the handler to begin an event, and checks which it is.
func (m *member) begins(want string) {
	m.stage.Helper()
	select {
	case got := <-m.begun:
		if got != want {
			m.stage.Fatalf("the handler has %s, want %s", got, want)
		}
	case <-m.stage.ctx.Done():
		m.stage.Fatalf("the handler never had %s", want)
	}
}

// handles lets the handler handle events, to the end.
func (m *member) handles(want ...string) {
	m.stage.Helper()
	for _, w := range want {
		m.begins(w)
		m.goOn <- struct{}{}
	}
}

// waits until the consumer has n events of partition 0 that have begun, as it sees it, and have not ended.
func (m *member) waits(n int) {
	m.stage.Helper()
	for got := -1; got != n; {
		select {
		case <-m.stage.ctx.Done():
			m.stage.Fatalf("%d events are unfinished, want %d", got, n)
		case <-time.After(time.Millisecond):
		}
		m.mu.Lock()
		if f := m.frontiers["topic"][0]; f != nil {
			got, _ = f.Unfinished()
		}
		m.mu.Unlock()
	}
}

// The committed position waits for an own event that is in its handler, and does not wait for
// foreign ones. When the member is back it goes on from there.
func TestCommitsByFrontier(t *testing.T) {
	s := start(t)
	s.publish(0, s.other, s.own[0], s.other, s.other, s.own[1], s.other)
	m := s.join(true)
	m.start()
	for _, step := range []struct {
		begins    string
		committed int64
	}{{"0/1", 1}, {"0/4", 4}} {
		m.begins(step.begins)
		if err := m.client.CommitMarkedOffsets(s.ctx); err != nil {
			t.Fatal(err)
		}
		if got := s.committed(); got != step.committed {
			t.Errorf("with %s in its handler %d is committed, want %d", step.begins, got, step.committed)
		}
		if step.committed == 1 {
			m.goOn <- struct{}{}
		}
	}
	m.leave(true)
	if got := s.committed(); got != 6 {
		t.Errorf("in the end %d is committed, want 6", got)
	}
	s.publish(0, s.own[2])
	m = s.join(true)
	m.start()
	m.begins("0/6")
	m.leave(true)
}

// polled counts the records that polls have returned.
type polled struct{ atomic.Int64 }

func (p *polled) OnFetchRecordUnbuffered(_ *kgo.Record, polled bool) {
	if polled {
		p.Add(1)
	}
}

// A member that is to end finishes the event in its handler, and none of those that it has polled
// beyond it; also when the loop waits for the inbox. They come at the next start.
func TestEndsBetweenEvents(t *testing.T) {
	s := start(t)
	s.publish(0, slices.Repeat(s.own[:1], inbox+200)...)
	var count polled
	m := s.join(true, kgo.WithHooks(&count))
	m.start()
	m.begins("0/0")
	m.waits(inbox + 2) // one in the handler, the inbox is full, and one waits for it
	if got := count.Load(); got != 100 {
		t.Errorf("%d records were polled, want 100", got)
	}
	m.leave(true)
	if got := m.counter.Counts().Own; got != inbox+2 {
		t.Errorf("%d records were decided on, want %d", got, inbox+2)
	}
	if got := s.committed(); got != 1 {
		t.Errorf("%d is committed, want 1", got)
	}
	m = s.join(true)
	m.start()
	m.handles("0/1", "0/2")
	m.begins("0/3")
	m.leave(true)
}

// A new group begins at the end of a topic, or at its start. Where, is committed at once: what
// comes before its second start is not lost, even if it has committed nothing at its first.
func TestBegins(t *testing.T) {
	for _, c := range []struct {
		replay    bool
		committed int64
		handles   []string
	}{
		{false, 2, []string{"0/2"}},
		{true, 0, []string{"0/0", "0/1", "0/2"}},
	} {
		t.Run(fmt.Sprintf("replay %v", c.replay), func(t *testing.T) {
			s := start(t)
			s.publish(0, s.own[:2]...)
			m := s.join(c.replay)
			if got := s.committed(); got != c.committed {
				t.Errorf("a new group begins at %d, want %d", got, c.committed)
			}
			if err := m.close(); err != nil {
				t.Fatal(err)
			}
			s.publish(0, s.own[2])
			m = s.join(c.replay)
			m.start()
			m.handles(c.handles[:len(c.handles)-1]...)
			m.begins(c.handles[len(c.handles)-1])
			m.leave(true)
			if got := s.committed(); got != 3 {
				t.Errorf("in the end %d is committed, want 3", got)
			}
		})
	}
}

// A partition that was added while the member was away is read from its start, whatever a new group does.
func TestNewPartition(t *testing.T) {
	s := start(t)
	if err := s.join(false).close(); err != nil {
		t.Fatal(err)
	}
	added, err := s.admin.CreatePartitions(s.ctx, 1, "topic")
	if err == nil {
		err = added.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.publisher.ForceMetadataRefresh()
	s.publish(1, s.own[0])
	m := s.join(false)
	m.start()
	m.begins("1/0")
	m.leave(true)
}

// A topic that is not there is an error at once.
func TestNoTopic(t *testing.T) {
	s := start(t)
	options := []kgo.Opt{kgo.SeedBrokers(s.cluster.ListenAddrs()...)}
	err := new(consumer).join(s.ctx, "member-0", []string{"none"}, false, options...)
	if !errors.Is(err, kerr.UnknownTopicOrPartition) {
		t.Errorf("got %v", err)
	}
}

// An error that the client gets over by itself is told, and the loop goes on.
func TestGoesOn(t *testing.T) {
	s := start(t)
	const joinGroup = 11
	s.cluster.Fault(kfake.Fault{Keys: append(kfake.Fault{}.Keys, joinGroup), Err: kerr.GroupAuthorizationFailed})
	s.publish(0, s.own[0])
	m := s.join(true)
	m.start()
	m.begins("0/0")
	m.leave(true)
	var session *kgo.ErrGroupSession
	if err := <-m.told; !errors.As(err, &session) || !errors.Is(err, kerr.GroupAuthorizationFailed) || len(m.told) > 0 {
		t.Errorf("told %v, and %d errors more", err, len(m.told))
	}
}

// An error that comes again and again is not told again and again: the loop does not spin.
func TestPauses(t *testing.T) {
	s := start(t)
	const fetch = 1
	s.cluster.Fault(kfake.Fault{Keys: append(kfake.Fault{}.Keys, fetch), Err: kerr.KafkaStorageError, Count: -1})
	m := s.join(true, kgo.KeepRetryableFetchErrors())
	m.start()
	var first time.Time
	for i := range 3 {
		if err := <-m.told; !errors.Is(err, kerr.KafkaStorageError) {
			t.Errorf("told %v", err)
		}
		if i == 0 {
			first = time.Now()
		}
	}
	if took := time.Since(first); took < time.Second {
		t.Errorf("told twice more in %v", took)
	}
	m.leave(false)
}

// An error that stays ends the loop; what is in the inbox is still handled.
func TestEnds(t *testing.T) {
	s := start(t)
	s.publish(0, s.own[:2]...)
	m := s.join(true)
	m.start()
	m.begins("0/0")
	const fetch = 1
	s.cluster.Fault(kfake.Fault{Keys: append(kfake.Fault{}.Keys, fetch), Err: kerr.TopicAuthorizationFailed, Count: -1})
	s.publish(0, s.other) // wakes a fetch that waits
	m.goOn <- struct{}{}
	m.handles("0/1")
	if err := <-m.end; !errors.Is(err, kerr.TopicAuthorizationFailed) || !strings.Contains(err.Error(), `of "topic"`) {
		t.Errorf("got %v", err)
	}
	if err := m.close(); err != nil {
		t.Error(err)
	}
	if got := s.committed(); got != 2 && got != 3 { // the foreign one may have come before the fault
		t.Errorf("%d is committed, want 2 or 3", got)
	}
}

// Which errors of a fetch end the loop.
func TestWhatEnds(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{kgo.ErrClientClosed, true},
		{&kgo.ErrDecompressTooLarge{Topic: "topic"}, true},
		{kerr.TopicAuthorizationFailed, true},
		{&kgo.ErrDataLoss{Topic: "topic"}, false},
		{&kgo.ErrGroupSession{Err: kerr.GroupAuthorizationFailed}, false},
		{kerr.NotLeaderForPartition, false},
		{errors.New("a batch that cannot be read"), false},
	} {
		if got := ends(fmt.Errorf("partition 0: %w", c.err)); got != c.want {
			t.Errorf("%v: ends %v, want %v", c.err, got, c.want)
		}
	}
}

// When the position is set back, by a log that lost records or by hand, what comes is handled,
// whatever had that offset before. An event that was begun before that does not commit what is
// behind it.
func TestSetBack(t *testing.T) {
	s := start(t)
	s.publish(0, s.own...)
	m := s.join(true)
	m.start()
	m.handles("0/0", "0/1")
	m.begins("0/2")
	m.client.SetOffsets(map[string]map[int32]kgo.EpochOffset{"topic": {0: {Epoch: -1, Offset: 0}}})
	m.waits(3) // anew: all three, and nothing else
	m.goOn <- struct{}{}
	m.begins("0/0")
	if err := m.client.CommitMarkedOffsets(s.ctx); err != nil {
		t.Fatal(err)
	}
	if got := s.committed(); got != 0 {
		t.Errorf("%d is committed, want 0", got)
	}
	m.goOn <- struct{}{}
	m.handles("0/1")
	m.begins("0/2")
	m.leave(true)
}
