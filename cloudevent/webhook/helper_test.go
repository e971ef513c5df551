package webhook_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

const (
	structuredType = "application/cloudevents+json"
	batchType      = "application/cloudevents-batch+json"
	size           = 3
)

// pathTopic makes "/wrk/feed/command/7" the topic "wrk.feed.command.7".
func pathTopic(r *http.Request) string {
	return strings.ReplaceAll(strings.Trim(r.URL.Path, "/"), "/", ".")
}

func member(t testing.TB, index int) *slot.Filter {
	t.Helper()
	m, err := slot.New(slot.Config{Group: "pairs", Size: size, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	return slot.NewFilter(m)
}

func key(t testing.TB, slot int) string { return slottest.Key(t, size, slot) }

// emptySlot is the slot of the empty key, whose holder answers for what is malformed.
func emptySlot(t testing.TB) int { return member(t, 0).Member().Slot("") }

// A received is what reached the handler behind the filter.
type received struct {
	method, path, body, lengthHeader string
	length                           int64
	header                           http.Header
	trailer                          http.Header
}

// A sink is a handler that keeps what it gets and answers 200.
type sink struct {
	mu  sync.Mutex
	got []received
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, received{r.Method, r.URL.Path, string(body), r.Header.Get("Content-Length"), r.ContentLength, r.Header, r.Trailer})
}

func (s *sink) take() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

func handler(t testing.TB, f *slot.Filter, next http.Handler, o webhook.Options) http.Handler {
	t.Helper()
	h, err := webhook.Handler(f, pathTopic, next, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func serve(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// A group is a server for each member.
type group struct {
	sinks   [size]*sink
	servers [size]*httptest.Server
}

func newGroup(t testing.TB, o webhook.Options, change func(*slot.Filter) *slot.Filter) *group {
	t.Helper()
	g := &group{}
	for i := range size {
		f := member(t, i)
		if change != nil {
			f = change(f)
		}
		g.sinks[i] = &sink{}
		g.servers[i] = serve(t, handler(t, f, g.sinks[i], o))
	}
	return g
}

// A request is what a sender posts to every member.
type request struct {
	method, path string // POST and / where they are empty
	header       map[string]string
	body         string
	chunked      bool // the length is not announced
}

func (q request) build(t testing.TB, base string) *http.Request {
	t.Helper()
	method := q.method
	if method == "" {
		method = http.MethodPost
	}
	var body io.Reader = strings.NewReader(q.body)
	if q.chunked {
		body = io.MultiReader(body) // of no known length
	}
	r, err := http.NewRequest(method, base+q.path, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	return r
}

// post sends q to every member and returns the statuses, and what got through.
func (g *group) post(t testing.TB, q request) (statuses [size]int, got [size][]received) {
	t.Helper()
	for i, s := range g.servers {
		response := do(t, s.Client(), q.build(t, s.URL))
		statuses[i] = response.StatusCode
		got[i] = g.sinks[i].take()
	}
	return statuses, got
}

// do sends r and reads the answer to its end.
func do(t testing.TB, c *http.Client, r *http.Request) *http.Response {
	t.Helper()
	response, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response
}

// only says that one member hands on and the others answer 204.
func only(index int) (want [size]int) {
	for i := range want {
		want[i] = http.StatusNoContent
	}
	want[index] = http.StatusOK
	return want
}

func all(status int) (want [size]int) {
	for i := range want {
		want[i] = status
	}
	return want
}
