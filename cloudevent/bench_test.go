package cloudevent_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// eventOf returns an event of about n bytes: its data are dense JSON or one long string, before or after the key.
func eventOf(n int, dense, late bool) []byte {
	const head = `{"specversion":"1.0","type":"com.example.order.placed","source":"/shops/42/orders","time":"2026-11-30T20:00:00Z","datacontenttype":"application/json"`
	const key = `,"id":"8d7f3c5a-90c1-4b3e-a2d4-6f1e0b9c7a58","subject":"order-4711"`
	room := max(n-len(head)-len(key)-len(`,"data":[]}`), 0)
	var data string
	if dense {
		const piece = `{"sku":"A-17","qty":2,"price":19.99,"tags":["new","sale"],"gift":null},`
		data = `[` + strings.Repeat(piece, room/len(piece)) + `0]`
	} else {
		const piece = "The quick brown fox jumps over the lazy dog. "
		data = `"` + strings.Repeat(piece, room/len(piece)+1)[:room] + `"`
	}
	if late {
		return []byte(head + `,"data":` + data + key + `}`)
	}
	return []byte(head + key + `,"data":` + data + `}`)
}

// forEachEvent runs body once for each size, kind of data and place of the key, as a sub-benchmark of that name.
func forEachEvent(b *testing.B, body func(b *testing.B, event []byte)) {
	for _, size := range []int{300, 1536, 65536} {
		for _, dense := range []bool{true, false} {
			for _, late := range []bool{false, true} {
				name := fmt.Sprintf("%d/data=%s/key=%s", size, choose(dense, "dense", "string"), choose(late, "late", "early"))
				b.Run(name, func(b *testing.B) {
					event := eventOf(size, dense, late)
					b.ReportAllocs()
					b.SetBytes(int64(len(event)))
					body(b, event)
				})
			}
		}
	}
}

func choose(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func BenchmarkDecide(b *testing.B) {
	f := filterOf(b, 3, 1)
	forEachEvent(b, func(b *testing.B, event []byte) {
		for b.Loop() {
			cloudevent.Decide(f, "orders.eu", event)
		}
	})
}

func BenchmarkPeek(b *testing.B) {
	forEachEvent(b, func(b *testing.B, event []byte) {
		for b.Loop() {
			cloudevent.Peek(event)
		}
	})
}

// Keys and data with escapes cost more.
func BenchmarkDecideEscapes(b *testing.B) {
	f := filterOf(b, 3, 1)
	for _, bench := range []struct{ name, event string }{
		{"key", `{"specversion":"1.0","type":"t","source":"/s","id":"e1","subject":"caf\u00e9 \"au lait\""}`},
		{"data", `{"specversion":"1.0","type":"t","source":"/s","data":"` + strings.Repeat(`{\"sku\":\"A-17\",\"qty\":2},`, 50) + `","id":"e1"}`},
		{"text", `{"specversion":"1.0","type":"t","source":"/s","data":{"text":"` + strings.Repeat(`The quick brown fox\njumps over the lazy dog.\n`, 30) + `"},"id":"e1"}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			event := []byte(bench.event)
			b.ReportAllocs()
			b.SetBytes(int64(len(event)))
			for b.Loop() {
				cloudevent.Decide(f, "orders.eu", event)
			}
		})
	}
}

func BenchmarkDecideMessage(b *testing.B) {
	f := filterOf(b, 3, 1)
	percent := f.WithRule(ruleOf(b, "subject,id percent"))
	list := []field{
		{"content-type", "application/json"}, {"specversion", "1.0"}, {"type", "com.example.order.placed"}, {"source", "/shops/42/orders"},
		{"time", "2026-11-30T20:00:00Z"}, {"id", "8d7f3c5a-90c1-4b3e-a2d4-6f1e0b9c7a58"}, {"subject", "order-4711"},
	}
	with := func(prefix string) (values map[string][]string, single map[string]string, records []recordHeader, properties []userProperty) {
		values, single = map[string][]string{}, map[string]string{}
		for i, h := range list {
			name := prefix + h.name
			if i == 0 {
				name = h.name
			}
			values[name] = []string{h.value}
			single[name] = h.value
			records = append(records, recordHeader{name, []byte(h.value)})
			properties = append(properties, userProperty{name, h.value})
		}
		return values, single, records, properties
	}
	lowerCase, single, _, _ := with("ce-")
	_, _, records, _ := with("ce_")
	_, _, _, properties := with("")
	_, amqp, _, _ := with("cloudEvents:")
	canonical := http.Header{}
	for name, values := range lowerCase {
		canonical.Set(name, values[0])
	}
	body := eventOf(1536, true, true)

	run := func(name string, decide func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				decide()
			}
		})
	}
	run("HTTP", func() { cloudevent.DecideMessage(f, binaryMessage(body, cloudevent.HTTP.Values(canonical))) })
	run("HTTP/percent", func() { cloudevent.DecideMessage(percent, binaryMessage(body, cloudevent.HTTP.Values(canonical))) })
	run("NATS", func() { cloudevent.DecideMessage(f, binaryMessage(body, cloudevent.NATS.Values(lowerCase))) })
	run("Kafka", func() { cloudevent.DecideMessage(f, binaryMessage(body, cloudevent.Pairs(cloudevent.Kafka, records))) })
	run("MQTT", func() {
		m := binaryMessage(body, cloudevent.Properties(cloudevent.MQTT, properties))
		m.Topic, m.ContentType = "orders/eu", "application/json"
		cloudevent.DecideMessage(f, m)
	})
	run("AMQP", func() {
		cloudevent.DecideMessage(f, binaryMessage(body, cloudevent.AMQP.Lookup(func(name string) (string, bool) {
			value, ok := amqp[name]
			return value, ok
		})))
	})
	run("PubSub", func() { cloudevent.DecideMessage(f, binaryMessage(body, cloudevent.PubSub.Map(single))) })
	run("structured", func() {
		cloudevent.DecideMessage(f, cloudevent.Message{Topic: "orders.eu", ContentType: "application/cloudevents+json; charset=utf-8", Body: body})
	})
	run("command", func() { cloudevent.DecideMessage(f, cloudevent.Message{Topic: "wrk.feed.command.7", Body: body}) })
}

func binaryMessage(body []byte, h cloudevent.Header) cloudevent.Message {
	return cloudevent.Message{Topic: "orders.eu", Header: h, Body: body}
}

func BenchmarkBatch(b *testing.B) {
	f := filterOf(b, 3, 1)
	event := string(eventOf(300, true, true))
	batch := []byte("[" + strings.Repeat(event+",", 99) + event + "]")
	b.ReportAllocs()
	b.SetBytes(int64(len(batch)))
	for b.Loop() {
		own := 0
		for element := range cloudevent.Batch(batch) {
			if cloudevent.Decide(f, "orders.eu", element).Kind == slot.Own {
				own++
			}
		}
		if own != 0 && own != 100 {
			b.Fatal("elements that are equal have different slots")
		}
	}
}
