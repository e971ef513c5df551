package receiver

import (
	"context"
	"fmt"
	"strings"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/types"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Event returns what a rule needs of a decoded event that came on topic, for [slot.Filter.Decide].
// Values are in their canonical form.
//
// A decoded event no longer has everything as it came: the SDK spells source and dataschema as
// package net/url does and the time in UTC, so a rule that names one of them can differ here from
// what raw messages give. Values are not percent-decoded.
func Event(rule routing.Rule, topic string, e event.Event) routing.Event {
	r := routing.Event{Topic: topic, Subject: e.Subject(), ID: e.ID()}
	for _, name := range rule.Attributes() {
		if name == "subject" || name == "id" {
			continue
		}
		if r.Attributes == nil {
			r.Attributes = make(map[string]string)
		}
		if text := attribute(e, name); text != "" {
			r.Attributes[name] = text
		}
	}
	return r
}

// attribute returns an attribute beside subject and id, empty where it is absent.
func attribute(e event.Event, name string) string {
	switch name {
	case "source":
		return e.Source()
	case "type":
		return e.Type()
	case "specversion":
		return e.SpecVersion()
	case "datacontenttype":
		return e.DataContentType()
	case "dataschema":
		if e.SpecVersion() != event.CloudEventsVersionV03 { // which has it under its older name
			return e.DataSchema()
		}
	case "schemaurl":
		if e.SpecVersion() == event.CloudEventsVersionV03 {
			return e.DataSchema()
		}
	case "datacontentencoding":
		if e.SpecVersion() == event.CloudEventsVersionV03 {
			return e.DeprecatedDataContentEncoding()
		}
	case "time":
		if t := e.Time(); !t.IsZero() {
			return types.FormatTime(t)
		}
		return ""
	}
	text, _ := canonical(extension(e.Extensions(), name)) // the SDK has refused what is no value
	return text
}

// extension returns an extension without regard to case: in version 0.3 the SDK keeps names as they
// came. Of several spellings the one in lower case counts, else the lowest by bytes.
func extension(all map[string]any, name string) any {
	found := ""
	for spelling := range all {
		if strings.EqualFold(spelling, name) && better(spelling, found, name) {
			found = spelling
		}
	}
	return all[found]
}

// better reports whether a spelling of name goes before another, which may be empty.
func better(spelling, other, name string) bool {
	return other == "" || spelling == name || other != name && spelling < other
}

// eventIn returns the event that a message holds, if it holds one.
func eventIn(m binding.Message) *event.Event {
	e, _ := binding.UnwrapMessage(m).(*binding.EventMessage)
	return (*event.Event)(e)
}

// Handler returns a handler that calls next with the events that filter admits, and returns nil for
// others, so that they are acknowledged. It decides after the whole event has been decoded; [New]
// does before. The topic function gives the topic of an event, from what the context or the event
// holds of it.
//
// The error is an [ErrNil], or an [ErrTransport]: under a rule with "percent", as an event does not tell how it came.
func Handler(filter *slot.Filter, topic func(context.Context, event.Event) string, next func(context.Context, event.Event) error) (func(context.Context, event.Event) error, error) {
	switch {
	case filter == nil:
		return nil, fmt.Errorf("%w: filter", ErrNil)
	case topic == nil:
		return nil, fmt.Errorf("%w: topic; a function that returns the empty text says that there are no topics", ErrNil)
	case next == nil:
		return nil, fmt.Errorf("%w: next", ErrNil)
	case filter.Rule().Percent():
		return nil, fmt.Errorf("%w: a decoded event does not tell whether its values were encoded, and the rule is %q", ErrTransport, filter.Rule())
	}
	rule := filter.Rule()
	return func(ctx context.Context, e event.Event) error {
		if !filter.Admit(Event(rule, topic(ctx, e), e)) {
			return nil
		}
		return next(ctx, e)
	}, nil
}
