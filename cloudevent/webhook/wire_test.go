package webhook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// These tests speak HTTP by hand where a client would hide what happens on the connection.

// A wire is one connection to a server.
type wire struct {
	t    *testing.T
	conn *net.TCPConn
	r    *bufio.Reader
}

func dial(t *testing.T, s *httptest.Server) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil { // a failure rather than a hang
		t.Fatal(err)
	}
	return &wire{t, conn.(*net.TCPConn), bufio.NewReader(conn)}
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.conn, text); err != nil {
		w.t.Fatal(err)
	}
}

// status reads one answer to its end and returns its status, and whether the connection goes on.
func (w *wire) status() (status int, alive bool) {
	w.t.Helper()
	response, err := http.ReadResponse(w.r, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		w.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode, !response.Close
}

func (w *wire) want(status int, alive bool) {
	w.t.Helper()
	if s, a := w.status(); s != status || a != alive {
		w.t.Errorf("got %d with the connection alive: %v, want %d, %v", s, a, status, alive)
	}
}

func head(id, rest string) string {
	return "POST / HTTP/1.1\r\nHost: x\r\nCe-Specversion: 1.0\r\nCe-Id: " + id + "\r\n" + rest + "\r\n"
}

func announced(id string, n int) string { return head(id, fmt.Sprintf("Content-Length: %d\r\n", n)) }

// A foreign body is read to its end, so that the connection serves the next request; a long one is not.
func TestDrain(t *testing.T) {
	foreign := key(t, 0)
	for _, test := range []struct {
		name  string
		limit int64 // of MaxDrain
		size  int
		alive bool
	}{
		{"empty", 0, 0, true},
		{"short", 0, 1000, true},
		{"at the limit of net/http", 0, webhook.DefaultMaxDrain, true},
		{"above it", 0, webhook.DefaultMaxDrain + 1, false},
		{"above it, allowed", webhook.DefaultMaxDrain + 1, webhook.DefaultMaxDrain + 1, true},
		{"at a limit of its own", 10, 10, true},
		{"above a limit of its own", 10, 11, false},
		{"no limit to speak of", 1<<63 - 1, 1 << 20, true},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, chunked %v", test.name, chunked), func(t *testing.T) {
				s := &sink{}
				w := dial(t, serve(t, handler(t, member(t, 1), s, webhook.Options{MaxDrain: test.limit})))
				body := strings.Repeat("x", test.size)
				if chunked {
					text := head(foreign, "Transfer-Encoding: chunked\r\n")
					if body != "" {
						text += fmt.Sprintf("%x\r\n%s\r\n", len(body), body)
					}
					go io.WriteString(w.conn, text+"0\r\n\r\n") // the server may close before it is written
				} else {
					go io.WriteString(w.conn, announced(foreign, len(body))+body)
				}
				w.want(http.StatusNoContent, test.alive)
				if !test.alive {
					return
				}
				w.send(announced(key(t, 1), 5) + "hello")
				w.want(http.StatusOK, true)
				if got := s.take(); len(got) != 1 || got[0].body != "hello" {
					t.Errorf("got %+v, want the second event", got)
				}
			})
		}
	}
}

// Clients keep their connection over many foreign events.
func TestKeepAlive(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(handler(t, member(t, 1), &sink{}, webhook.Options{}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	for i := range 30 {
		q := request{header: ce("Ce-Id", key(t, i%3)), body: strings.Repeat("x", 10000), chunked: i%2 == 0}
		if i%5 == 0 {
			q = request{header: contentType(structuredType), body: `{"id":"` + key(t, i%3) + `"}`}
		}
		do(t, server.Client(), q.build(t, server.URL))
	}
	if got := connections.Load(); got != 1 {
		t.Errorf("got %d connections, want 1", got)
	}
}

// An own event in binary mode reaches the handler before its body has come, and a slow sender holds up nobody.
func TestSlowBody(t *testing.T) {
	first := make(chan string)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Slow") == "" {
			return
		}
		half := make([]byte, 5)
		if _, err := io.ReadFull(r.Body, half); err != nil {
			t.Error(err)
		}
		first <- string(half)
		if rest, err := io.ReadAll(r.Body); err != nil || string(rest) != "world" {
			t.Errorf("got %q, %v", rest, err)
		}
	})
	server := serve(t, handler(t, member(t, 1), next, webhook.Options{}))
	slow := dial(t, server)
	slow.send(head(key(t, 1), "Slow: yes\r\nContent-Length: 10\r\n") + "hello")
	if got := <-first; got != "hello" {
		t.Errorf("got %q", got)
	}
	foreign := dial(t, server) // half a body, so its answer waits
	foreign.send(announced(key(t, 0), 10) + "hello")
	structured := dial(t, server)
	structured.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + structuredType + "\r\nContent-Length: 8\r\n\r\n" + `{"id"`)

	for _, id := range []string{key(t, 0), key(t, 1)} { // others are served meanwhile
		do(t, server.Client(), request{header: ce("Ce-Id", id), body: "x"}.build(t, server.URL))
	}
	slow.send("world")
	slow.want(http.StatusOK, true)
	foreign.send("world")
	foreign.want(http.StatusNoContent, true)
	structured.send(":7}")
	structured.want(map[bool]int{true: 200, false: 204}[emptySlot(t) == 1], true)
}

