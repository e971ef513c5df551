package cloudevent_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// costless fails t where call allocates.
func costless(t *testing.T, what string, call func()) {
	t.Helper()
	if got := testing.AllocsPerRun(20, call); got != 0 {
		t.Errorf("%s: %v allocations", what, got)
	}
}

// The members of a group of three see own, foreign and malformed verdicts between them.
func TestDecideDoesNotAllocate(t *testing.T) {
	filters := append(fullGroup(t, 3), slot.NewFilter(slot.Member{}), filterOf(t, 3, 1).WithRule(ruleOf(t, "subject,id bypass=a.>,wrk.*.command.* percent")))
	data := strings.Repeat(`{"name":"a \"quoted\" value","list":[1,2,3,{"x":null}]},`, 1100)
	for what, body := range map[string]string{
		"a subject":               `{"specversion":"1.0","id":"e1","source":"/s","type":"t","subject":"order-7","data":{"a":1}}`,
		"an id":                   `{"specversion":"1.0","id":"e1","source":"/s","type":"t","data":{"a":1}}`,
		"a long subject":          `{"id":"e1","subject":"` + strings.Repeat("k", 5000) + `"}`,
		"an escaped key":          `{"id":"e1","subject":"a\u00e9\n\ud83d\ude00\ud800"}`,
		"a long escaped key":      `{"id":"e1","subject":"` + strings.Repeat(`\u00e9`, 1000) + `"}`,
		"an escaped name":         `{"id":"e1","sub\u006aect":"order-7"}`,
		"no UTF-8":                "{\"id\":\"e1\",\"subject\":\"\xff\"}",
		"a key after 64 KiB":      `{"data":[` + data + `1],"subject":"order-7","id":"e1"}`,
		"a key before 64 KiB":     `{"subject":"order-7","id":"e1","data":[` + data + `1]}`,
		"no key":                  `{"specversion":"1.0"}`,
		"an id of another type":   `{"id":7}`,
		"a bad escape":            `{"id":"\q"}`,
		"a control character":     "{\"id\":\"\n\"}",
		"cut":                     `{"id":"e1"`,
		"something behind":        `{"id":"e1"}x`,
		"no object":               `[]`,
		"nothing":                 ``,
		"duplicates":              `{"id":"e1","subject":"a","subject":null,"id":"e2","subject":"b"}`,
		"white space everywhere":  " { \"id\" : \"e1\" , \"subject\" : \"s\" } \n",
		"strings full of escapes": `{"data":"` + strings.Repeat(`\"`, 500) + `","id":"e1"}`,
	} {
		for _, topic := range []string{"orders.eu", "wrk.feed.command.7", ""} {
			raw := []byte(body)
			for _, f := range filters {
				costless(t, what+", Decide", func() { cloudevent.Decide(f, topic, raw) })
				costless(t, what+", DecideMessage", func() { cloudevent.DecideMessage(f, cloudevent.Message{Topic: topic, Body: raw}) })
				costless(t, what+", Route", func() { cloudevent.Route(f.Rule(), cloudevent.Message{Topic: topic, Body: raw}) })
			}
		}
	}
}

