package runner

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/examples/internal/events"
)

// SequenceAttribute is the extension attribute that the publisher adds to each event: its number,
// from 1. It is the identity of an event in the proof, since ids repeat in real streams, and it
// travels with the event on every transport.
const SequenceAttribute = "publishsequence"

// An Event is one CloudEvent as it goes out, in structured or in binary mode.
type Event struct {
	Seq uint64
	ID  string
	Key string // what it is about: its subject, else its id
	// Body is the whole event in structured mode, and its data in binary mode.
	Body []byte
	// ContentType is application/cloudevents+json in structured mode, that of the data in binary mode.
	ContentType string
	// Attributes are the event's attributes in binary mode, without datacontenttype, for the
	// headers; nil in structured mode.
	Attributes map[string]string
}

// Structured is the content type of an event in structured mode.
const Structured = "application/cloudevents+json"

// A source is an event that can be published again and again.
type source struct {
	events.Event
	binary      bool // it may go out in binary mode
	attributes  map[string]string
	data        []byte
	contentType string
}

func newSource(e events.Event) (source, error) {
	decoded, err := events.Decode(e.Body)
	if err != nil {
		return source{}, err
	}
	s := source{Event: e, data: decoded.Data(), contentType: decoded.DataContentType(), binary: true}
	s.attributes = map[string]string{"specversion": decoded.SpecVersion(), "id": decoded.ID(), "source": decoded.Source(), "type": decoded.Type()}
	if decoded.Subject() != "" {
		s.attributes["subject"] = decoded.Subject()
	}
	if decoded.DataSchema() != "" {
		s.attributes["dataschema"] = decoded.DataSchema()
	}
	for name, value := range decoded.Extensions() {
		s.attributes[name] = fmt.Sprint(value)
	}
	for _, value := range s.attributes {
		s.binary = s.binary && plain(value)
	}
	return s, nil
}

// plain reports whether a header carries value as it is, on every transport. Others, such as those that the binding
// for HTTP percent-encodes, would have a different key in binary mode under a rule without "percent", and so
// another owner: a publisher keeps to one mode for them.
func plain(value string) bool {
	for _, c := range []byte(value) {
		if c <= ' ' || c > '~' || c == '%' || c == '"' {
			return false
		}
	}
	return true
}

// event returns s as the seq-th event of the stream.
func (s source) event(seq uint64, binary bool) Event {
	number := strconv.FormatUint(seq, 10)
	e := Event{Seq: seq, ID: s.ID, Key: s.Key()}
	if !binary || !s.binary {
		// In front, so that the rest stays as the producer wrote it.
		e.Body = append([]byte(`{"`+SequenceAttribute+`":"`+number+`",`), s.Body[1:]...)
		e.ContentType = Structured
		return e
	}
	e.Body, e.ContentType, e.Attributes = s.data, s.contentType, map[string]string{SequenceAttribute: number}
	maps.Copy(e.Attributes, s.attributes)
	return e
}

// A Received is what a handler has read of an event.
type Received struct {
	Seq         uint64
	ID, Subject string
}

// Read decodes an event as a handler would. The function returns an attribute's header, empty where there is none; nil
// stands for a transport without headers.
func Read(body []byte, header func(attribute string) string) (Received, error) {
	if header == nil || header("specversion") == "" {
		e, err := events.Decode(body)
		if err != nil {
			return Received{}, err
		}
		return Decoded(e)
	}
	return received(header(SequenceAttribute), header("id"), header("subject"))
}

// Decoded is Read for an event that a handler gets decoded.
func Decoded(e event.Event) (Received, error) {
	number, _ := e.Extensions()[SequenceAttribute].(string)
	return received(number, e.ID(), e.Subject())
}

func received(number, id, subject string) (Received, error) {
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return Received{}, fmt.Errorf("event %q, %q: attribute %s: %w", id, subject, SequenceAttribute, err)
	}
	return Received{seq, id, subject}, nil
}
