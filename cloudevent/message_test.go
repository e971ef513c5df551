package cloudevent_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// No message has no verdict: not the zero Message, nor one with a Header of nothing.
func TestMessagesOfNothing(t *testing.T) {
	var headers []cloudevent.Header
	for _, transport := range []cloudevent.Transport{0, cloudevent.HTTP, cloudevent.NATS, cloudevent.Kafka, cloudevent.AMQP, cloudevent.MQTT, cloudevent.PubSub, 7, 255} {
		headers = append(headers, cloudevent.Header{}, transport.Values(nil), transport.Map(nil), transport.Lookup(nil), transport.List(0, nil), transport.List(3, nil), transport.List(-1, nil),
			transport.Values(map[string][]string{"ce-specversion": nil, "ce-id": {}}),
			transport.Lookup(func(string) (string, bool) { return "", true }),
			transport.List(2, func(int) (string, []byte) { return "", nil }),
			cloudevent.Pairs[recordHeader](transport, nil), cloudevent.Properties[userProperty](transport, nil))
	}
	filters := fullGroup(t, 3)
	for i, h := range headers {
		checkOne(t, filters, func(f *slot.Filter) slot.Verdict { return cloudevent.DecideMessage(f, cloudevent.Message{Header: h}) })
		for _, rule := range []routing.Rule{{}, ruleOf(t, "tenant+id,datacontenttype percent")} {
			if got := cloudevent.Route(rule, cloudevent.Message{Header: h}); got != (routing.Route{}) {
				t.Errorf("header %d: Route = %v, want none", i, got)
			}
			if e, err := cloudevent.PeekMessage(rule, cloudevent.Message{Header: h}); err == nil || e.ID != "" {
				t.Errorf("header %d: PeekMessage = %+v, %v, want the error of an empty body", i, e, err)
			}
			want := routing.Hashed(sumOf("e1"))
			if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Header: h, Body: []byte(`{"id":"e1"}`)}); got != want {
				t.Errorf("header %d: Route = %v, want that of the body", i, got)
			}
		}
	}
	// A transport that is none has no headers, whatever is in them.
	for _, transport := range []cloudevent.Transport{0, 7, 255} {
		h := transport.Map(map[string]string{"specversion": "1.0", "id": "no", "ce-specversion": "1.0", "ce-id": "no", "content-type": "application/cloudevents+xml"})
		if got, want := cloudevent.Route(routing.Rule{}, cloudevent.Message{Header: h, Body: []byte(`{"id":"e1"}`)}), routing.Hashed(sumOf("e1")); got != want {
			t.Errorf("transport %d: Route = %v, want that of the body", transport, got)
		}
	}
}

// Strings of PeekMessage are the caller's own: the client may reuse its buffers.
func TestPeekMessageCopies(t *testing.T) {
	rule := ruleOf(t, "subject,id,tenant percent")
	value := []byte("order-7")
	tenant := []byte("acme")
	records := []recordHeader{{"ce_specversion", []byte("1.0")}, {"ce_subject", value}, {"ce_tenant", tenant}}
	e, err := cloudevent.PeekMessage(rule, cloudevent.Message{Header: cloudevent.Pairs(cloudevent.Kafka, records)})
	if err != nil {
		t.Fatal(err)
	}
	copy(value, "XXXXXXX")
	copy(tenant, "XXXX")
	if e.Subject != "order-7" || e.Attributes["tenant"] != "acme" {
		t.Errorf("%+v changes with the message", e)
	}
}

