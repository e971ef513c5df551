package main

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: kfake, embedded", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it", "cursors: 3 member(s)\n  PASS")
}

// Members of one consumer group share the partitions, in whatever way they are assigned: sometimes one member has all of them.
func TestSharedGroupLoses(t *testing.T) {
	p := program()
	p.Silence = 5 * time.Second // the members' rebalances
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, func(*runner.Member) string { return "shared" })
	}
	runnertest.Fails(t, p, nil, "lost: ", "FAIL  member-")
}

// The committed position waits for an own event that is in its handler, and does not wait for foreign ones. When the member is back it
// goes on from there.
func TestCommitsByFrontier(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "topic"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	publisher, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ProducerLinger(0))
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()

	own, foreign := slottest.Keys(t, 2, 0, 2), slottest.Key(t, 2, 1)
	for _, subject := range []string{foreign, own[0], foreign, foreign, own[1], foreign} {
		r := &kgo.Record{Topic: "topic", Value: []byte(`{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"` + subject + `"}`)}
		if err := publisher.ProduceSync(ctx, r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	committed := func() int64 {
		offsets, err := kadm.NewClient(publisher).FetchOffsets(ctx, "member-0")
		if err != nil {
			t.Fatal(err)
		}
		at, _ := offsets.Lookup("topic", 0)
		return at.At
	}

	member, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		t.Fatal(err)
	}
	m := runner.NewMember("member-0", slot.NewFilter(member), func(err error) { t.Error(err) })
	m.Topics = []string{"topic"}
	begun, goOn := make(chan int64), make(chan struct{})
	c, err := newConsumer(cluster.ListenAddrs(), "member-0", m, func(r *kgo.Record, _ slot.Verdict) {
		begun <- r.Offset
		<-goOn
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.client.CloseAllowingRebalance()
	running, stop := context.WithCancel(ctx)
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := c.run(running); err != nil {
			t.Error(err)
		}
	})
	for _, step := range []struct{ own, committed int64 }{{1, 1}, {4, 4}} {
		if got := <-begun; got != step.own {
			t.Fatalf("the handler has offset %d, want %d", got, step.own)
		}
		if err := c.client.CommitMarkedOffsets(ctx); err != nil {
			t.Fatal(err)
		}
		if got := committed(); got != step.committed {
			t.Errorf("with %d in its handler %d is committed, want %d", step.own, got, step.committed)
		}
		goOn <- struct{}{}
	}
	stop()
	loop.Wait()
	if err := c.client.CommitMarkedOffsets(ctx); err != nil {
		t.Fatal(err)
	}
	if got := committed(); got != 6 {
		t.Errorf("in the end %d is committed, want 6", got)
	}
}

// -brokers finds a cluster of several brokers.
func TestBrokers(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	runnertest.Passes(t, program(), []string{"-brokers", strings.Join(cluster.ListenAddrs(), ",")}, "broker: Kafka (", "324 events")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "127.0.0.1:1", "no Kafka broker at 127.0.0.1:1")
	for _, brokers := range []string{"127.0.0.1", "a:1,b", "a:", ","} {
		runnertest.Refuses(t, program(), "wanted is an address like localhost:9092", "-brokers", brokers)
	}
}
