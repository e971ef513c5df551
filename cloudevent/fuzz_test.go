package cloudevent_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// addBodies adds the bodies of the vectors, the long ones left out.
func addBodies(f *testing.F, add func(body []byte)) {
	f.Helper()
	for _, test := range vectors.Load[peekTest](f, "peek.v1", nil) {
		if len(test.BodyHex) < 500 {
			add([]byte(test.BodyHex))
		}
	}
}

// Whatever the body, all ways to ask agree with the reference and with each other, and one member
// of a full group answers.
func FuzzDecide(f *testing.F) {
	addBodies(f, func(body []byte) { f.Add("orders.eu", body) })
	f.Add("wrk.feed.command.7", []byte(`{"id":"e1"}`))
	filters := fullGroup(f, 3)
	rule := ruleOf(f, "tenant,time+id,subject")
	f.Fuzz(func(t *testing.T, topic string, body []byte) {
		if !routing.IsCommand(topic) {
			checkBody(t, filters, rule, topic, body)
			return
		}
		for _, filter := range filters {
			if got := cloudevent.Decide(filter, topic, body); got.Kind != slot.Bypass {
				t.Fatalf("%q: %v", topic, got)
			}
		}
	})
}

// Whatever the attributes, Peek has what the reference has.
func FuzzPeek(f *testing.F) {
	addBodies(f, func(body []byte) { f.Add(body, "tenant", "source") })
	f.Add([]byte(`{"TENANT":1e3,"tenant":true,"source":"/s"}`), "tenant", "source")
	f.Fuzz(func(t *testing.T, body []byte, name1, name2 string) {
		names := []string{name1, name2}
		want, ok := reference(body, "subject", "id", name1, name2)
		e, err := cloudevent.Peek(body, names...)
		checkSyntaxError(t, body, err)
		if !slices.Equal(names, []string{name1, name2}) {
			t.Fatalf("the names became %q", names)
		}
		got := maps.Clone(e.Attributes)
		if got == nil {
			got = map[string]string{}
		}
		for name, value := range map[string]string{"subject": e.Subject, "id": e.ID} {
			if value != "" {
				got[name] = value
			}
		}
		if (err == nil) != ok || !maps.Equal(got, want) {
			t.Fatalf("%q: Peek of %q = %q, %v, want %q, %t", body, names, got, err, want, ok)
		}
	})
}

func FuzzBatch(f *testing.F) {
	for _, batch := range []string{"", "[]", " [ ] ", "[1,2", "[,]", "[[]", "[{}]x", `["]",{"a":"]\""}]`, "[}", "[1 2]"} {
		f.Add([]byte(batch))
	}
	addBodies(f, func(body []byte) { f.Add(slices.Concat([]byte("["), body, []byte(","), body, []byte("]"))) })
	f.Fuzz(func(t *testing.T, batch []byte) {
		if len(batch) < 5000 { // checkBatch looks for each element in it
			checkBatch(t, batch)
		}
	})
}

func FuzzHeader(f *testing.F) {
	transports := slices.Sorted(maps.Keys(prefixes))
	for _, test := range vectors.Load[headerTest](f, "header.v1", nil) {
		if len(test.Headers) != 3 {
			continue
		}
		h := test.Headers
		f.Add(uint8(slices.Index(transports, test.Transport)), test.ContentTypeHex.Or(), test.Percent, string(h[0].NameHex), string(h[0].ValueHex),
			string(h[1].NameHex), string(h[1].ValueHex), string(h[2].NameHex), string(h[2].ValueHex), test.BodyHex.Or())
	}
	f.Fuzz(func(t *testing.T, transport uint8, contentType string, percent bool, n1, v1, n2, v2, n3, v3, body string) {
		m := headerMessage{transports[int(transport)%len(transports)], contentType, []field{{n1, v1}, {n2, v2}, {n3, v3}}, body, percent}
		if canHold(m) {
			checkHeaders(t, m)
		}
	})
}

// encodeEvent writes an event with encoding/json.
func encodeEvent(t tb, subject, id string) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"specversion": "1.0", "source": "/s", "type": "t", "subject": subject, "id": id, "data": map[string]string{"subject": "no", "id": "no"}})
	if err != nil {
		t.Fatal(err)
	}
	return body
}
