package receiver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/textproto"
	"reflect"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
	"github.com/cloudevents/sdk-go/v2/types"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// The laws of agreement: for every event that the SDK decodes, what we read of it without decoding is what the decoded
// event has. Where the SDK has a fault, [faultIn] names it and the law says nothing; fault_test.go has a test for each
// of these names.

// unmarshal is the SDK's decode of structured JSON; panicked is what it panicked with.
func unmarshal(body []byte) (e event.Event, panicked any, err error) {
	defer func() { panicked = recover() }()
	err = json.Unmarshal(body, &e)
	return e, nil, err
}

// toEvent is the SDK's decode of a message; panicked is what it panicked with.
func toEvent(m binding.Message) (e *event.Event, panicked any, err error) {
	defer func() { panicked = recover() }()
	e, err = binding.ToEvent(context.Background(), m)
	return e, nil, err
}

func routeOf(key string) routing.Route { return routing.Hashed(hashpin.Sum32String(key)) }

// The rules under which the laws are checked. Those with source, time or dataschema are not among them, as the SDK
// rewrites these values; checkAttributes compares them.
var agreeRules = mustRules(
	"subject,id", "id,subject", "subject", "partitionkey,subject,id", "number,flag,id", "type+id,subject", "specversion+datacontenttype+id", "topic[1],id",
	"subject,id bypass=ticks.*",
)

// The attributes that are compared one by one, each as a rule.
var (
	agreeNames     = []string{"subject", "id", "source", "type", "specversion", "datacontenttype", "dataschema", "time", "partitionkey", "number", "flag"}
	agreeNameRules = mustRules(agreeNames...)
)

// checkBody holds a structured event against the law, and reports whether the SDK decodes it.
func checkBody(t testing.TB, body []byte) (decoded bool) {
	t.Helper()
	e, panicked, err := unmarshal(body)
	fault := faultIn(body)
	if panicked != nil && !fault.panics {
		t.Errorf("the SDK panics for a reason that has no name: %v, of %q", panicked, body)
	}
	cloudevent.Decide(member(t, 1), "ticks", body) // must not panic, whatever it is
	if panicked != nil || err != nil {
		return false
	}
	if fault.all {
		return true
	}
	for _, r := range agreeRules {
		if fault.touches(r) {
			continue
		}
		want := r.Route(receiver.Event(r, "ticks.7", e))
		got := cloudevent.Route(r, cloudevent.Message{Topic: "ticks.7", ContentType: "application/cloudevents+json", Body: body})
		if got != want {
			t.Errorf("%v: got the route %v, want %v of the event %v, of %q", r, got, want, e.Context, body)
		}
		checkReceiver(t, r, structuredHTTP(string(body)), want)
	}
	checkAttributes(t, body, e, fault)
	return true
}

// checkAttributes compares all attributes one by one, those that the SDK rewrites after rewriting ours.
func checkAttributes(t testing.TB, body []byte, e event.Event, f fault) {
	t.Helper()
	for i, name := range agreeNames {
		if f.names[name] {
			continue
		}
		want := receiver.Event(agreeNameRules[i], "", e)
		got, err := cloudevent.Peek(body, name)
		if err != nil {
			t.Errorf("%s: got %v, want %v of %q", name, err, want, body)
			continue
		}
		if text := got.Attributes[name]; text != "" {
			switch name {
			case "source":
				got.Attributes[name] = types.ParseURIRef(text).String()
			case "dataschema":
				if e.SpecVersion() == event.CloudEventsVersionV03 {
					break // an extension
				}
				got.Attributes[name] = ""
				if uri := types.ParseURI(text); uri != nil {
					got.Attributes[name] = uri.String()
				}
			case "time":
				at, err := types.ParseTimestamp(text)
				if err != nil {
					t.Errorf("%s: got %v of %q", name, err, body)
					continue
				}
				got.Attributes[name] = types.FormatTime(at.Time)
				if at.IsZero() {
					got.Attributes[name] = ""
				}
			}
		}
		if got.Subject != want.Subject || got.ID != want.ID || got.Attributes[name] != want.Attributes[name] {
			t.Errorf("%s: got %+v, want %+v, of %q", name, got, want, body)
		}
	}
}

