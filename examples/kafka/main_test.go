package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: kfake, embedded", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it", "cursors: 3 member(s)\n  PASS")
}

// Members of one consumer group share the partitions, in whatever way they are assigned: sometimes
// one member has all of them.
func TestSharedGroupLoses(t *testing.T) {
	p := program()
	p.Silence = 5 * time.Second // the members' rebalances
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, func(*runner.Member) string { return "shared" })
	}
	runnertest.Fails(t, p, nil, "lost: ", "FAIL  member-")
}

// -brokers finds a cluster of several brokers.
func TestBrokers(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	runnertest.Passes(t, program(), []string{"-brokers", strings.Join(cluster.ListenAddrs(), " , ")}, "broker: Kafka (", "324 events")
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "127.0.0.1:1", "no Kafka broker at 127.0.0.1:1")
	for _, brokers := range []string{"127.0.0.1", "a:1,b", "a:", ","} {
		runnertest.Refuses(t, program(), "wanted is an address like localhost:9092", "-brokers", brokers)
	}
}
