package main

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// listen starts a server that runs already, for -url, and returns its address.
func listen(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// Runs on one server do not disturb each other.
func TestSharedServer(t *testing.T) {
	s := listen(t, server.Options{})
	var all sync.WaitGroup
	var got [3]outcome
	for i := range got {
		all.Go(func() { got[i] = try(t, faults{}, "-url", s.ClientURL(), "-repeat", "5") })
	}
	all.Wait()
	seen := map[string]bool{}
	for _, o := range got {
		o.passes(t)
		o.has(t, "at "+s.ClientURL()+"\n")
		_, after, _ := strings.Cut(o.out, "wrk.demo.command.group-1-")
		run, _, _ := strings.Cut(after, " ")
		seen[run] = run != ""
	}
	if len(seen) != len(got) || seen[""] {
		t.Errorf("runs share a command topic: %v", seen)
	}
}

// Workers and publisher sit on different servers of a cluster.
func TestCluster(t *testing.T) {
	var urls []string
	var routes string
	for i := range 3 {
		s := listen(t, server.Options{
			ServerName: fmt.Sprint("server-", i),
			Cluster:    server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: server.RANDOM_PORT},
			Routes:     server.RoutesFromStr(routes),
		})
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("server not ready")
		}
		routes = "nats://" + s.ClusterAddr().String()
		urls = append(urls, s.ClientURL())
	}
	try(t, faults{}, "-url", strings.Join(urls, ","), "-members", "9", "-repeat", "5").passes(t)
}

// The server goes away in the middle.
func TestServerStops(t *testing.T) {
	s := listen(t, server.Options{})
	var out strings.Builder
	var stderr strings.Builder
	status := run(t.Context(), []string{"-url", s.ClientURL(), "-repeat", "1000000"}, writer(func(p []byte) {
		out.Write(p)
		if strings.HasPrefix(string(p), "command: ") {
			s.Shutdown()
		}
	}), &stderr, faults{})
	if status != 1 || strings.Count(stderr.String(), "\n") != 1 || strings.Contains(out.String(), "all 5 phases") {
		t.Errorf("status %d\n%s%s", status, &out, &stderr)
	}
}

// Something listens, and says nothing.
func TestMuteServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o := try(t, faults{}, "-url", l.Addr().String())
	if o.status != 1 || !strings.HasPrefix(o.err, "scaling: no NATS server at nats://"+l.Addr().String()+": ") || strings.Count(o.err, "\n") != 1 {
		t.Errorf("status %d, %q", o.status, o.err)
	}
}