// checkHeader holds an event in binary mode over HTTP against the law, and reports whether the SDK decodes it.
func checkHeader(t testing.TB, header http.Header) (decoded bool) {
	t.Helper()
	fresh := func() binding.Message { return cehttp.NewMessage(header, once("{}")) }
	if fresh().ReadEncoding() != binding.EncodingBinary {
		return false
	}
	e, panicked, err := toEvent(fresh())
	if _, ok := header["Ce-"]; panicked != nil && !ok {
		t.Errorf("the SDK panics for a reason that has no name: %v, of %v", panicked, header)
	}
	cloudevent.DecideMessage(member(t, 1), cloudevent.Message{Header: cloudevent.HTTP.Values(header)}) // must not panic, whatever it is
	if panicked != nil || err != nil {
		return false
	}
	if _, ok := header["Ce-Dataschema"]; ok && e.SpecVersion() == event.CloudEventsVersionV03 { // FaultOrderOfHeaders
		return true
	}
	for _, r := range agreeRules {
		want := r.Route(receiver.Event(r, "ticks.7", *e))
		got := cloudevent.Route(r, cloudevent.Message{Topic: "ticks.7", Header: cloudevent.HTTP.Values(header)})
		if got != want {
			t.Errorf("%v: got the route %v, want %v of the event %v, of %v", r, got, want, e.Context, header)
		}
		checkReceiver(t, r, fresh(), want)
	}
	return true
}

// checkReceiver compares the verdict that a message gets in New with that on a route, and what a
// member that holds it decodes from what it is handed with what a fresh message gives.
func checkReceiver(t testing.TB, r routing.Rule, m binding.Message, route routing.Route) {
	t.Helper()
	var got slot.Verdict
	f := member(t, 1).WithRule(r)
	o := receiver.Options{Verdict: func(v slot.Verdict) slot.Verdict { got = v; return slot.Verdict{} }}
	handedOn := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{m}}, f, func(binding.Message) string { return "ticks.7" }, o))
	if want := f.Judge(route); got != want || len(handedOn) != 1 {
		t.Errorf("%v: the receiver's verdict is %v, want %v", r, got, want)
		return
	}
	if _, panicked, err := toEvent(handedOn[0]); panicked != nil || err != nil {
		t.Errorf("%v: what is handed on gives %v, %v", r, panicked, err)
	}
}

// checkModes writes an event in both modes, and compares its routes where the values survive the mode.
func checkModes(t testing.TB, e event.Event) {
	t.Helper()
	if !survives(e) {
		return
	}
	request, err := http.NewRequest("POST", "http://example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := cehttp.WriteRequest(binding.WithForceBinary(context.Background()), binding.ToMessage(&e), request); err != nil {
		return // it cannot be written
	}
	body, err := json.Marshal(e)
	if err != nil {
		return
	}
	header := http.Header{} // as a server gets it
	for name, values := range request.Header {
		header[textproto.CanonicalMIMEHeaderKey(name)] = values
	}
	for _, r := range agreeRules {
		binary := cloudevent.Route(r, cloudevent.Message{Topic: "ticks.7", Header: cloudevent.HTTP.Values(header)})
		structured := cloudevent.Route(r, cloudevent.Message{Topic: "ticks.7", ContentType: "application/cloudevents+json", Body: body})
		decoded := r.Route(receiver.Event(r, "ticks.7", e))
		if !reflect.DeepEqual([]routing.Route{binary, structured}, []routing.Route{decoded, decoded}) {
			t.Errorf("%v: got %v in binary mode, %v in structured mode, %v decoded, of %v", r, binary, structured, decoded, e)
		}
	}
}
