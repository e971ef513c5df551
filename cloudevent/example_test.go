package cloudevent_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A message as a broker's client delivers it.
type message struct {
	subject string
	data    []byte
}

func (message) Ack() {}

// The loop of a consumer whose stream carries structured JSON and nothing else.
func ExampleDecide() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)

	messages := []message{
		{"ticks", []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"1","subject":"EUR/USD","data":{"bid":1.08}}`)},
		{"ticks", []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"2","subject":"USD/JPY","data":{"bid":149.2}}`)},
		{"wrk.feed.command.7", []byte(`{"specversion":"1.0","type":"stop","source":"/ops","id":"3"}`)},
	}
	for _, m := range messages {
		verdict := cloudevent.Decide(filter, m.subject, m.data)
		if !verdict.Admit() {
			m.Ack() // and forget: another member has it
			continue
		}
		fmt.Printf("%v: decode and handle %d bytes\n", verdict, len(m.data))
		m.Ack()
	}
	// Output:
	// own slot 1: decode and handle 101 bytes
	// bypass: decode and handle 60 bytes
}

// The same decision for messages in any mode, from the forms that clients have headers in. Each of these
// has the subject EUR/USD.
func ExampleDecideMessage() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)

	// net/http; nats.Header has the same form.
	request := http.Header{}
	request.Set("Ce-Specversion", "1.0")
	request.Set("Ce-Id", "1")
	request.Set("Ce-Subject", "EUR/USD")
	fmt.Println(cloudevent.DecideMessage(filter, cloudevent.Message{
		Topic:  "ticks",
		Header: cloudevent.HTTP.Values(request),
		Body:   []byte(`{"bid":1.08}`),
	}))

	// Kafka: kgo.RecordHeader of franz-go has these fields.
	type recordHeader struct {
		Key   string
		Value []byte
	}
	record := []recordHeader{{"ce_specversion", []byte("1.0")}, {"ce_id", []byte("1")}, {"ce_subject", []byte("EUR/USD")}}
	fmt.Println(cloudevent.DecideMessage(filter, cloudevent.Message{
		Topic:  "ticks",
		Header: cloudevent.Pairs(cloudevent.Kafka, record),
	}))

	// MQTT 5: paho.UserProperty has these fields. The content type is a property of its own.
	type userProperty struct{ Key, Value string }
	properties := []userProperty{{"specversion", "1.0"}, {"id", "1"}, {"subject", "EUR/USD"}}
	fmt.Println(cloudevent.DecideMessage(filter, cloudevent.Message{
		Topic:       "ticks/fx",
		ContentType: "application/json",
		Header:      cloudevent.Properties(cloudevent.MQTT, properties),
	}))

	// Structured JSON is told by its content type, or by the lack of headers.
	fmt.Println(cloudevent.DecideMessage(filter, cloudevent.Message{
		Topic:       "ticks/fx",
		ContentType: "application/cloudevents+json; charset=utf-8",
		Header:      cloudevent.Properties(cloudevent.MQTT, properties[:0]),
		Body:        []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"1","subject":"EUR/USD"}`),
	}))
	// Output:
	// own slot 1
	// own slot 1
	// own slot 1
	// own slot 1
}

// MQTT 3.1.1 has no headers, so events are structured, and topics have slashes. That the message is one of MQTT is for
// the topic: without it the command would be an event like any other, and all members but one would drop it.
func ExampleDecideMessage_mqtt() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)
	for _, m := range []message{
		{"ticks/fx", []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"1","subject":"EUR/USD","data":{"bid":1.08}}`)},
		{"wrk/feed/command/7", []byte(`{"specversion":"1.0","type":"stop","source":"/ops","id":"3","subject":"EUR/USD"}`)},
	} {
		fmt.Println(cloudevent.DecideMessage(filter, cloudevent.Message{Topic: m.subject, Header: cloudevent.MQTT.Map(nil), Body: m.data}))
	}
	// Output:
	// foreign slot 1
	// bypass
}

// The headers of sarama: pointers to structs with the name in bytes.
func ExampleTransport_List() {
	type recordHeader struct{ Key, Value []byte }
	headers := []*recordHeader{{[]byte("ce_specversion"), []byte("1.0")}, {[]byte("ce_id"), []byte("1")}, {[]byte("ce_subject"), []byte("EUR/USD")}}
	header := cloudevent.Kafka.List(len(headers), func(i int) (string, []byte) {
		return string(headers[i].Key), headers[i].Value
	})
	event, err := cloudevent.PeekMessage(routing.Rule{}, cloudevent.Message{Topic: "ticks", Header: header})
	fmt.Println(event.Subject, event.ID, err)
	// Output: EUR/USD 1 <nil>
}

// A consumer of messages of which some are batches. As one event a batch has no key: one member would get all of it.
func ExampleMessage_Mode() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)
	for _, m := range []cloudevent.Message{
		{Topic: "ticks", ContentType: "application/cloudevents+json", Body: []byte(`{"id":"1","subject":"EUR/USD"}`)},
		{Topic: "ticks", ContentType: "application/cloudevents-batch+json", Body: []byte(`[{"id":"2","subject":"USD/JPY"},{"id":"3","subject":"GBP/USD"}]`)},
	} {
		if m.Mode() != cloudevent.ModeBatch {
			if verdict := cloudevent.DecideMessage(filter, m); verdict.Admit() {
				fmt.Printf("%v, %v: %s\n", m.Mode(), verdict, m.Body)
			}
			continue
		}
		for element := range cloudevent.Batch(m.Body) {
			if verdict := cloudevent.Decide(filter, m.Topic, element); verdict.Admit() {
				fmt.Printf("%v, %v: %s\n", m.Mode(), verdict, element)
			}
		}
	}
	// Output:
	// structured, own slot 1: {"id":"1","subject":"EUR/USD"}
	// batch, own slot 1: {"id":"3","subject":"GBP/USD"}
}

