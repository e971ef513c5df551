// Package events gives the examples CloudEvents to publish: a sample that is compiled in, or those
// of the caller's files.
//
// Every event has been decoded and validated by the CloudEvents SDK, so what the examples say
// about an event does not rest on the library that they demonstrate.
package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cloudevents/sdk-go/v2/event"
)

// An Event is one CloudEvent in structured mode. The body is kept byte for byte as it was read: order of names,
// escapes and white space are part of what a consumer has to cope with.
type Event struct {
	Body    []byte // read only
	ID      string // as the SDK decodes it
	Subject string // empty where the event has none
	Origin  string // file and line, for messages
}

// Key returns what the event is about: its subject, or its id where it has no subject. It is the
// default routing key, written out here once more so that a proof does not use what it is to prove.
func (e Event) Key() string {
	if e.Subject != "" {
		return e.Subject
	}
	return e.ID
}

// Parse returns the event in body, or says in one line why it is none.
func Parse(body []byte) (Event, error) {
	e, err := Decode(body)
	if err != nil {
		return Event{}, err
	}
	return Event{Body: body, ID: e.ID(), Subject: e.Subject()}, nil
}

// Decode returns the event in body as the SDK has it, or says in one line why it is none.
func Decode(body []byte) (event.Event, error) {
	e, err := decode(body)
	if err != nil {
		return e, oneLine(err)
	}
	return e, nil
}

// decode is the SDK's decoder and validator. Some inputs make this decoder panic ("data_base64":
// 1); to a caller that is one more way of being no CloudEvent.
func decode(body []byte) (e event.Event, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the decoder panics: %v", r)
		}
	}()
	if err := json.Unmarshal(body, &e); err != nil {
		return e, err
	}
	return e, e.Validate()
}

// oneLine joins the SDK's report, which has one line for each attribute at fault in the order of a map.
func oneLine(err error) error {
	var faults event.ValidationError
	if errors.As(err, &faults) {
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(faults)) {
			lines = append(lines, name+": "+faults[name].Error())
		}
		return errors.New(strings.Join(lines, "; "))
	}
	// The SDK's scanner goes on to quote the input at length.
	text, _, _ := strings.Cut(err.Error(), ", error found in ")
	return errors.New(strings.Join(strings.Fields(text), " "))
}