// A body that breaks off is no event: no member says that it is another's.
func TestTruncated(t *testing.T) {
	for _, media := range []string{structuredType, batchType} {
		var counter slot.Counter
		s := &sink{}
		for i := range size {
			w := dial(t, serve(t, handler(t, member(t, i), s, webhook.Options{Verdict: counter.Count})))
			w.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + media + "\r\nContent-Length: 100\r\n\r\n[]")
			if err := w.conn.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			w.want(http.StatusBadRequest, false)
		}
		if got := s.take(); len(got) > 0 || counter.Counts().Total() > 0 {
			t.Errorf("%s: got %+v and %+v, want nothing", media, got, counter.Counts())
		}
	}
}

func TestMaxBody(t *testing.T) {
	const limit = 100
	for _, media := range []string{structuredType, batchType, "text/plain"} {
		for _, n := range []int{limit - 1, limit, limit + 1, 100 * limit} {
			for _, chunked := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %d, chunked %v", media, n, chunked), func(t *testing.T) {
					t.Parallel() // closing a connection takes the server half a second
					own := `{"id":"` + key(t, 1) + `"}`
					if media == batchType {
						own = "[" + own + "]"
					}
					q := request{header: contentType(media), body: own + strings.Repeat(" ", n-len(own)), chunked: chunked}
					s := &sink{}
					server := serve(t, handler(t, member(t, 1), s, webhook.Options{MaxBody: limit}))
					response := do(t, server.Client(), q.build(t, server.URL))
					if n <= limit {
						checkUntouched(t, s.take(), q)
						return
					}
					if got := s.take(); response.StatusCode != http.StatusRequestEntityTooLarge || !response.Close || len(got) > 0 {
						t.Errorf("got %d, connection closed: %v, handed on %d; want 413, true, 0", response.StatusCode, response.Close, len(got))
					}
				})
			}
		}
	}
	t.Run("binary has none", func(t *testing.T) {
		s := &sink{}
		server := serve(t, handler(t, member(t, 1), s, webhook.Options{MaxBody: limit}))
		q := request{header: ce("Ce-Id", key(t, 1)), body: strings.Repeat("x", 3<<20)}
		do(t, server.Client(), q.build(t, server.URL))
		checkUntouched(t, s.take(), q)
	})
	t.Run("commands have none", func(t *testing.T) {
		s := &sink{}
		server := serve(t, handler(t, member(t, 1), s, webhook.Options{MaxBody: limit}))
		q := request{path: "/wrk/feed/command/7", header: contentType(structuredType), body: strings.Repeat("x", 10*limit)}
		do(t, server.Client(), q.build(t, server.URL))
		checkUntouched(t, s.take(), q)
	})
	t.Run("default", func(t *testing.T) {
		server := serve(t, handler(t, member(t, 1), &sink{}, webhook.Options{}))
		for n, want := range map[int]int{webhook.DefaultMaxBody: 200, webhook.DefaultMaxBody + 1: 413} {
			own := `{"id":"` + key(t, 1) + `"}`
			q := request{header: contentType(structuredType), body: own + strings.Repeat(" ", n-len(own))}
			if got := do(t, server.Client(), q.build(t, server.URL)).StatusCode; got != want {
				t.Errorf("got %d for %d bytes, want %d", got, n, want)
			}
		}
	})
}

