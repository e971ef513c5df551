package cloudevent_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
)

// Attributes that only some rules name.
func TestPeekOfFurtherAttributes(t *testing.T) {
	type attributes = map[string]string
	n62 := strings.Repeat("n", 62)
	for _, test := range []struct {
		body  string
		names []string
		want  routing.Event
	}{
		{`{"id":"i","tenant":"acme"}`, nil, routing.Event{ID: "i"}},
		{`{"id":"i","tenant":"acme"}`, []string{"subject", "id"}, routing.Event{ID: "i"}},
		{`{"id":"i","tenant":"acme"}`, []string{"tenant"}, routing.Event{ID: "i", Attributes: attributes{"tenant": "acme"}}},
		{`{"id":"i","tenant":"acme"}`, []string{"id", "tenant", "subject", "tenant"}, routing.Event{ID: "i", Attributes: attributes{"tenant": "acme"}}},
		{`{"id":"i"}`, []string{"tenant"}, routing.Event{ID: "i", Attributes: attributes{}}},
		{`{"id":"i","tenant":null}`, []string{"tenant"}, routing.Event{ID: "i", Attributes: attributes{}}},
		{`{"id":"i","tenant":""}`, []string{"tenant"}, routing.Event{ID: "i", Attributes: attributes{}}},
		{`{"tenant":"a","tenant":"b"}`, []string{"tenant"}, routing.Event{Attributes: attributes{"tenant": "b"}}},
		{`{"tenant":"a","tenant":null}`, []string{"tenant"}, routing.Event{Attributes: attributes{}}},
		{`{"tenant":"a","tenant":"","source":"/s"}`, []string{"tenant", "source"}, routing.Event{Attributes: attributes{"source": "/s"}}},
		{`{"tenant":"\u0061\ud800"}`, []string{"tenant"}, routing.Event{Attributes: attributes{"tenant": "a\ufffd"}}},
		{`{"tenant":" a "}`, []string{"tenant"}, routing.Event{Attributes: attributes{"tenant": " a "}}},
		// Extensions' names have no case, others' have.
		{`{"TENANT":"a"}`, []string{"tenant"}, routing.Event{Attributes: attributes{"tenant": "a"}}},
		{`{"tenant":"a","Ten\u0041nt":"b"}`, []string{"tenant"}, routing.Event{Attributes: attributes{"tenant": "b"}}},
		{`{"Source":"/s"}`, []string{"source"}, routing.Event{Attributes: attributes{}}},
		{`{"\u017fhard":"a","K":"b"}`, []string{"shard", "k"}, routing.Event{Attributes: attributes{"k": "b"}}},
		{`{"\u212a":"a"}`, []string{"k"}, routing.Event{Attributes: attributes{}}},
		// The canonical text of what is no string.
		{`{"n":7,"t":true,"f":false}`, []string{"n", "t", "f"}, routing.Event{Attributes: attributes{"n": "7", "t": "true", "f": "false"}}},
		{`{"n":7.9,"m":-7.9}`, []string{"n", "m"}, routing.Event{Attributes: attributes{"n": "7", "m": "-7"}}},
		{`{"n":-0,"m":0.0,"o":-0.5}`, []string{"n", "m", "o"}, routing.Event{Attributes: attributes{"n": "0", "m": "0", "o": "0"}}},
		{`{"n":1e3,"m":1.5E+1,"o":1500e-3}`, []string{"n", "m", "o"}, routing.Event{Attributes: attributes{"n": "1000", "m": "15", "o": "1"}}},
		{`{"n":2147483647,"m":-2147483648}`, []string{"n", "m"}, routing.Event{Attributes: attributes{"n": "2147483647", "m": "-2147483648"}}},
		// The nearest double counts, and no digit behind it.
		{`{"n":0.99999999999999999999,"m":-0.99999999999999999999,"o":6.99999999999999}`, []string{"n", "m", "o"},
			routing.Event{Attributes: attributes{"n": "1", "m": "-1", "o": "6"}}},
		{`{"n":2147483647.0000000001,"m":-2147483648.0000000001,"o":-1e-400}`, []string{"n", "m", "o"},
			routing.Event{Attributes: attributes{"n": "2147483647", "m": "-2147483648", "o": "0"}}},
		{`{"n":"007"}`, []string{"n"}, routing.Event{Attributes: attributes{"n": "007"}}},
		// Names of any length.
		{`{"` + n62 + `":"a","` + n62 + `n":"b","` + n62 + `nn":"c","` + n62 + `nnn":"d"}`, []string{n62, n62 + "n", n62 + "nn", n62 + "nnn"},
			routing.Event{Attributes: attributes{n62: "a", n62 + "n": "b", n62 + "nn": "c", n62 + "nnn": "d"}}},
		{`{"` + n62 + `nn":"no"}`, []string{n62 + "n", n62 + "nnn"}, routing.Event{Attributes: attributes{}}},
		// What nobody asks for is not judged.
		{`{"id":"i","tenant":7,"source":8,"n":1e400}`, nil, routing.Event{ID: "i"}},
		{`{"id":"i","datacontenttype":"text/plain","time":"2026-01-01T00:00:00Z"}`, []string{"datacontenttype", "time"},
			routing.Event{ID: "i", Attributes: attributes{"datacontenttype": "text/plain", "time": "2026-01-01T00:00:00Z"}}},
	} {
		e, err := cloudevent.Peek([]byte(test.body), test.names...)
		if err != nil || e.Subject != test.want.Subject || e.ID != test.want.ID || e.Topic != "" ||
			!maps.Equal(e.Attributes, test.want.Attributes) || (e.Attributes == nil) != (test.want.Attributes == nil) {
			t.Errorf("Peek(%q, %q) = %+v, %v, want %+v", test.body, test.names, e, err, test.want)
		}
	}
}