// In http.Header names are canonical, in raw maps often lower case; NATS keeps whatever the publisher wrote.
func TestSpellingsInMaps(t *testing.T) {
	spell := func(names ...string) map[string][]string {
		m := map[string][]string{}
		for _, name := range names {
			value := "1.0"
			if strings.HasSuffix(strings.ToLower(name), "subject") {
				value = name
			}
			m[name] = []string{value, "another"}
		}
		return m
	}
	for _, test := range []struct {
		transport cloudevent.Transport
		names     []string
		want      string // the key: the name whose value it is
	}{
		{cloudevent.HTTP, []string{"Ce-Specversion", "Ce-Subject"}, "Ce-Subject"},
		{cloudevent.HTTP, []string{"ce-specversion", "ce-subject"}, "ce-subject"},
		{cloudevent.HTTP, []string{"Ce-Specversion", "ce-subject", "Ce-Subject"}, "Ce-Subject"},
		{cloudevent.NATS, []string{"Ce-Specversion", "ce-subject", "Ce-Subject"}, "ce-subject"},
		{cloudevent.NATS, []string{"ce-specversion", "Ce-Subject", "CE-SUBJECT"}, "Ce-Subject"},
		{cloudevent.NATS, []string{"CE-SPECVERSION", "cE-sUbJeCt"}, "cE-sUbJeCt"},
		{cloudevent.NATS, []string{"CE-SPECVERSION", "CE-Subject", "cE-sUbJeCt", "CE-sUBJECT"}, "CE-Subject"}, // the lowest by bytes: the same each time
		{cloudevent.PubSub, []string{"ce-specversion", "Ce-Subject"}, "Ce-Subject"},
		{cloudevent.PubSub, []string{"ce-specversion", "Ce-Subject", "ce-subject", "CE-SUBJECT"}, "ce-subject"},
		{cloudevent.Kafka, []string{"Ce_specversion", "Ce_subject", "CE_SUBJECT"}, "Ce_subject"},
		{cloudevent.AMQP, []string{"Cloudevents_specversion", "Cloudevents_subject"}, "Cloudevents_subject"},
		{cloudevent.AMQP, []string{"cloudEvents:specversion", "cloudEvents:subject", "Cloudevents:subject"}, "cloudEvents:subject"},
		{cloudevent.MQTT, []string{"Specversion", "Subject", "SUBJECT"}, "Subject"},
		// No other spelling is looked for.
		{cloudevent.HTTP, []string{"Ce-Specversion", "CE-Subject", "cE-subject"}, ""},
		{cloudevent.PubSub, []string{"Ce-Specversion", "CE-SUBJECT"}, ""},
		{cloudevent.AMQP, []string{"cloudEvents:specversion", "Cloudevents:subject"}, ""},
		{cloudevent.HTTP, []string{"CE-SPECVERSION", "Ce-Subject"}, ""},
	} {
		for range 20 { // the order of a map changes
			m := cloudevent.Message{Header: test.transport.Values(spell(test.names...))}
			var want routing.Route
			if test.want != "" {
				want = routing.Hashed(sumOf(test.want))
			}
			if got := cloudevent.Route(routing.Rule{}, m); got != want {
				t.Errorf("%d, %q: Route = %v, want %v of %q", test.transport, test.names, got, want, test.want)
				break
			}
		}
	}
}

// A name that is there counts, even if its value is empty.
func TestEmptySpellingsInMaps(t *testing.T) {
	for _, test := range []struct {
		transport cloudevent.Transport
		empty     string
		others    []string // which would be looked for later
	}{
		{cloudevent.HTTP, "Ce-Subject", []string{"ce-subject"}},
		{cloudevent.NATS, "ce-subject", []string{"Ce-Subject", "CE-SUBJECT"}},
		{cloudevent.NATS, "Ce-Subject", []string{"CE-SUBJECT"}},
		{cloudevent.PubSub, "ce-subject", []string{"Ce-Subject"}},
	} {
		for _, empty := range [][]string{nil, {}, {""}, {"", "another"}} {
			headers := map[string][]string{"ce-specversion": {"1.0"}, "ce-id": {"e1"}, test.empty: empty}
			for _, name := range test.others {
				headers[name] = []string{name}
			}
			m := cloudevent.Message{Header: test.transport.Values(headers)}
			if got, want := cloudevent.Route(routing.Rule{}, m), routing.Hashed(sumOf("e1")); got != want {
				t.Errorf("%d, %q: Route = %v, want %v of the id", test.transport, headers, got, want)
			}
		}
	}
}

