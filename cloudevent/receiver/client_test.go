package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"
	"github.com/cloudevents/sdk-go/v2/protocol/gochan"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// A running client is stopped, and waited for, at the end of the test.
func start(t testing.TB, protocol any, handler any, options ...client.Option) (stop func()) {
	t.Helper()
	c, err := client.New(protocol, options...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.StartReceiver(ctx, handler) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// Three members on channels of their own that each get every event: each event is handled once,
// each message finished once, and with one poll goroutine and blocking callbacks in order.
func TestClientOverGochan(t *testing.T) {
	const events = 300
	var counter slot.Counter
	var mu sync.Mutex
	handled := [size][]string{}
	finishes := map[string]int{}
	var all sync.WaitGroup
	all.Add(events * size)
	for i := range size {
		channel := make(chan binding.Message)
		v, err := receiver.New(gochan.Receiver(channel), member(t, i), noTopic, receiver.Options{Verdict: counter.Count})
		if err != nil {
			t.Fatal(err)
		}
		start(t, v, func(e event.Event) {
			mu.Lock()
			defer mu.Unlock()
			handled[i] = append(handled[i], e.ID())
		}, client.WithBlockingCallback(), client.WithPollGoroutines(1))
		go func() {
			for n := range events {
				e := newEvent(fmt.Sprintf("%05d", n))
				channel <- binding.WithFinish(binding.ToMessage(&e), func(err error) {
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Errorf("%s finished with %v", e.ID(), err)
					}
					finishes[fmt.Sprint(i, e.ID())]++
					all.Done()
				})
			}
		}()
	}
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	total := map[string]bool{}
	for i, ids := range handled {
		if !slices.IsSorted(ids) {
			t.Errorf("member %d handled out of order", i)
		}
		for _, id := range ids {
			if total[id] {
				t.Errorf("%s was handled twice", id)
			}
			total[id] = true
		}
	}
	if len(total) != events || len(finishes) != events*size {
		t.Errorf("got %d events handled and %d messages finished, want %d and %d", len(total), len(finishes), events, events*size)
	}
	if got, want := counter.Counts(), (slot.Counts{Own: events, Foreign: events * (size - 1)}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The client's callbacks that return events need a Responder, and get one where the inner value is one.
func TestClientOverResponder(t *testing.T) {
	in, out := make(chan binding.Message), make(chan gochan.ChanResponderResponse)
	v, err := receiver.New(&gochan.Responder{In: in, Out: out}, member(t, 1), noTopic, receiver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	start(t, v, func(e event.Event) (*event.Event, protocol.Result) {
		reply := newEvent("re " + e.ID())
		return &reply, nil
	})
	for i := range size {
		e := newEvent(key(t, i))
		in <- binding.ToMessage(&e)
		response := <-out
		if !protocol.IsACK(response.Result) {
			t.Errorf("got %v, want an ACK", response.Result)
		}
		if i != 1 {
			if response.Message != nil {
				t.Errorf("got an answer to the foreign event %s", e.ID())
			}
			continue
		}
		reply, err := binding.ToEvent(context.Background(), response.Message)
		if err != nil || reply.ID() != "re "+e.ID() {
			t.Errorf("got %v, %v", reply, err)
		}
	}
}

// An httpMember is a client over the SDK's HTTP protocol.
type httpMember struct {
	url      string
	mu       sync.Mutex
	handled  []event.Event
	targets  []string
	counter  slot.Counter
	problems []error
}

func (m *httpMember) handle(ctx context.Context, e event.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.handled = append(m.handled, e)
	if d := cehttp.RequestDataFromContext(ctx); d != nil {
		m.targets = append(m.targets, d.URL.Path)
	}
}

func (m *httpMember) malformed(_ binding.Message, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.problems = append(m.problems, err)
}

func (m *httpMember) take() (handled []event.Event, targets []string, problems []error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	handled, targets, problems = m.handled, m.targets, m.problems
	m.handled, m.targets, m.problems = nil, nil, nil
	return handled, targets, problems
}

func pathTopic(path string) string { return strings.ReplaceAll(strings.Trim(path, "/"), "/", ".") }

// startHTTP starts a member whose events are filtered by New or by Middleware.
func startHTTP(t *testing.T, f *slot.Filter, byMiddleware bool) *httpMember {
	t.Helper()
	m := &httpMember{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.url = "http://" + listener.Addr().String()
	options := []cehttp.Option{cehttp.WithListener(listener), cehttp.WithRequestDataAtContextMiddleware()}
	if byMiddleware {
		middleware, err := receiver.Middleware(f, func(r *http.Request) string { return pathTopic(r.URL.Path) }, webhook.Options{Verdict: m.counter.Count})
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, cehttp.WithMiddleware(middleware))
	}
	p, err := cehttp.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	o := receiver.Options{Malformed: m.malformed}
	if byMiddleware {
		v, err = receiver.Guard(p, o)
	} else {
		o.Verdict = m.counter.Count
		v, err = receiver.New(p, f, func(m binding.Message) string {
			return pathTopic(cehttp.RequestDataFromContext(m.(binding.MessageContext).Context()).URL.Path)
		}, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	start(t, v, m.handle)
	return m
}

func post(t *testing.T, url, body string, header ...string) int {
	t.Helper()
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

// One event posted to all members is handled by one and answered with 204 by the others, in every
// mode; a command reaches all; what would end the process is answered as malformed by one.
func TestClientOverHTTP(t *testing.T) {
	for _, byMiddleware := range []bool{false, true} {
		t.Run(fmt.Sprintf("middleware %v", byMiddleware), func(t *testing.T) {
			var members [size]*httpMember
			for i := range members {
				members[i] = startHTTP(t, member(t, i), byMiddleware)
			}
			k := key(t, 1)
			structured := []string{"Content-Type", "application/cloudevents+json"}
			binary := []string{"Ce-Specversion", "1.0", "Ce-Type", "tick", "Ce-Source", "/feed", "Content-Type", "text/plain"}
			for _, test := range []struct {
				name, path, body string
				header           []string
				owner, status    int    // owner -1: all
				problem          string // in the hook
				handled          bool
			}{
				{"binary", "/ticks", "hello", append(binary, "Ce-Id", k), 1, 200, "", true},
				{"binary, long", "/ticks", strings.Repeat("x", 1<<20), append(binary, "Ce-Id", k), 1, 200, "", true},
				{"structured", "/ticks", structuredJSON(k), structured, 1, 200, "", true},
				{"command", "/wrk/feed/command/7", structuredJSON(k), structured, -1, 200, "", true},
				{"no key", "/ticks", "hello", binary, emptySlot(t), 400, "", false},
				{"broken", "/ticks", "{", structured, emptySlot(t), 500, "unexpected end", false},
				{"batch", "/ticks", "[{}]", []string{"Content-Type", "application/cloudevents-batch+xml"}, emptySlot(t), 415, "", false},
				{"panic: data_base64", "/ticks", `{"specversion":"1.0","id":"` + k + `","type":"t","source":"/s","data_base64":1}`, structured, 1, 500, "slice bounds", false},
				{"panic: header ce-", "/ticks", "hello", append(binary, "Ce-Id", k, "Ce-", "x"), -2, 500, "index out of range", false},
			} {
				t.Run(test.name, func(t *testing.T) {
					owner := test.owner
					if owner == -2 { // the key is in the headers; read by the SDK's message it panics before
						if owner = emptySlot(t); byMiddleware {
							owner = 1
						}
					}
					for i, m := range members {
						status := post(t, m.url+test.path, test.body, test.header...)
						handled, targets, problems := m.take()
						if owner >= 0 && i != owner {
							if status != 204 || len(handled) > 0 || len(problems) > 0 {
								t.Errorf("member %d: got %d, %d handled, %v; want 204 and nothing", i, status, len(handled), problems)
							}
							continue
						}
						if status != test.status || (len(handled) == 1) != test.handled {
							t.Errorf("member %d: got %d, %d handled, want %d, %v", i, status, len(handled), test.status, test.handled)
						}
						if test.handled && (string(handled[0].Data()) != "hello" && string(handled[0].Data()) != test.body || handled[0].ID() != k || targets[0] != test.path) {
							t.Errorf("member %d: got %v of %v", i, handled, targets)
						}
						if (len(problems) == 1) != (test.problem != "") || len(problems) == 1 && !strings.Contains(problems[0].Error(), test.problem) {
							t.Errorf("member %d: got problems %v, want %q", i, problems, test.problem)
						}
					}
				})
			}
			var total slot.Counts
			for _, m := range members {
				total = total.Plus(m.counter.Counts())
			}
			if total.Bypass != 3 || total.Own+total.Malformed != 8 || total.Foreign != 16 {
				t.Errorf("got %+v, want 3 commands, 8 own or malformed, 16 foreign", total)
			}
		})
	}
}

// A batch over HTTP passes Middleware with its own elements only. The client cannot read it, so a
// handler of one's own does.
func TestBatchOverHTTP(t *testing.T) {
	var ids []string
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events, err := cehttp.NewEventsFromHTTPRequest(r)
		if err != nil {
			t.Error(err)
		}
		for _, e := range events {
			ids = append(ids, e.ID())
		}
	})
	middleware, err := receiver.Middleware(member(t, 1), func(*http.Request) string { return "" }, webhook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: middleware(next)}
	go server.Serve(listener)
	defer server.Close()
	var events []event.Event
	for i := range size {
		events = append(events, newEvent(key(t, i)))
	}
	r, err := cehttp.NewHTTPRequestFromEvents(context.Background(), "http://"+listener.Addr().String(), events)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if fmt.Sprint(ids) != fmt.Sprint([]string{key(t, 1)}) || response.StatusCode != 200 {
		t.Errorf("got %v, %d, want %v, 200", ids, response.StatusCode, key(t, 1))
	}
}

// Senders whose bodies come slowly hold up nobody but themselves, behind Middleware: more of them
// than the client has poll goroutines.
func TestSlowSenders(t *testing.T) {
	m := startHTTP(t, member(t, 1), true)
	for range 2 * runtime.GOMAXPROCS(0) {
		for _, header := range []string{"Content-Type: application/cloudevents+json", "Ce-Specversion: 1.0\r\nCe-Id: " + key(t, 0)} {
			conn, err := net.DialTimeout("tcp", strings.TrimPrefix(m.url, "http://"), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Length: 100\r\n\r\n{", header)
		}
	}
	if got := post(t, m.url, structuredJSON(key(t, 1)), "Content-Type", "application/cloudevents+json"); got != 200 {
		t.Errorf("own: got %d, want 200", got)
	}
	if got := post(t, m.url, structuredJSON(key(t, 0)), "Content-Type", "application/cloudevents+json"); got != 204 {
		t.Errorf("foreign: got %d, want 204", got)
	}
}

// A request that no server has made may have no body at all. Middleware and the SDK's handler
// behind it take it for an empty one.
func TestMiddlewareTakesNilBodies(t *testing.T) {
	middleware, err := receiver.Middleware(member(t, 1), func(*http.Request) string { return "" }, webhook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := cehttp.New()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	handler, err := client.NewHTTPReceiveHandler(context.Background(), p, func(e event.Event) { ids = append(ids, e.ID()) })
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]int{0: 204, 1: 200, 2: 204} {
		r, err := http.NewRequest("POST", "http://localhost", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Ce-Specversion": {"1.0"}, "Ce-Type": {"t"}, "Ce-Source": {"/s"}, "Ce-Id": {key(t, i)}}
		w := httptest.NewRecorder()
		if middleware(handler).ServeHTTP(w, r); w.Code != want {
			t.Errorf("key of slot %d: got %d, want %d", i, w.Code, want)
		}
	}
	if want := []string{key(t, 1)}; !slices.Equal(ids, want) {
		t.Errorf("handled %q, want %q", ids, want)
	}
}

func TestMiddlewareRefuses(t *testing.T) {
	m, err := receiver.Middleware(nil, func(*http.Request) string { return "" }, webhook.Options{})
	if m != nil || !errors.Is(err, webhook.ErrNil) {
		t.Errorf("got an error %v, want ErrNil", err)
	}
	m, err = receiver.Middleware(member(t, 0), nil, webhook.Options{})
	if m != nil || !errors.Is(err, webhook.ErrNil) {
		t.Errorf("got an error %v, want ErrNil", err)
	}
}