func TestPeekRefusesAttributes(t *testing.T) {
	for _, body := range []string{
		`{"id":"i","tenant":2147483648}`, `{"id":"i","tenant":2147483647.000001}`, `{"id":"i","tenant":-2147483648.000001}`, `{"id":"i","tenant":-2147483649}`, `{"id":"i","tenant":1e10}`, `{"id":"i","tenant":1e400}`, `{"id":"i","tenant":01}`, `{"id":"i","tenant":1.}`,
		`{"id":"i","tenant":.5}`, `{"id":"i","tenant":+1}`, `{"id":"i","tenant":-}`, `{"id":"i","tenant":1e}`, `{"id":"i","tenant":1e+}`, `{"id":"i","tenant":0x1F}`, `{"id":"i","tenant":NaN}`, `{"id":"i","tenant":Inf}`,
		`{"id":"i","tenant":True}`, `{"id":"i","tenant":nul}`, `{"id":"i","tenant":x}`, `{"id":"i","tenant":[]}`, `{"id":"i","tenant":{"tenant":"a"}}`, `{"id":"i","tenant":"\q"}`, "{\"id\":\"i\",\"tenant\":\"\n\"}",
		`{"id":"i","TENANT":{},"tenant":"a"}`, `{"id":"i","source":7}`, `{"id":"i","source":true}`, `{"id":"i","time":[]}`, `{"id":"i","type":"\u00"}`, `{"id":"i","dataschema":{}}`,
	} {
		e, err := cloudevent.Peek([]byte(body), "tenant", "source", "time", "type", "dataschema")
		checkSyntaxError(t, []byte(body), err)
		if err == nil || e.ID != "" || e.Attributes != nil {
			t.Errorf("Peek(%q) = %+v, %v, want an error and nothing else", body, e, err)
		}
		if e, err := cloudevent.Peek([]byte(body)); err != nil || e.ID != "i" {
			t.Errorf("Peek(%q) = %+v, %v, though nobody asks for it", body, e, err)
		}
	}
}

// The same event under many rules, in both modes, has the route that the rule gives its attributes.
func TestRulesOnMessages(t *testing.T) {
	body := []byte(`{"specversion":"1.0","id":"e1","source":"/shops/42","type":"t","subject":"order-7","tenant":"acme","shard":7,"datacontenttype":"text/plain","data":"x"}`)
	binary := []field{
		{"content-type", "text/plain"}, {"ce-specversion", "1.0"}, {"ce-id", "e1"}, {"ce-source", "/shops/42"}, {"ce-type", "t"}, {"ce-subject", "order-7"},
		{"ce-tenant", "acme"}, {"ce-shard", "7"},
	}
	for text, want := range map[string]string{ // the key, empty for none
		"subject,id":           "order-7",
		"id":                   "e1",
		"id,subject":           "e1",
		"tenant,subject":       "acme",
		"partitionkey,subject": "order-7",
		"partitionkey":         "",
		"source+id":            "9:/shops/422:e1",
		"partitionkey+id,type": "t",
		"shard":                "7",
		"topic[1]":             "eu",
		"topic[9],shard":       "7",
		"topic/[1]":            "",
		"topic[0]+tenant":      "6:orders4:acme",
		"datacontenttype":      "text/plain",
		"specversion":          "1.0",
		"subject,id bypass=":   "order-7",
		"subject,id percent":   "order-7",
	} {
		rule := ruleOf(t, text)
		var route routing.Route
		if want != "" {
			route = routing.Hashed(sumOf(want))
		}
		f := filterOf(t, 3, 1).WithRule(rule)
		if got := cloudevent.Decide(f, "orders.eu", body); got != f.Judge(route) {
			t.Errorf("%q: Decide = %v, want %v of %q", text, got, f.Judge(route), want)
		}
		messages := map[string]cloudevent.Message{"structured": {Topic: "orders.eu", Body: body}}
		for _, transport := range []string{"http", "nats", "pubsub"} {
			for form, header := range formsOf(transport, binary) {
				messages[transport+" "+form] = cloudevent.Message{Topic: "orders.eu", Header: header, Body: body[:5]}
			}
		}
		for mode, m := range messages {
			if got := cloudevent.Route(rule, m); got != route {
				t.Errorf("%q, %s: Route = %v, want %v of %q", text, mode, got, route, want)
			}
			e, err := cloudevent.PeekMessage(rule, m)
			if key, ok := rule.Key(e); err != nil || e.Topic != "orders.eu" || key != want || ok != (want != "") {
				t.Errorf("%q, %s: PeekMessage = %+v, %v, its key %q, want %q", text, mode, e, err, key, want)
			}
		}
	}
}

