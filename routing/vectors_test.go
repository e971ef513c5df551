package routing_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
)

// eventVector is an event as the vectors have it: an absent attribute and an empty one are the same to the rule.
type eventVector struct {
	Topic         *string                  `json:"topic"`
	TopicHex      *vectors.Bytes           `json:"topic_hex"`
	Subject       *string                  `json:"subject"`
	SubjectHex    *vectors.Bytes           `json:"subject_hex"`
	ID            *string                  `json:"id"`
	IDHex         *vectors.Bytes           `json:"id_hex"`
	Attributes    map[string]string        `json:"attributes"`
	AttributesHex map[string]vectors.Bytes `json:"attributes_hex"` // nil: not fetched
}

func (e eventVector) event() routing.Event {
	event := routing.Event{Topic: e.TopicHex.Or(), Subject: e.SubjectHex.Or(), ID: e.IDHex.Or()}
	if e.AttributesHex != nil {
		event.Attributes = map[string]string{}
		for name, value := range e.AttributesHex {
			event.Attributes[name] = string(value)
		}
	}
	return event
}

// routeVector is what a rule makes of an event.
type routeVector struct {
	Route  string         `json:"route"`
	Key    *string        `json:"key"`
	KeyHex *vectors.Bytes `json:"key_hex"`
	Hash   string         `json:"hash"`
}

// check compares every way to ask rule about event with what the vector has.
func (want routeVector) check(t *testing.T, test fmt.Stringer, rule routing.Rule, event routing.Event) {
	t.Helper()
	key, ok := rule.Key(event)
	if ok != (want.KeyHex != nil) || key != want.KeyHex.Or() {
		t.Errorf("%v: Key(%q) = %.60q, %t, want %.60q, %t", test, event, key, ok, want.KeyHex.Or(), want.KeyHex != nil)
	}
	if got := rule.Command(event.Topic); got != (want.Route == "command") {
		t.Errorf("%v: Command(%q) = %t, want %s", test, event.Topic, got, want.Route)
	}
	route := rule.Route(event)
	got, hash := "none", ""
	if sum, ok := route.Sum(); ok {
		got, hash = "key", fmt.Sprintf("%08x", sum)
	}
	if route.Command() {
		got = "command"
	}
	if got != want.Route || hash != want.Hash {
		t.Errorf("%v: Route(%q) is %s %s, want %s %s", test, event, got, hash, want.Route, want.Hash)
	}
}

type routingTest struct {
	vectors.Test
	Event eventVector `json:"event"`
	routeVector
}

func TestRoutingVectors(t *testing.T) {
	for _, test := range vectors.Load[routingTest](t, "routing.v1", nil) {
		event := test.Event.event()
		test.check(t, test, routing.Rule{}, event)
		if got := routing.IsCommand(event.Topic); got != (test.Route == "command") {
			t.Errorf("%v: IsCommand(%q) = %t, want %s", test, event.Topic, got, test.Route)
		}
		if key, ok := routing.Key(event); ok != (test.KeyHex != nil) || key != test.KeyHex.Or() {
			t.Errorf("%v: Key(%q) = %q, %t", test, event, key, ok)
		}
	}
}

type ruleTest struct {
	vectors.Test
	Text         *string        `json:"text"`
	TextHex      vectors.Bytes  `json:"text_hex"`
	Result       string         `json:"result"`
	ErrorOffset  *int           `json:"error_offset"`
	Canonical    string         `json:"canonical"`
	CanonicalHex *vectors.Bytes `json:"canonical_hex"`
	Event        *eventVector   `json:"event"`
	routeVector
}

func TestRuleVectors(t *testing.T) {
	for _, test := range vectors.Load[ruleTest](t, "rule.v1", nil) {
		text := string(test.TextHex)
		rule, err := routing.ParseRule(text)
		if test.Result == "invalid" {
			var bad *routing.RuleError
			switch {
			case !errors.As(err, &bad) || !errors.Is(err, routing.ErrRule):
				t.Errorf("%v: ParseRule(%.60q) = %q, %v, want a RuleError", test, text, rule, err)
			case bad.Offset != *test.ErrorOffset:
				t.Errorf("%v: ParseRule(%.60q): error at byte %d, want %d: %v", test, text, bad.Offset, *test.ErrorOffset, err)
			}
			continue
		}
		if err != nil || rule.String() != test.CanonicalHex.Or() {
			t.Errorf("%v: ParseRule(%.60q) = %q, %v, want %q", test, text, rule, err, test.CanonicalHex.Or())
			continue
		}
		if again, err := routing.ParseRule(rule.String()); err != nil || again != rule {
			t.Errorf("%v: the canonical text %q is read as %q, %v", test, rule, again, err)
		}
		if test.Event != nil {
			test.check(t, test, rule, test.Event.event())
		}
	}
}