// Any other client's headers, by a function: here a map of AMQP's application properties.
func ExampleTransport_Lookup() {
	properties := map[string]any{"cloudEvents:specversion": "1.0", "cloudEvents:id": "1", "cloudEvents:subject": "EUR/USD"}
	header := cloudevent.AMQP.Lookup(func(name string) (string, bool) {
		value, ok := properties[name].(string)
		return value, ok
	})
	event, err := cloudevent.PeekMessage(routing.Rule{}, cloudevent.Message{Topic: "ticks", Header: header})
	fmt.Println(event.Subject, event.ID, err)
	// Output: EUR/USD 1 <nil>
}

// What a message is about, for a log line. The strings are copies.
func ExamplePeek() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	body := []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"1","subject":"EUR/USD","tenant":"acme","data":{"bid":1.08}}`)
	event, err := cloudevent.Peek(body, "source", "tenant")
	if err != nil {
		log.Error("unreadable", "error", err)
		return
	}
	log.Info("dropped", "subject", event.Subject, "id", event.ID, "source", event.Attributes["source"], "tenant", event.Attributes["tenant"])
	// Output: level=INFO msg=dropped subject=EUR/USD id=1 source=/feed tenant=acme
}

// Errors say what is wrong with a message, and where.
func ExamplePeekMessage() {
	for _, m := range []cloudevent.Message{
		{Body: []byte(`{"specversion":"1.0","id":17}`)},
		{Body: []byte(`{"specversion":"1.0","id":"1`)},
		{ContentType: "application/cloudevents+avro"},
	} {
		_, err := cloudevent.PeekMessage(routing.Rule{}, m)
		fmt.Println(err)
		var fault *cloudevent.SyntaxError
		switch {
		case errors.As(err, &fault):
			fmt.Println("  the body is wrong at byte", fault.Offset)
		case errors.Is(err, cloudevent.ErrFormat):
			fmt.Println("  the key is not to be had without a decoder")
		}
	}
	// Output:
	// cloudevent: malformed event: at byte 26: this attribute should be a string or null
	//   the body is wrong at byte 26
	// cloudevent: malformed event: at byte 28: the body ends inside of a value
	//   the body is wrong at byte 28
	// cloudevent: event format that cannot be read: "application/cloudevents+avro"
	//   the key is not to be had without a decoder
}

// Of a batch each member takes the elements that are its own. A rest that cannot be read is an element too: one
// member answers for it.
func ExampleBatch() {
	batch := []byte(`[{"id":"1","subject":"EUR/USD"},{"id":"2","subject":"USD/JPY"},{"id":"3","subject":"GBP/USD"},{"id":`)
	for index := range 3 {
		member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: index})
		if err != nil {
			fmt.Println(err)
			return
		}
		filter := slot.NewFilter(member)
		for element, err := range cloudevent.Batch(batch) {
			if verdict := cloudevent.Decide(filter, "ticks", element); verdict.Admit() {
				fmt.Printf("%v: %v: %s\n", member, verdict, element)
				if err != nil {
					fmt.Println("  ", err)
				}
			}
		}
	}
	// Output:
	// pairs:0/3: own slot 0: {"id":"2","subject":"USD/JPY"}
	// pairs:1/3: own slot 1: {"id":"1","subject":"EUR/USD"}
	// pairs:1/3: own slot 1: {"id":"3","subject":"GBP/USD"}
	// pairs:2/3: malformed slot 2: {"id":
	//    cloudevent: malformed event: at byte 100: the body ends inside of a value
}

// An event without a key is malformed in one member of the group, which handles it as it would have done without a
// filter: it goes to the decoder, whose error is reported once and not by all. All other members drop it.
func Example_malformed() {
	body := []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":17}`)
	for index := range 3 {
		member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: index})
		if err != nil {
			fmt.Println(err)
			return
		}
		switch verdict := cloudevent.Decide(slot.NewFilter(member), "ticks", body); verdict.Kind {
		case slot.Foreign:
			fmt.Println(member, "drops it")
		case slot.Malformed:
			_, err := cloudevent.Peek(body)
			fmt.Println(member, "moves it to where bad messages go:", err)
		}
	}
	// Output:
	// pairs:0/3 drops it
	// pairs:1/3 drops it
	// pairs:2/3 moves it to where bad messages go: cloudevent: malformed event: at byte 57: this attribute should be a string or null
}

// To try a filter out in production, count its verdicts and drop nothing: what each member would get, and how
// many events have no key, is known before anything changes.
func Example_trialRun() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)
	var counter slot.Counter
	for id := range 10000 {
		body := fmt.Appendf(nil, `{"specversion":"1.0","type":"tick","source":"/feed","id":"%d"}`, id)
		if id%1000 == 0 {
			body = body[:len(body)-1] // some are cut
		}
		counter.Count(cloudevent.Decide(filter, "ticks", body))
		// handle it all the same
	}
	fmt.Printf("%+v\n", counter.Counts())
	// Output: {Own:3389 Foreign:6601 Bypass:0 Malformed:10}
}

// One scan serves several filters: the route is the same for all members, under one rule.
func ExampleRoute() {
	body := []byte(`{"specversion":"1.0","type":"tick","source":"/feed","id":"1","subject":"EUR/USD"}`)
	route := cloudevent.Route(routing.Rule{}, cloudevent.Message{Topic: "ticks", Body: body})
	for index := range 3 {
		member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: index})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(member, slot.NewFilter(member).Judge(route))
	}
	// Output:
	// pairs:0/3 foreign slot 1
	// pairs:1/3 own slot 1
	// pairs:2/3 foreign slot 1
}
