package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

// startCluster starts three nodes in this process, with routes between them, and returns them with their addresses.
func startCluster(t *testing.T) (nodes []*server.Server, url string) {
	t.Helper()
	var ports []int
	var routes, urls []string
	var held []net.Listener
	for range 3 { // every node knows all routes from the start
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports, routes = append(ports, l.Addr().(*net.TCPAddr).Port), append(routes, "nats://"+l.Addr().String())
		held = append(held, l) // so that the next one has another port
	}
	for _, l := range held {
		l.Close()
	}
	for i, port := range ports {
		node, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("node-", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, node)
		t.Cleanup(func() {
			node.Shutdown()
			node.WaitForShutdown()
		})
	}
	for _, node := range nodes {
		go node.Start()
	}
	for _, node := range nodes {
		if !node.ReadyForConnections(10 * time.Second) {
			t.Fatal("a node is not ready")
		}
		urls = append(urls, node.ClientURL())
	}
	within(t, 10*time.Second, "the cluster has a leader that knows three nodes", func() bool {
		return slices.ContainsFunc(nodes, func(node *server.Server) bool {
			return node.JetStreamIsLeader() && len(node.JetStreamClusterPeers()) == 3
		})
	})
	return nodes, strings.Join(urls, ",")
}

func within(t *testing.T, patience time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long: %s", what)
		}
	}
}

// The program on a cluster; and a consumer of which the node that leads its durable goes away,
// which is no reason to end.
func TestCluster(t *testing.T) {
	nodes, url := startCluster(t)
	nc, err := nats.Connect(url, reconnect)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	within(t, 20*time.Second, "three nodes take a stream", func() bool {
		attempt, cancel := context.WithTimeout(ctx, time.Second) // who has no leader does not answer
		defer cancel()
		_, err = js.CreateStream(attempt, jetstream.StreamConfig{Name: streamName, Subjects: []string{topic}, Replicas: 3})
		return err == nil
	})
	runnertest.Passes(t, program(), []string{"-url", url}, "broker: nats-server 2.", "its 28 events waited for it")
	durable, err := js.CreateOrUpdateConsumer(ctx, streamName, config("member-0"))
	if err != nil {
		t.Fatal(err)
	}
	var last atomic.Uint64
	filter, counter := dedicated()
	consuming, err := consume(durable, filter, counter, func(msg jetstream.Msg, _ slot.Verdict) error {
		about, err := msg.Metadata()
		if err == nil {
			last.Store(about.Sequence.Stream)
		}
		return err
	}, func(err error) { t.Error("told:", err) })
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{js: js}
	send := func(seq uint64) {
		t.Helper()
		event := runner.Event{Seq: seq, Body: []byte(`{"specversion":"1.0","id":"1","source":"s","type":"t"}`)}
		if err := e.Publish(ctx, topic, event); err != nil {
			t.Fatal(err)
		}
		within(t, 20*time.Second, "an event is handled", func() bool { return last.Load() == seq })
	}
	send(1)
	i := slices.IndexFunc(nodes, func(node *server.Server) bool {
		return node.JetStreamIsConsumerLeader(server.DEFAULT_GLOBAL_ACCOUNT, streamName, "member-0")
	})
	if i < 0 {
		t.Fatal("the durable has no leader")
	}
	nodes[i].Shutdown()
	send(2)
	if err := drain(nc, durable, consuming); err != nil {
		t.Error(err)
	}
}
