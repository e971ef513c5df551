package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/slotkey/slotkey/cloudevent"
)

// An Event is a message as it was found, with where.
type Event struct {
	Where   string // "orders.ndjson:3"
	Form    Form
	Message cloudevent.Message
	// Whole is what offsets in errors count in: the body, and of a batch that cannot be read further the whole batch.
	Whole []byte
	// Err is set for the rest of a batch that cannot be read further.
	Err       error
	Transport cloudevent.Transport // 0 where nothing tells it
	Count     int                  // of a batch's element, its number from 1
}

// Options say how to read events.
type Options struct {
	Form      Form
	KeysFirst bool                 // Auto takes lines for keys where nothing speaks against it
	Transport cloudevent.Transport // 0: by the names of the headers, if there are any
	Topic     string
}

// FormOf tells the form of a file: the one in the options, or what its beginning looks like.
func (o Options) FormOf(path string, r *bufio.Reader) Form {
	switch {
	case o.Form != Auto && o.Form != "":
		return o.Form
	case o.KeysFirst:
		return sniffKeys(path, r)
	}
	return sniff(path, r)
}

// NewReader returns a reader for FormOf and Events.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, peeked) }

// Events hands over the events of a file whose form is not Keys, one by one. They are valid only during the call.
func (o Options) Events(path string, form Form, r io.Reader, yield func(Event) error) error {
	if path == Stdin {
		path = "stdin"
	}
	if form == NDJSON {
		number := 0
		return Lines(r, func(line []byte) error {
			number++
			if len(bytes.TrimSpace(line)) == 0 {
				return nil
			}
			return yield(o.structured(fmt.Sprintf("%s:%d", path, number), form, line))
		})
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return plain(err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	return o.one(path, form, data, yield)
}

// Literal hands over the events of a text given in place of a file.
func (o Options) Literal(where, text string, yield func(Event) error) error {
	form := o.FormOf("", NewReader(strings.NewReader(text)))
	return o.Events(where, form, strings.NewReader(text), yield)
}

// one hands over the event, or the batch, of a file that is not lines.
func (o Options) one(path string, form Form, data []byte, yield func(Event) error) error {
	switch form {
	case JSON:
		return yield(o.structured(path, form, data))
	case Batch:
		return o.batch(o.structured(path, form, data), data, yield)
	case HTTP, Headers:
		start, headers, body := splitMessage(bytes.TrimLeft(data, "\r\n"))
		t := o.Transport
		if t == 0 {
			t = guess(start, headers)
		}
		m := message(t, o.Topic, headers, body)
		e := Event{Where: path, Form: form, Message: m, Whole: body, Transport: t}
		if m.Mode() == cloudevent.ModeBatch {
			return o.batch(e, body, yield)
		}
		return yield(e)
	}
	return fmt.Errorf("%s: the form %q is none of events", path, form)
}

// structured is an event of a body alone.
func (o Options) structured(where string, form Form, body []byte) Event {
	return Event{Where: where, Form: form, Message: structured(o.Transport, o.Topic, body), Whole: body, Transport: o.Transport}
}

// structured makes a message without headers. Its transport still says what separates the tokens of its topic.
func structured(t cloudevent.Transport, topic string, body []byte) cloudevent.Message {
	return cloudevent.Message{Topic: topic, Header: t.Map(nil), Body: body}
}

func (o Options) batch(e Event, body []byte, yield func(Event) error) error {
	path := e.Where
	for element, err := range cloudevent.Batch(body) {
		e.Count++
		e.Where = fmt.Sprintf("%s[%d]", path, e.Count-1)
		e.Message = structured(e.Transport, o.Topic, element)
		e.Whole, e.Err = element, err
		if syntax := (*cloudevent.SyntaxError)(nil); errors.As(err, &syntax) {
			e.Whole = body
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}
