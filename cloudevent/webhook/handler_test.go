package webhook_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func TestRefuses(t *testing.T) {
	f, next := member(t, 0), &sink{}
	for _, test := range []struct {
		name   string
		filter *slot.Filter
		topic  func(*http.Request) string
		next   http.Handler
		o      webhook.Options
		want   error
		says   string
	}{
		{"filter", nil, pathTopic, next, webhook.Options{}, webhook.ErrNil, "webhook: nil argument: filter"},
		{"topic", f, nil, next, webhook.Options{}, webhook.ErrNil, "webhook: nil argument: topic"},
		{"next", f, pathTopic, nil, webhook.Options{}, webhook.ErrNil, "webhook: nil argument: next"},
		{"MaxBody", f, pathTopic, next, webhook.Options{MaxBody: -1}, webhook.ErrLimit, "webhook: bad limit: MaxBody is -1"},
		{"MaxDrain", f, pathTopic, next, webhook.Options{MaxDrain: -7}, webhook.ErrLimit, "webhook: bad limit: MaxDrain is -7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, err := webhook.Handler(test.filter, test.topic, test.next, test.o)
			if h != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, %v, want an error that is %v and says %q", h, err, test.want, test.says)
			}
		})
	}
}

// As middleware for a router it is the same, and refuses the same.
func TestMiddleware(t *testing.T) {
	for _, test := range []struct {
		filter *slot.Filter
		topic  func(*http.Request) string
		o      webhook.Options
		want   error
	}{
		{nil, pathTopic, webhook.Options{}, webhook.ErrNil},
		{member(t, 0), nil, webhook.Options{}, webhook.ErrNil},
		{member(t, 0), pathTopic, webhook.Options{MaxBody: -1}, webhook.ErrLimit},
		{member(t, 0), pathTopic, webhook.Options{MaxDrain: -1}, webhook.ErrLimit},
	} {
		if m, err := webhook.Middleware(test.filter, test.topic, test.o); m != nil || !errors.Is(err, test.want) {
			t.Errorf("got an error %v, want %v", err, test.want)
		}
	}
	middleware, err := webhook.Middleware(member(t, 1), pathTopic, webhook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := request{header: ce("Ce-Id", key(t, 1)), body: "hello"}
	for range 2 { // it may be used for several handlers
		s := &sink{}
		w := httptest.NewRecorder()
		middleware(s).ServeHTTP(w, q.build(t, "http://localhost"))
		if w.Code != http.StatusOK {
			t.Errorf("got %d, want 200", w.Code)
		}
		checkUntouched(t, s.take(), q)
	}
	w := httptest.NewRecorder()
	if middleware(nil).ServeHTTP(w, q.build(t, "http://localhost")); w.Code != http.StatusInternalServerError {
		t.Errorf("without a handler: got %d, want 500", w.Code)
	}
}

// A request that no server has made may have no body at all. It is the same as an empty one, also
// to the handler behind.
func TestNilBody(t *testing.T) {
	for _, test := range []struct {
		name   string
		path   string
		header map[string]string
		want   [size]int
	}{
		{"binary", "/", ce("Ce-Id", key(t, 1)), only(1)},
		{"structured", "/", contentType(structuredType), only(emptySlot(t))},
		{"batch", "/", contentType(batchType), only(emptySlot(t))},
		{"avro", "/", contentType("application/cloudevents+avro"), only(emptySlot(t))},
		{"no headers", "/", nil, only(emptySlot(t))},
		{"command", "/wrk/feed/command/7", contentType(structuredType), all(200)},
	} {
		var got [size]int
		for i := range size {
			r, err := http.NewRequest("POST", "http://localhost"+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range test.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			handler(t, member(t, i), &sink{}, webhook.Options{}).ServeHTTP(w, r) // the sink reads the body
			if got[i] = w.Code; r.Body != nil {
				t.Errorf("%s: the request itself has got the body %v", test.name, r.Body)
			}
		}
		if got != test.want {
			t.Errorf("%s: got statuses %v, want %v", test.name, got, test.want)
		}
	}
}

func ce(pairs ...string) map[string]string {
	header := map[string]string{"Ce-Specversion": "1.0", "Ce-Type": "t", "Ce-Source": "/s", "Content-Type": "text/plain"}
	for i := 0; i < len(pairs); i += 2 {
		header[pairs[i]] = pairs[i+1]
	}
	return header
}

func contentType(value string) map[string]string { return map[string]string{"Content-Type": value} }

// One event, posted to all members, reaches one of them, as it was sent; a command reaches all.
func TestModes(t *testing.T) {
	k := key(t, 1)
	json := fmt.Sprintf(` { "data" : {"subject":"x"}, "subject":%q, "id":"1" } `, k)
	for _, test := range []struct {
		name string
		q    request
		want [size]int
	}{
		{"binary, subject", request{header: ce("Ce-Subject", k, "Ce-Id", "1"), body: "hello"}, only(1)},
		{"binary, id", request{header: ce("Ce-Id", k), body: "hello"}, only(1)},
		{"binary, no body", request{header: ce("Ce-Id", k)}, only(1)},
		{"binary, chunked", request{header: ce("Ce-Id", k), body: "hello", chunked: true}, only(1)},
		{"binary, spaces", request{header: ce("Ce-Id", " \u00a0"+k+"\u2003"), body: "hello"}, only(1)},
		{"binary, PUT", request{method: "PUT", header: ce("Ce-Id", k), body: "hello"}, only(1)},
		{"binary, a method of their own", request{method: "NOTIFY", header: ce("Ce-Id", k), body: "hello"}, only(1)},
		{"binary, no key", request{header: ce(), body: "hello"}, only(emptySlot(t))},
		{"structured", request{header: contentType(structuredType), body: json}, only(1)},
		{"structured, chunked", request{header: contentType(structuredType), body: json, chunked: true}, only(1)},
		{"structured, parameter and case", request{header: contentType(" Application/CloudEvents+JSON ; charset=utf-8"), body: json}, only(1)},
		{"structured beats headers", request{header: ce("Content-Type", structuredType, "Ce-Id", key(t, 2)), body: json}, only(1)},
		{"no headers of an event", request{header: contentType("application/json"), body: json}, only(1)},
		{"no headers at all", request{body: json}, only(1)},
		{"broken", request{header: contentType(structuredType), body: json[:len(json)-3]}, only(emptySlot(t))},
		{"empty", request{header: contentType(structuredType)}, only(emptySlot(t))},
		{"avro", request{header: ce("Content-Type", "application/cloudevents+avro", "Ce-Id", k), body: "x"}, only(emptySlot(t))},
		{"a long s is none of a batch's letters", request{header: contentType("application/cloudevent\u017f-batch+json"), body: "[" + json + "]"}, only(emptySlot(t))},
		{"batch of avro", request{header: contentType("application/cloudevents-batch+avro"), body: "x"}, only(emptySlot(t))},
		{"command, binary", request{path: "/wrk/feed/command/7", header: ce("Ce-Id", k), body: "stop"}, all(200)},
		{"command, structured", request{path: "/wrk/feed/command/7", header: contentType(structuredType), body: json}, all(200)},
		{"command, batch", request{path: "/wrk/feed/command/7", header: contentType(batchType), body: "[" + json + "]"}, all(200)},
		{"command, broken", request{path: "/wrk/feed/command/7", header: contentType(structuredType), body: "{"}, all(200)},
		{"nearly a command", request{path: "/wrk/feed/command", header: ce("Ce-Id", k), body: "x"}, only(1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			statuses, got := newGroup(t, webhook.Options{}, nil).post(t, test.q)
			if statuses != test.want {
				t.Errorf("got statuses %v, want %v", statuses, test.want)
			}
			for i, requests := range got {
				if statuses[i] != http.StatusOK {
					if len(requests) > 0 {
						t.Errorf("member %d answered %d and handed on %+v", i, statuses[i], requests)
					}
					continue
				}
				checkUntouched(t, requests, test.q)
			}
		})
	}
}

// checkUntouched compares the one request that got through with the one that was sent.
func checkUntouched(t *testing.T, got []received, want request) {
	t.Helper()
	if len(got) != 1 {
		t.Fatalf("got %d requests, want 1", len(got))
	}
	if got[0].body != want.body {
		t.Errorf("got body %q, want %q", got[0].body, want.body)
	}
	for name, value := range want.header {
		if g := got[0].header.Get(name); g != strings.Trim(value, " ") { // net/http takes spaces off both ends
			t.Errorf("got header %s: %q, want %q", name, g, value)
		}
	}
	if want.chunked && got[0].length == -1 {
		return // a stream, as it came
	}
	if got[0].length != int64(len(want.body)) {
		t.Errorf("got ContentLength %d, want %d", got[0].length, len(want.body))
	}
	if header := got[0].lengthHeader; header != "" && header != fmt.Sprint(len(want.body)) {
		t.Errorf("got Content-Length %s, want %d", header, len(want.body))
	}
}

// Requests that carry no event pass every member, whatever their headers say.
func TestOtherMethodsPass(t *testing.T) {
	g := newGroup(t, webhook.Options{}, nil)
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE", "TRACE"} {
		t.Run(method, func(t *testing.T) {
			header := ce("Ce-Id", key(t, 1), "WebHook-Request-Origin", "example.com")
			statuses, got := g.post(t, request{method: method, header: header})
			if statuses != all(200) {
				t.Errorf("got statuses %v, want 200 of all", statuses)
			}
			for i := range got {
				if len(got[i]) != 1 || got[i][0].method != method || got[i][0].header.Get("WebHook-Request-Origin") != "example.com" {
					t.Errorf("member %d handed on %+v", i, got[i])
				}
			}
		})
	}
}

// A dedicated member is not judged, and no limit applies to it.
func TestDedicated(t *testing.T) {
	var counter slot.Counter
	s := &sink{}
	server := serve(t, handler(t, new(slot.Filter), s, webhook.Options{MaxBody: 4, Verdict: counter.Count}))
	for _, q := range []request{
		{header: contentType(structuredType), body: `{"id":"1"}`},
		{header: contentType(batchType), body: `[{"id":"1"},`},
		{header: map[string]string{"Content-Type": structuredType, "Content-Encoding": "gzip"}, body: "not really"},
		{header: ce("Ce-Id", "1"), body: "hello"},
	} {
		if got := do(t, server.Client(), q.build(t, server.URL)).StatusCode; got != http.StatusOK {
			t.Errorf("got %d for %+v, want 200", got, q)
		}
		checkUntouched(t, s.take(), q)
	}
	if got, want := counter.Counts(), (slot.Counts{Own: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRules(t *testing.T) {
	k := key(t, 1)
	percent := strings.ReplaceAll(k, "-", "%2d")
	for _, test := range []struct {
		rule string
		q    request
		want [size]int
	}{
		{"subject,id percent", request{header: ce("Ce-Subject", percent)}, only(1)},
		{"subject,id percent", request{header: ce("Ce-Subject", `"`+percent+`"`)}, only(1)},
		{"subject,id percent", request{header: ce("Ce-Subject", "100%")}, only(emptySlot(t))},
		{"partitionkey,subject,id", request{header: ce("Ce-Partitionkey", k, "Ce-Id", key(t, 2))}, only(1)},
		{"partitionkey,subject,id", request{header: contentType(structuredType), body: `{"id":"1","partitionkey":"` + k + `"}`}, only(1)},
		{"topic[1]", request{path: "/ticks/" + k, header: contentType(structuredType), body: `{}`}, only(1)},
		{"subject,id bypass=ctl.>", request{path: "/ctl/stop", header: ce("Ce-Id", k)}, all(200)},
		{"subject,id bypass=", request{path: "/wrk/feed/command/7", header: ce("Ce-Id", k)}, only(1)},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rule, err := routing.ParseRule(test.rule)
			if err != nil {
				t.Fatal(err)
			}
			g := newGroup(t, webhook.Options{}, func(f *slot.Filter) *slot.Filter { return f.WithRule(rule) })
			if got, _ := g.post(t, test.q); got != test.want {
				t.Errorf("got %v for %+v, want %v", got, test.q, test.want)
			}
		})
	}
}

// The hook sees every verdict, and what it returns applies.
func TestVerdict(t *testing.T) {
	requests := []request{
		{header: ce("Ce-Id", key(t, 1))},
		{header: ce("Ce-Id", key(t, 2))},
		{header: contentType(structuredType), body: `{"id":"` + key(t, 1) + `"}`},
		{header: contentType(structuredType), body: `{"id":"` + key(t, 0) + `"}`},
		{header: contentType(batchType), body: `[{"id":"` + key(t, 1) + `"}, {"id":"` + key(t, 0) + `"}, {"id":"` + key(t, 1) + `"}]`},
		{path: "/wrk/feed/command/7", header: ce("Ce-Id", "1")},
		{header: ce()},
	}
	var counter slot.Counter
	observed := func(v slot.Verdict) slot.Verdict { counter.Count(v); return slot.Verdict{} }
	for _, test := range []struct {
		name     string
		verdict  func(slot.Verdict) slot.Verdict
		statuses []int
	}{
		{"counting", counter.Count, []int{200, 204, 200, 204, 200, 200, 204}},
		{"observing", observed, []int{200, 200, 200, 200, 200, 200, 200}},
	} {
		t.Run(test.name, func(t *testing.T) {
			counter = slot.Counter{}
			server := serve(t, handler(t, member(t, 1), &sink{}, webhook.Options{Verdict: test.verdict}))
			for i, q := range requests {
				if got := do(t, server.Client(), q.build(t, server.URL)).StatusCode; got != test.statuses[i] {
					t.Errorf("got %d for request %d, want %d", got, i, test.statuses[i])
				}
			}
			want := slot.Counts{Own: 4, Foreign: 4, Bypass: 1}
			if got := counter.Counts(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// What passes unread has no key for the hook, whatever the event has.
func TestVerdictOfWhatIsNotRead(t *testing.T) {
	structured := request{header: contentType(structuredType), body: `{"id":"` + key(t, 1) + `"}`}
	batch := request{header: contentType(batchType), body: "[" + structured.body + "," + structured.body + "]"}
	command := structured
	command.path = "/wrk/feed/command/7"
	own := slot.Verdict{Kind: slot.Own, Slot: -1, Sum: hashpin.Sum32String("")}
	bypass := slot.Verdict{Kind: slot.Bypass, Slot: -1}
	for name, test := range map[string]struct {
		f    *slot.Filter
		q    request
		want slot.Verdict
	}{
		"dedicated, structured": {new(slot.Filter), structured, own},
		"dedicated, batch":      {new(slot.Filter), batch, own},
		"dedicated, binary":     {new(slot.Filter), request{header: ce("Ce-Id", "7")}, slot.Verdict{Kind: slot.Own, Slot: -1, Sum: hashpin.Sum32String("7")}},
		"command, structured":   {member(t, 0), command, bypass},
		"command, batch":        {member(t, 0), request{path: command.path, header: batch.header, body: batch.body}, bypass},
	} {
		var got []slot.Verdict
		observed := func(v slot.Verdict) slot.Verdict { got = append(got, v); return v }
		handler(t, test.f, &sink{}, webhook.Options{Verdict: observed}).ServeHTTP(httptest.NewRecorder(), test.q.build(t, "http://localhost"))
		if !slices.Equal(got, []slot.Verdict{test.want}) {
			t.Errorf("%s: the hook got %+v, want %+v once", name, got, test.want)
		}
	}
}

// Many senders at once: every event reaches one member.
func TestConcurrent(t *testing.T) {
	g := newGroup(t, webhook.Options{}, nil)
	const senders, events = 8, 30
	var senders2 sync.WaitGroup
	for sender := range senders {
		senders2.Add(1)
		go func() {
			defer senders2.Done()
			for event := range events {
				id := fmt.Sprintf("%d-%d", sender, event)
				q := request{header: ce("Ce-Id", id), body: id}
				if event%2 == 0 {
					q = request{header: contentType(structuredType), body: `{"id":"` + id + `"}`}
				}
				for _, s := range g.servers {
					response, err := s.Client().Do(q.build(t, s.URL))
					if err != nil {
						t.Error(err)
						continue
					}
					response.Body.Close()
				}
			}
		}()
	}
	senders2.Wait()
	seen := map[string]int{}
	for _, s := range g.sinks {
		for _, r := range s.take() {
			seen[r.body]++
		}
	}
	if len(seen) != senders*events {
		t.Errorf("got %d events, want %d", len(seen), senders*events)
	}
	for body, n := range seen {
		if n != 1 {
			t.Errorf("%s reached %d members, want 1", body, n)
		}
	}
}