// A real request, as net/http has parsed it.
func TestRequest(t *testing.T) {
	r, err := http.NewRequest(http.MethodPost, "http://localhost/orders", strings.NewReader("data"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("ce-specversion", "1.0")
	r.Header.Set("CE-Subject", "order-7")
	r.Header.Set("Content-Type", "application/json")
	m := cloudevent.Message{Topic: r.URL.Path, Header: cloudevent.HTTP.Values(r.Header), Body: []byte("data")}
	if got, want := cloudevent.Route(routing.Rule{}, m), routing.Hashed(sumOf("order-7")); got != want {
		t.Errorf("Route = %v, want %v", got, want)
	}
}

// Commands are commands in every transport, under every rule that has them, and whatever else is
// wrong with the message.
func TestCommands(t *testing.T) {
	other := ruleOf(t, "tenant,subject bypass=control.>,wrk.*.command.*")
	none := ruleOf(t, "subject,id bypass=")
	for _, test := range []struct {
		transport cloudevent.Transport
		topic     string
		rule      routing.Rule
		want      bool
	}{
		{0, "wrk.feed.command.7", routing.Rule{}, true},
		{cloudevent.Kafka, "wrk.feed.command.7", other, true},
		{cloudevent.Kafka, "control.stop", other, true},
		{cloudevent.Kafka, "control/stop", other, false},
		{cloudevent.MQTT, "control/stop/now", other, true},
		{cloudevent.MQTT, "control.stop", other, false},
		{cloudevent.MQTT, "wrk/feed/command/7", routing.Rule{}, true},
		{cloudevent.MQTT, "wrk/feed/command/7", none, false},
		{cloudevent.MQTT, "wrk/" + strings.Repeat("long", 50) + "/command/7", routing.Rule{}, true},
		{cloudevent.MQTT, "wrk/feed.v2/command/7", routing.Rule{}, true},
		{cloudevent.MQTT, "wrk.feed/command/7", routing.Rule{}, false},
		{cloudevent.NATS, "wrk.feed.command", routing.Rule{}, false},
	} {
		for what, m := range map[string]cloudevent.Message{
			"an event":   {Topic: test.topic, Header: test.transport.Map(map[string]string{"ce-specversion": "1.0", "ce-id": "e1", "specversion": "1.0", "id": "e1"})},
			"nothing":    {Topic: test.topic, Header: test.transport.Map(nil)},
			"Avro":       {Topic: test.topic, Header: test.transport.Map(nil), ContentType: "application/cloudevents+avro"},
			"structured": {Topic: test.topic, Header: test.transport.Map(nil), Body: []byte(`{"id":"e1"}`)},
		} {
			if got := cloudevent.Route(test.rule, m).Command(); got != test.want {
				t.Errorf("%s on %q under %q: a command: %t, want %t", what, test.topic, test.rule, got, test.want)
			}
			for _, f := range fullGroup(t, 3) {
				if got := cloudevent.DecideMessage(f.WithRule(test.rule), m); (got.Kind == slot.Bypass) != test.want {
					t.Errorf("%s on %q under %q: %v says %v", what, test.topic, test.rule, f.Member(), got)
				}
			}
		}
	}
	for _, f := range fullGroup(t, 3) {
		for _, body := range []string{`{"id":"e1"}`, `{`, ``} {
			if got, want := cloudevent.Decide(f, "wrk.feed.command.7", []byte(body)), (slot.Verdict{Kind: slot.Bypass, Slot: -1}); got != want {
				t.Errorf("Decide(%q) = %+v, want %+v", body, got, want)
			}
			if got := cloudevent.Decide(f.WithRule(none), "wrk.feed.command.7", []byte(body)); got.Kind == slot.Bypass {
				t.Errorf("Decide(%q) = %v under a rule without commands", body, got)
			}
		}
	}
}

// A dedicated member owns whatever it gets.
func TestDedicatedMemberOwnsAll(t *testing.T) {
	var f slot.Filter
	for _, body := range []string{`{"id":"e1"}`, `{"id":7}`, `{`, ``} {
		if got := cloudevent.Decide(&f, "orders", []byte(body)); got.Kind != slot.Own || got.Slot != -1 {
			t.Errorf("Decide(%q) = %v, want own", body, got)
		}
	}
}

type decodedEvent struct{ subject, id string }

func (e *decodedEvent) Subject() string { return e.subject }
func (e *decodedEvent) ID() string      { return e.id }

func TestEventOfADecodedEvent(t *testing.T) {
	e := cloudevent.Event("orders", &decodedEvent{"order-7", "e1"})
	if e.Topic != "orders" || e.Subject != "order-7" || e.ID != "e1" || e.Attributes != nil {
		t.Errorf("Event = %+v", e)
	}
	defer func() {
		if recover() == nil {
			t.Error("a typed nil pointer does not panic, and the documentation says so")
		}
	}()
	cloudevent.Event("orders", (*decodedEvent)(nil))
}
