package webhook_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cloudevent/webhook"
)

// event is a structured event of a slot, with its own spelling.
func event(t testing.TB, slot int, more string) string {
	return fmt.Sprintf("{ \"data\":\t[1, 2],\"id\" : %q%s}", key(t, slot), more)
}

func TestBatch(t *testing.T) {
	a, b, c, d := event(t, 0, ""), event(t, 1, ""), event(t, 2, ` ,"x":"é\u00e9"`), event(t, 1, `, "y" : {}`)
	bad := `{"id":7}`
	bodies := func(of map[int]string) (want [size]string) {
		for i, body := range of {
			want[i] = body
		}
		return want
	}
	for _, test := range []struct {
		name, body string
		want       [size]string // empty: answered with 204
	}{
		{"empty", "[]", bodies(nil)},
		{"empty, with space", " [ \n] ", bodies(nil)},
		{"one", "[" + b + "]", bodies(map[int]string{1: "[" + b + "]"})},
		{"all of one member keep their bytes", " [ " + b + " ,\n" + d + " ] ", bodies(map[int]string{1: " [ " + b + " ,\n" + d + " ] "})},
		{"divided", "[ " + a + " , " + b + "," + c + "\n, " + d + "]", bodies(map[int]string{0: "[" + a + "]", 1: "[" + b + "," + d + "]", 2: "[" + c + "]"})},
		{"an element that is no event", "[" + bad + "]", bodies(map[int]string{emptySlot(t): "[" + bad + "]"})},
		{"elements that are no objects", `[1, "x", null, [], ` + b + `]`, func() [size]string {
			want := bodies(map[int]string{1: "[" + b + "]"})
			want[emptySlot(t)] = `[1,"x",null,[]]`
			return want
		}()},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, chunked %v", test.name, chunked), func(t *testing.T) {
				g := newGroup(t, webhook.Options{}, nil)
				statuses, got := g.post(t, request{header: contentType("Application/CloudEvents-Batch+JSON; charset=utf-8"), body: test.body, chunked: chunked})
				for i, want := range test.want {
					if want == "" {
						if statuses[i] != http.StatusNoContent || len(got[i]) > 0 {
							t.Errorf("member %d: got %d and %+v, want 204 and nothing", i, statuses[i], got[i])
						}
						continue
					}
					if statuses[i] != http.StatusOK {
						t.Errorf("member %d: got %d, want 200", i, statuses[i])
					}
					checkUntouched(t, got[i], request{body: want})
					if len(got[i]) == 1 && len(want) != len(test.body) && got[i][0].lengthHeader != fmt.Sprint(len(want)) {
						t.Errorf("member %d: got Content-Length %q, want %d", i, got[i][0].lengthHeader, len(want))
					}
				}
			})
		}
	}
}

// The request itself stays as it was for a handler in front that looks at it later.
func TestRequestIsNotChanged(t *testing.T) {
	body := "[" + event(t, 0, "") + "," + event(t, 1, "") + "]"
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header = http.Header{"Content-Type": {batchType}, "Content-Length": {fmt.Sprint(len(body))}}
	s := &sink{}
	handler(t, member(t, 1), s, webhook.Options{}).ServeHTTP(httptest.NewRecorder(), r)
	if got := s.take(); len(got) != 1 || got[0].lengthHeader != fmt.Sprint(len(got[0].body)) || len(got[0].body) == len(body) {
		t.Errorf("got %+v", got)
	}
	if r.Header.Get("Content-Length") != fmt.Sprint(len(body)) || r.ContentLength != int64(len(body)) {
		t.Errorf("the request has Content-Length %s, %d, want %d", r.Header.Get("Content-Length"), r.ContentLength, len(body))
	}
}

// What is malformed is handed on by one member, in a body that is malformed too; the others get good ones.
func TestMalformedBatch(t *testing.T) {
	a, b := event(t, 0, ""), event(t, 1, "")
	for _, body := range []string{
		"", "{", "null", `"x"`, b, "[", "[" + b, "[" + b + ",", "[" + a + "," + b + ",", "[" + b + ",]", "[" + b + ",,]", "[," + b + "]",
		"[" + a + " " + b + "]", "[" + a + " " + b, "[" + a + "][" + b + "]", "[" + a + "] x", "[" + a + `,{"id":`, "[" + a + "," + b + `,"`,
		"[" + a + ` [{"id":"x"}]`, "[" + a + "}", "\ufeff[" + a + "]", "[" + a + ", nonsense!]",
	} {
		t.Run(body, func(t *testing.T) { checkBatch(t, body) })
	}
}

// checkBatch posts a batch to all members and holds what they hand on against the law.
func checkBatch(t *testing.T, body string) {
	t.Helper()
	var own [size][]string // by the law: each element to the member that admits it
	broken := -1           // the member that answers for the rest
	for element, err := range cloudevent.Batch([]byte(body)) {
		for i := range size {
			if !cloudevent.Decide(member(t, i), "", element).Admit() {
				continue
			}
			if err != nil {
				broken = i
			} else {
				own[i] = append(own[i], string(element))
			}
		}
	}
	for i := range size {
		s := &sink{}
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("Content-Type", batchType)
		w := httptest.NewRecorder()
		handler(t, member(t, i), s, webhook.Options{}).ServeHTTP(w, r)
		got := s.take()
		if len(own[i]) == 0 && broken != i {
			if w.Code != http.StatusNoContent || len(got) > 0 {
				t.Errorf("member %d: got %d and %+v, want 204 and nothing", i, w.Code, got)
			}
			continue
		}
		if w.Code != http.StatusOK || len(got) != 1 {
			t.Fatalf("member %d: got %d and %+v, want 200 and a batch", i, w.Code, got)
		}
		if got[0].length != int64(len(got[0].body)) {
			t.Errorf("member %d: got ContentLength %d of %d", i, got[0].length, len(got[0].body))
		}
		var elements []string
		var err error
		for element, e := range cloudevent.Batch([]byte(got[0].body)) {
			if err = e; e == nil {
				elements = append(elements, string(element))
			}
		}
		if !slices.Equal(elements, own[i]) {
			t.Errorf("member %d: got elements %q of %q, want %q", i, elements, got[0].body, own[i])
		}
		if (err != nil) != (broken == i) {
			t.Errorf("member %d: got %q with the error %v, want one: %v", i, got[0].body, err, broken == i)
		}
		var array []json.RawMessage // an oracle that shares nothing with Batch
		if broken == i && body != "null" && json.Unmarshal([]byte(got[0].body), &array) == nil {
			t.Errorf("member %d: got %q, which is a batch, of %q, which is none", i, got[0].body, body)
		}
	}
}

func FuzzBatch(f *testing.F) {
	for _, seed := range []string{"[]", `[{"id":"a"},{"id":"b"} , {"id":"c"}]`, `[{"id":"a"}`, `[{"id":"a"} {"id":"b"}]`, `[1,,]`, "{}", `[{"id":"a"}] [{"id":"b"}]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) { checkBatch(t, body) })
}

// The filter of one member costs what Decide and one copy of its elements cost.
func BenchmarkBatch(b *testing.B) {
	body := "[" + event(b, 0, "") + strings.Repeat(","+event(b, 1, ""), 9) + "]"
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	h, err := webhook.Handler(member(b, 0), pathTopic, next, webhook.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("Content-Type", batchType)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
}