// A sender that waits for leave to send a long body is spared it.
func TestExpectContinue(t *testing.T) {
	server := serve(t, handler(t, member(t, 1), &sink{}, webhook.Options{MaxBody: 100, MaxDrain: 100}))
	for _, test := range []struct {
		text   string
		status int
	}{
		{head(key(t, 0), "Content-Length: 1000\r\nExpect: 100-continue\r\n"), 204},
		{"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + structuredType + "\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", 413},
	} {
		w := dial(t, server)
		w.send(test.text)
		w.want(test.status, false) // not 100
	}
}

func TestContentEncoding(t *testing.T) {
	g := newGroup(t, webhook.Options{}, nil)
	for _, media := range []string{structuredType, batchType} {
		for i, s := range g.servers {
			r := request{header: map[string]string{"Content-Type": media, "Content-Encoding": "gzip"}, body: "\x1f\x8b"}.build(t, s.URL)
			response := do(t, s.Client(), r)
			if accept := response.Header.Get("Accept-Encoding"); response.StatusCode != 415 || accept != "identity" || len(g.sinks[i].take()) > 0 {
				t.Errorf("member %d: got %d, Accept-Encoding %q, want 415, identity", i, response.StatusCode, accept)
			}
		}
	}
	identity := request{header: map[string]string{"Content-Type": structuredType, "Content-Encoding": "Identity"}, body: `{"id":"` + key(t, 1) + `"}`}
	if got, _ := g.post(t, identity); got != only(1) {
		t.Errorf("identity: got %v, want %v", got, only(1))
	}
	binary := request{header: ce("Ce-Id", key(t, 1), "Content-Encoding", "gzip"), body: "\x1f\x8b"}
	statuses, got := g.post(t, binary)
	if statuses != only(1) {
		t.Errorf("binary: got %v, want %v", statuses, only(1))
	}
	checkUntouched(t, got[1], binary)
}

// Trailers behind a chunked body are still there when the body has been read and is replayed.
func TestTrailer(t *testing.T) {
	s := &sink{}
	w := dial(t, serve(t, handler(t, member(t, 1), s, webhook.Options{})))
	body := `{"id":"` + key(t, 1) + `"}`
	w.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + structuredType + "\r\nTransfer-Encoding: chunked\r\nTrailer: Sum\r\n\r\n" +
		fmt.Sprintf("%x\r\n%s\r\n0\r\nSum: 7\r\n\r\n", len(body), body))
	w.want(http.StatusOK, true)
	got := s.take()
	if len(got) != 1 || got[0].trailer.Get("Sum") != "7" || got[0].body != body || got[0].length != int64(len(body)) {
		t.Errorf("got %+v", got)
	}
}

// Under HTTP/2 a long foreign body neither closes the connection nor is read.
func TestHTTP2(t *testing.T) {
	var connections atomic.Int32
	s := &sink{}
	server := httptest.NewUnstartedServer(handler(t, member(t, 1), s, webhook.Options{MaxDrain: 10, MaxBody: 1000}))
	server.EnableHTTP2 = true
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.StartTLS()
	defer server.Close()
	for _, test := range []struct {
		q    request
		want int
	}{
		{request{header: ce("Ce-Id", key(t, 0)), body: strings.Repeat("x", 1<<20), chunked: true}, 204},
		{request{header: ce("Ce-Id", key(t, 1)), body: "hello"}, 200},
		{request{header: contentType(structuredType), body: `{"id":"` + key(t, 0) + `"}`}, 204},
		{request{header: contentType(structuredType), body: `{"id":"` + key(t, 1) + `"}`}, 200},
		{request{header: contentType(structuredType), body: strings.Repeat("x", 1001)}, 413},
		{request{header: contentType(batchType), body: `[{"id":"` + key(t, 1) + `"},{"id":"` + key(t, 0) + `"}]`}, 200},
	} {
		response, err := server.Client().Do(test.q.build(t, server.URL))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.ProtoMajor != 2 || response.StatusCode != test.want {
			t.Errorf("got HTTP/%d, %d, want HTTP/2, %d", response.ProtoMajor, response.StatusCode, test.want)
		}
	}
	// A foreign event whose body never comes is answered all the same.
	body, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Ce-Specversion": {"1.0"}, "Ce-Id": {key(t, 0)}}
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 204 {
		t.Errorf("got %d, want 204", response.StatusCode)
	}
	if got := len(s.take()); got != 3 {
		t.Errorf("got %d events, want 3", got)
	}
	if got := connections.Load(); got != 1 {
		t.Errorf("got %d connections, want 1", got)
	}
}