// Each transport in each form, with and without percent in the rule; the Header is made inside of
// the measured call, as a consumer does.
func TestDecideMessageDoesNotAllocate(t *testing.T) {
	filters := append(fullGroup(t, 3), filterOf(t, 3, 1).WithRule(ruleOf(t, "subject,id percent")))
	structured := []byte(`{"specversion":"1.0","id":"e1","source":"/s","type":"t","subject":"order-7"}`)
	canonical := http.Header{}
	for name, value := range map[string]string{"content-type": "application/json", "ce-specversion": "1.0", "ce-id": "e1", "ce-subject": " caf%C3%A9 ", "x-other": "1"} {
		canonical.Set(name, value)
	}
	values := map[string][]string{"content-type": {"application/json"}, "ce-specversion": {"1.0"}, "ce-id": {"e1"}, "ce-subject": {`"caf%C3%A9"`}}
	oddNames := map[string][]string{"CE-Specversion": {"1.0"}, "CE-ID": {"e1"}, "cE-subject": {"order-7"}}
	bad := map[string][]string{"ce-specversion": {"1.0"}, "ce-id": {"100%"}}
	single := map[string]string{"ce-specversion": "1.0", "ce-id": "e1", "ce-subject": "order-7"}
	kafka := []recordHeader{{"content-type", []byte("application/json")}, {"ce_specversion", []byte("1.0")}, {"ce_id", []byte("e1")}, {"ce_subject", []byte("order-7")}}
	structuredKafka := []recordHeader{{"content-type", []byte("application/cloudevents+json; charset=utf-8")}}
	mqtt := []userProperty{{"specversion", "1.0"}, {"id", "e1"}, {"subject", "order-7"}}
	sdk := []userProperty{{"ce-specversion", "1.0"}, {"ce-id", "e1"}, {"ce-subject", "order-7"}}
	amqp := map[string]string{"cloudEvents:specversion": "1.0", "cloudEvents:id": "e1", "cloudEvents:subject": "order-7"}

	for what, decide := range map[string]func(*slot.Filter) slot.Verdict{
		"HTTP": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders", Header: cloudevent.HTTP.Values(canonical), Body: structured})
		},
		"NATS": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders", Header: cloudevent.NATS.Values(values)})
		},
		"NATS, odd names": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.NATS.Values(oddNames)})
		},
		"NATS, a bad %": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.NATS.Values(bad)})
		},
		"Kafka": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders", Header: cloudevent.Pairs(cloudevent.Kafka, kafka), Body: structured})
		},
		"Kafka, a route": func(f *slot.Filter) slot.Verdict {
			return f.Judge(cloudevent.Route(f.Rule(), cloudevent.Message{Topic: "orders", Header: cloudevent.Pairs(cloudevent.Kafka, kafka)}))
		},
		"Kafka, a list": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.Kafka.List(len(kafka), func(i int) (string, []byte) {
				return kafka[i].Key, kafka[i].Value
			})})
		},
		"MQTT": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders/eu", ContentType: "text/plain", Header: cloudevent.Properties(cloudevent.MQTT, mqtt)})
		},
		"MQTT, as the SDK": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.Properties(cloudevent.MQTT, sdk)})
		},
		"MQTT, a command": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "wrk/feed/command/7", Header: cloudevent.Properties(cloudevent.MQTT, mqtt)})
		},
		"AMQP": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.AMQP.Lookup(plainLookup)})
		},
		"AMQP, a closure": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.AMQP.Lookup(func(name string) (string, bool) {
				value, ok := amqp[name]
				return value, ok
			})})
		},
		"Pub/Sub": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders", Header: cloudevent.PubSub.Map(single)})
		},
		"no headers": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders", Body: structured})
		},
		"no transport": func(f *slot.Filter) slot.Verdict { return cloudevent.DecideMessage(f, cloudevent.Message{}) },
		"structured": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{ContentType: "application/cloudevents+json; charset=utf-8", Header: cloudevent.Pairs(cloudevent.Kafka, kafka), Body: structured})
		},
		"structured, broken": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{ContentType: "Application/CloudEvents+JSON", Body: structured[:9]})
		},
		"structured, by a header of bytes": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Header: cloudevent.Pairs(cloudevent.Kafka, structuredKafka), Body: structured})
		},
		"a batch": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{ContentType: "application/cloudevents-batch+json", Header: cloudevent.HTTP.Values(canonical), Body: structured})
		},
		"Avro": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{ContentType: "application/cloudevents+avro", Header: cloudevent.HTTP.Values(canonical), Body: structured})
		},
		"a command": func(f *slot.Filter) slot.Verdict {
			return cloudevent.DecideMessage(f, cloudevent.Message{Topic: "wrk.feed.command.7", Header: cloudevent.HTTP.Values(canonical)})
		},
	} {
		for _, f := range filters {
			costless(t, what+", "+f.Rule().String(), func() { decide(f) })
		}
	}
}

// plainLookup captures nothing.
func plainLookup(name string) (value string, ok bool) {
	switch name {
	case "cloudEvents_specversion":
		return "1.0", true
	case "cloudEvents_id":
		return "e1", true
	}
	return "", false
}

// The elements of a batch are parts of it.
func TestBatchDoesNotCopy(t *testing.T) {
	batch := []byte(`[` + strings.Repeat(`{"id":"e1","data":"\n"},`, 100) + `{"id":"e2"}]`)
	f := filterOf(t, 3, 1)
	count := 0
	costless(t, "Batch", func() {
		for element, err := range cloudevent.Batch(batch) {
			if err == nil && cloudevent.Decide(f, "orders", element).Sum != 0 {
				count++
			}
		}
	})
	if count == 0 {
		t.Error("the batch has no elements")
	}
}

// What else allocates is bounded: one copy of each attribute, and the map.
func TestPeekAllocatesLittle(t *testing.T) {
	body := []byte(`{"specversion":"1.0","id":"e1","source":"/s","type":"t","subject":"order-7","tenant":"acme","data":{"a":[1,2,3]}}`)
	if got := testing.AllocsPerRun(20, func() { cloudevent.Peek(body) }); got > 2 {
		t.Errorf("Peek: %v allocations, want at most 2", got)
	}
	event := &decodedEvent{"order-7", "e1"}
	if got := testing.AllocsPerRun(20, func() { cloudevent.Event("orders", event) }); got != 0 {
		t.Errorf("Event: %v allocations", got)
	}
	// Another rule costs the same whatever the length of the body.
	f := filterOf(t, 3, 1).WithRule(ruleOf(t, "tenant,subject,id"))
	long := slices.Concat(body[:len(body)-1], []byte(`,"more":[`), bytes.Repeat([]byte(`{"tenant":"\n"},`), 5000), []byte(`1]}`))
	if got, want := cloudevent.Decide(f, "orders", long), cloudevent.Decide(f, "orders", body); got != want || got.Kind == slot.Malformed {
		t.Errorf("Decide = %v, want %v", got, want)
	}
	got, want := testing.AllocsPerRun(20, func() { cloudevent.Decide(f, "orders", long) }), testing.AllocsPerRun(20, func() { cloudevent.Decide(f, "orders", body) })
	if got != want {
		t.Errorf("Decide under another rule: %v allocations for a long body, %v for a short one", got, want)
	}
}
