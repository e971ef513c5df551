package cloudevent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func TestBodiesKeepTheLaws(t *testing.T) {
	filters := fullGroup(t, 3)
	rule := ruleOf(t, "tenant,time+id,subject")
	rapid.Check(t, func(t *rapid.T) {
		checkBody(t, filters, rule, "orders.eu", body().Draw(t, "body"))
	})
}

// checkBody checks what holds for every body on a topic of no command: all ways to ask agree with
// the reference and with each other, one member of a full group answers, and the body stays what it
// is.
func checkBody(t tb, filters []*slot.Filter, rule routing.Rule, topic string, body []byte) {
	t.Helper()
	before := bytes.Clone(body)
	want, ok := reference(body, "subject", "id")
	wantEvent := routing.Event{Subject: want["subject"], ID: want["id"]}
	wantRoute := routing.Rule{}.Route(wantEvent)

	e, err := cloudevent.Peek(body)
	if (err == nil) != ok || e.Subject != wantEvent.Subject || e.ID != wantEvent.ID || e.Topic != "" || e.Attributes != nil {
		t.Fatalf("%q: Peek = %q, %v, want %q, %t", body, e, err, wantEvent, ok)
	}
	checkSyntaxError(t, body, err)
	checkOtherReader(t, body, wantEvent, ok)

	route := cloudevent.Route(routing.Rule{}, cloudevent.Message{Topic: topic, Body: body})
	if route != wantRoute {
		t.Fatalf("%q: Route = %v, want %v of %q", body, route, wantRoute, wantEvent)
	}
	key, hasKey := routing.Key(e)
	if sum, hasSum := route.Sum(); hasSum != hasKey || hasSum && sum != hashpin.Sum32String(key) {
		t.Fatalf("%q: Route has %08x, %t, and Peek the key %q, %t", body, sum, hasSum, key, hasKey)
	}
	checkOne(t, filters, decideOn(topic, body))
	for _, f := range filters {
		if got := cloudevent.Decide(f, topic, body); got != f.Judge(wantRoute) {
			t.Fatalf("%q: Decide = %v, want %v", body, got, f.Judge(wantRoute))
		}
		if got := cloudevent.DecideMessage(f, cloudevent.Message{Topic: topic, Body: body}); got != f.Judge(wantRoute) {
			t.Fatalf("%q: DecideMessage = %v, want %v", body, got, f.Judge(wantRoute))
		}
	}

	full := checkRule(t, filters, rule, topic, body)
	if !bytes.Equal(body, before) {
		t.Fatalf("%q became %q", before, body)
	}
	kept := cloneEvent(full)
	for i := range body {
		body[i] = 'x'
	}
	if e.Subject != wantEvent.Subject || e.ID != wantEvent.ID || !maps.Equal(full.Attributes, kept.Attributes) || full.Subject != kept.Subject || full.ID != kept.ID {
		t.Fatalf("%q: the strings of Peek change with the body", before)
	}
	copy(body, before)
}

// checkRule is checkBody for another rule than the default, and returns what Peek has under it.
func checkRule(t tb, filters []*slot.Filter, rule routing.Rule, topic string, body []byte) routing.Event {
	t.Helper()
	names := rule.Attributes()
	want, ok := reference(body, append(names, "subject", "id")...)
	e, err := cloudevent.Peek(body, names...)
	if (err == nil) != ok {
		t.Fatalf("%q: Peek of %q: %v, want %t", body, names, err, ok)
	}
	checkSyntaxError(t, body, err)
	got := maps.Clone(e.Attributes)
	if got == nil {
		got = map[string]string{}
	}
	if got["subject"] = e.Subject; e.Subject == "" {
		delete(got, "subject")
	}
	if got["id"] = e.ID; e.ID == "" {
		delete(got, "id")
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%q: Peek of %q = %q, want %q", body, names, got, want)
	}
	var wantRoute routing.Route
	if ok {
		withTopic := e
		withTopic.Topic = topic
		wantRoute = rule.Route(withTopic)
	}
	f := filters[0].WithRule(rule)
	if got := cloudevent.Decide(f, topic, body); got != f.Judge(wantRoute) {
		t.Fatalf("%q under %q: Decide = %v, want %v", body, rule, got, f.Judge(wantRoute))
	}
	peeked, err := cloudevent.PeekMessage(rule, cloudevent.Message{Topic: topic, Body: body})
	if (err == nil) != ok || peeked.Topic != topic || peeked.Subject != e.Subject || peeked.ID != e.ID || !maps.Equal(peeked.Attributes, e.Attributes) {
		t.Fatalf("%q: PeekMessage = %q, %v, and Peek has %q", body, peeked, err, e)
	}
	return e
}

// checkSyntaxError checks an error of a body for its form.
func checkSyntaxError(t tb, body []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var fault *cloudevent.SyntaxError
	if !errors.As(err, &fault) || !errors.Is(err, cloudevent.ErrMalformed) || errors.Is(err, cloudevent.ErrFormat) || errors.Is(err, cloudevent.ErrEncoding) {
		t.Fatalf("%q: %T %v", body, err, err)
	}
	if fault.Offset < 0 || fault.Offset > len(body) || fault.Reason == "" || !strings.HasPrefix(err.Error(), "cloudevent: malformed event: at byte ") {
		t.Fatalf("%q: %v", body, err)
	}
}

// checkOtherReader compares with encoding/json, token by token so that it does not fold the case of
// names, where that reads what is there: valid JSON in valid UTF-8.
func checkOtherReader(t tb, body []byte, want routing.Event, ok bool) {
	t.Helper()
	if !json.Valid(body) || !utf8.Valid(body) {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	var got routing.Event
	readable := true
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		readable = false
	}
	for readable && decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return // a number beyond its range, in a value that does not matter
		}
		text, isString := value.(string)
		if name == "subject" || name == "id" {
			readable = readable && (isString || value == nil)
		}
		switch name {
		case "subject":
			got.Subject = text
		case "id":
			got.ID = text
		}
	}
	if readable != ok || readable && (got.Subject != want.Subject || got.ID != want.ID) {
		t.Fatalf("%q: encoding/json reads %q, %t, and SPEC 9 %q, %t", body, got, readable, want, ok)
	}
}

func cloneEvent(e routing.Event) routing.Event {
	c := routing.Event{Topic: strings.Clone(e.Topic), Subject: strings.Clone(e.Subject), ID: strings.Clone(e.ID)}
	if e.Attributes != nil {
		c.Attributes = map[string]string{}
		for name, value := range e.Attributes {
			c.Attributes[strings.Clone(name)] = strings.Clone(value)
		}
	}
	return c
}
