package cloudevent_test

import (
	"errors"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

type peekTest struct {
	vectors.Test
	Body       *string        `json:"body"`
	BodyHex    vectors.Bytes  `json:"body_hex"`
	Kind       string         `json:"kind"` // key, malformed
	Subject    *string        `json:"subject"`
	SubjectHex *vectors.Bytes `json:"subject_hex"`
	IDHex      *vectors.Bytes `json:"id_hex"`
	Key        *string        `json:"key"`
	KeyHex     *vectors.Bytes `json:"key_hex"`
}

func TestPeekVectors(t *testing.T) {
	filters := fullGroup(t, 3)
	for _, test := range vectors.Load[peekTest](t, "peek.v1", nil) {
		body := []byte(test.BodyHex)
		want := routing.Event{Subject: test.SubjectHex.Or(), ID: test.IDHex.Or()}
		e, err := cloudevent.Peek(body)
		if err != nil && !errors.Is(err, cloudevent.ErrMalformed) {
			t.Errorf("%v: Peek: %v is no ErrMalformed", test, err)
		}
		if e.Topic != "" || e.Attributes != nil || e.Subject != want.Subject || e.ID != want.ID {
			t.Errorf("%v: Peek = %.60q, %v, want %.60q", test, e, err, want)
		}
		if test.Kind == "key" && err != nil {
			t.Errorf("%v: Peek: %v", test, err)
		}

		wantRoute, wantKind := routing.Route{}, slot.Malformed
		if test.Kind == "key" {
			wantRoute, wantKind = routing.Hashed(hashpin.Sum32String(test.KeyHex.Or())), slot.Own
		}
		if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Body: body}); got != wantRoute {
			t.Errorf("%v: Route = %v, want that of the key %.60q", test, got, test.KeyHex.Or())
		}
		admitted := 0
		for _, f := range filters {
			verdict := cloudevent.Decide(f, "orders", body)
			if verdict != f.Judge(wantRoute) {
				t.Errorf("%v: %v says %v, want %v", test, f.Member(), verdict, f.Judge(wantRoute))
			}
			if verdict.Admit() {
				admitted++
				if verdict.Kind != wantKind {
					t.Errorf("%v: %v says %v, want %v", test, f.Member(), verdict, wantKind)
				}
			}
		}
		if admitted != 1 {
			t.Errorf("%v: %d members of 3 admit it", test, admitted)
		}
	}
}

type headerTest struct {
	vectors.Test
	Transport      string         `json:"transport"`
	Percent        bool           `json:"percent"`
	Topic          *string        `json:"topic"`
	TopicHex       *vectors.Bytes `json:"topic_hex"`
	ContentType    *string        `json:"content_type"`
	ContentTypeHex *vectors.Bytes `json:"content_type_hex"`
	Headers        []headerVector `json:"headers"`
	Body           *string        `json:"body"`
	BodyHex        *vectors.Bytes `json:"body_hex"`
	Mode           string         `json:"mode"`  // binary, structured, unreadable
	Route          string         `json:"route"` // command, key, none
	Key            *string        `json:"key"`
	KeyHex         *vectors.Bytes `json:"key_hex"`
}

type headerVector struct {
	Name     *string       `json:"name"`
	NameHex  vectors.Bytes `json:"name_hex"`
	Value    *string       `json:"value"`
	ValueHex vectors.Bytes `json:"value_hex"`
}

func (test headerTest) want() routing.Route {
	switch test.Route {
	case "command":
		return routing.Rule{}.Route(routing.Event{Topic: "wrk.demo.command.7"})
	case "key":
		return routing.Hashed(hashpin.Sum32String(test.KeyHex.Or()))
	}
	return routing.Route{}
}

// Each message in every form that its transport's clients have headers in.
func TestHeaderVectors(t *testing.T) {
	rules := map[bool]routing.Rule{true: ruleOf(t, "subject,id percent")}
	for _, test := range vectors.Load[headerTest](t, "header.v1", nil) {
		var list []field
		for _, h := range test.Headers {
			list = append(list, field{string(h.NameHex), string(h.ValueHex)})
		}
		rule := rules[test.Percent]
		for form, header := range formsOf(test.Transport, list) {
			m := cloudevent.Message{Topic: test.TopicHex.Or(), ContentType: test.ContentTypeHex.Or(), Header: header, Body: []byte(test.BodyHex.Or())}
			if got := cloudevent.Route(rule, m); got != test.want() {
				t.Errorf("%v: as %s: Route = %v, want %s %q", test, form, got, test.Route, test.KeyHex.Or())
			}
			e, err := cloudevent.PeekMessage(rule, m)
			if errors.Is(err, cloudevent.ErrFormat) != (test.Mode == "unreadable") {
				t.Errorf("%v: as %s: PeekMessage: %v, and the mode is %s", test, form, err, test.Mode)
			}
			if got := modeOf(m); got != test.Mode {
				t.Errorf("%v: as %s: Mode = %v, want %s", test, form, m.Mode(), test.Mode)
			}
			if test.Route == "command" {
				continue
			}
			if key, ok := rule.Key(e); key != test.KeyHex.Or() || ok != (test.Route == "key") {
				t.Errorf("%v: as %s: PeekMessage has the key %q, %t, want %s %q", test, form, key, ok, test.Route, test.KeyHex.Or())
			}
		}
	}
}
