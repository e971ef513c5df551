package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: none; 3 HTTP servers", "324 events (112 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events are lost")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// freePorts returns addresses that nobody listens on.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var addresses []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addresses = append(addresses, l.Addr().String())
	}
	return addresses
}

// proxy starts a reverse proxy in front of servers, which take turns.
func proxy(t *testing.T, addresses ...string) string {
	t.Helper()
	var turn atomic.Int64
	transport := &http.Transport{}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: addresses[int(turn.Add(1))%len(addresses)]})
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // away
	})
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
	})
	return server.URL
}

func TestThroughProxies(t *testing.T) {
	addresses := freePorts(t, 3)
	var urls []string
	for _, address := range addresses {
		urls = append(urls, proxy(t, address))
	}
	runnertest.Passes(t, program(), []string{"-listen", strings.Join(addresses, ","), "-url", strings.Join(urls, ",")}, "324 handled")
}

// A load balancer in front of the members gives each event to one of them.
func TestLoadBalancer(t *testing.T) {
	addresses := freePorts(t, 3)
	balancer := proxy(t, addresses...)
	o := runnertest.Run(t, program(), "-listen", strings.Join(addresses, ","), "-url", strings.Join([]string{balancer, balancer, balancer}, ","))
	if o.Status != 1 || o.Out != "" || strings.Count(o.Err, "\n") != 1 || !strings.Contains(o.Err, "a load balancer gives each event to one member") {
		t.Errorf("status %d, %q\n%s", o.Status, o.Err, o.Out)
	}
}

func TestAddresses(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for address, want := range map[string]string{
		"http://127.0.0.1:1": "cannot be reached: Get \"http://127.0.0.1:1\": dial tcp 127.0.0.1:1: connect: connection refused",
		other.URL:            "another server answers, 404 Not Found",
	} {
		o := runnertest.Run(t, program(), "-members", "1", "-listen", freePorts(t, 1)[0], "-url", address)
		if o.Status != 1 || o.Out != "" || strings.Count(o.Err, "\n") != 1 || !strings.Contains(o.Err, want) {
			t.Errorf("status %d, %q, want %q\n%s", o.Status, o.Err, want, o.Out)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if o := runnertest.Run(t, program(), "-members", "1", "-listen", taken.Addr().String()); o.Status != 1 || !strings.Contains(o.Err, "address already in use") {
		t.Errorf("status %d, %q", o.Status, o.Err)
	}
	runnertest.Refuses(t, program(), "wanted is an address like http://localhost:8080", "-members", "1", "-listen", "a:1", "-url", "nats://host")
}
