package main

import (
	"context"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: miniredis, embedded", "324 events (0 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it", "cursors: 3 member(s)\n  PASS")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Members of one consumer group compete.
func TestSharedGroupLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, func(*runner.Member) string { return "shared" })
	}
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// Two addresses are a cluster, also if they are the same one.
func TestCluster(t *testing.T) {
	broker := miniredis.RunT(t)
	broker.Server().SetPreHook(func(peer *server.Peer, cmd string, _ ...string) bool {
		if cmd != "INFO" {
			return false
		}
		peer.WriteBulk("redis_version:7.0.15\r\n")
		return true
	})
	one := "redis://" + broker.Addr()
	for urls, cluster := range map[string]bool{one: false, one + ", " + one: true} {
		o, err := parse(urls)
		if err != nil {
			t.Fatal(err)
		}
		client := connect(o)
		if _, got := client.(*redis.ClusterClient); got != cluster {
			t.Errorf("%s: a client of a cluster: %v, want %v", urls, got, cluster)
		}
		client.Close()
		runnertest.Passes(t, program(), []string{"-url", urls}, "324 events")
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "redis://127.0.0.1:1", "no Redis server at 127.0.0.1:1")
	for _, url := range []string{"http://127.0.0.1", "redis://user:secret@host:x", "redis://a,kafka://b"} {
		runnertest.Refuses(t, program(), "-url has a malformed address", "-url", url)
	}
}