// Extensions keep their white space, attributes of CloudEvents lose it; what is absent is not in
// the map, which is there.
func TestAttributesInHeaders(t *testing.T) {
	rule := ruleOf(t, "tenant,partitionkey,source,subject,id")
	for transport, prefix := range map[string]string{"http": "ce-", "nats": "ce-", "kafka": "ce_", "amqp": "cloudEvents:", "mqtt": "", "pubsub": "ce-"} {
		list := []field{{prefix + "specversion", "1.0"}, {prefix + "id", " e1\t"}, {prefix + "source", "\u00a0/s "}, {prefix + "tenant", " acme "}, {prefix + "partitionkey", ""}}
		for form, header := range formsOf(transport, list) {
			e, err := cloudevent.PeekMessage(rule, cloudevent.Message{Topic: "orders", Header: header})
			want := routing.Event{Topic: "orders", ID: "e1", Attributes: map[string]string{"tenant": " acme ", "source": "/s"}}
			if err != nil || e.ID != want.ID || e.Subject != "" || e.Topic != want.Topic || !maps.Equal(e.Attributes, want.Attributes) {
				t.Errorf("%s, %s: %+v, %v, want %+v", transport, form, e, err, want)
			}
			if got, want := cloudevent.Route(rule, cloudevent.Message{Header: header}), routing.Hashed(sumOf(" acme ")); got != want {
				t.Errorf("%s, %s: Route = %v, want %v", transport, form, got, want)
			}
		}
		for form, header := range formsOf(transport, list[:2]) {
			e, err := cloudevent.PeekMessage(rule, cloudevent.Message{Header: header})
			if key, ok := rule.Key(e); err != nil || e.Attributes == nil || len(e.Attributes) > 0 || key != "e1" || !ok {
				t.Errorf("%s, %s: %+v, %v, want an empty map and the id", transport, form, e, err)
			}
		}
	}
}

// The attribute datacontenttype is the content type, wherever the transport has that.
func TestContentTypeAsAnAttribute(t *testing.T) {
	rule := ruleOf(t, "datacontenttype")
	for transport, prefix := range map[string]string{"http": "ce-", "nats": "ce-", "kafka": "ce_", "amqp": "cloudEvents:", "mqtt": "", "pubsub": "ce-"} {
		list := []field{{prefix + "specversion", "1.0"}, {prefix + "id", "e1"}}
		for form, header := range formsOf(transport, list) {
			got := cloudevent.Route(rule, cloudevent.Message{ContentType: "text/plain", Header: header})
			if want := routing.Hashed(sumOf("text/plain")); got != want {
				t.Errorf("%s, %s: Route = %v, want %v", transport, form, got, want)
			}
			if got := cloudevent.Route(rule, cloudevent.Message{Header: header}); got != (routing.Route{}) {
				t.Errorf("%s, %s, no content type: Route = %v, want none", transport, form, got)
			}
		}
	}
}

// Under percent the content type is decoded as any header of HTTP and NATS is.
func TestContentTypeIsDecoded(t *testing.T) {
	for transport, prefix := range map[string]string{"http": "ce-", "nats": "ce-", "kafka": "ce_", "pubsub": "ce-"} {
		want := map[string]string{"datacontenttype": "text/%61", "datacontenttype percent": "text/%61"}
		if transport == "http" || transport == "nats" {
			want["datacontenttype percent"] = "text/a"
		}
		for form, header := range formsOf(transport, []field{{"content-type", " text/%61 "}, {prefix + "specversion", "1.0"}}) {
			for rule, key := range want {
				if got, want := cloudevent.Route(ruleOf(t, rule), cloudevent.Message{Header: header}), routing.Hashed(sumOf(key)); got != want {
					t.Errorf("%s, %s, %q: Route = %v, want %v of %q", transport, form, rule, got, want, key)
				}
			}
		}
	}
}

// A number that is no integer is no extension of CloudEvents. JSON and headers make different keys
// of it, as the SDK does.
func TestFractionsDifferBetweenModes(t *testing.T) {
	rule := ruleOf(t, "number")
	header := cloudevent.HTTP.Values(map[string][]string{"Ce-Specversion": {"1.0"}, "Ce-Number": {"7.5"}})
	for key, m := range map[string]cloudevent.Message{"7": {Body: []byte(`{"number":7.5}`)}, "7.5": {Header: header}} {
		if got, want := cloudevent.Route(rule, m), routing.Hashed(sumOf(key)); got != want {
			t.Errorf("Route of %v = %v, want %v of %q", m.Mode(), got, want, key)
		}
	}
}
