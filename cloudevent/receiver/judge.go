package receiver

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/binding/format"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// verdictless is the zero Verdict: nothing was judged, and the message goes on.
var verdictless slot.Verdict

// A judge finds the verdict on a message of the SDK.
type judge struct {
	filter    *slot.Filter
	topic     func(binding.Message) string
	transport cloudevent.Transport
	wanted    []string // attributes
}

func newJudge(f *slot.Filter, topic func(binding.Message) string, o Options) *judge {
	transport := o.Transport
	if transport == 0 {
		transport = cloudevent.PubSub // neither percent-encoding nor slashes
	}
	return &judge{f, topic, transport, f.Rule().Attributes()}
}

// A reading is what reading a structured message gave. It is read once, as some messages cannot be read twice.
type reading struct {
	format format.Format
	body   []byte
	err    error
}

// judge returns the verdict on m, and what reading it gave if it is structured. Where m could not be read because its
// transport failed there is no verdict: nothing is known of the event, and nobody may take it for another's.
func (j *judge) judge(ctx context.Context, m binding.Message) (slot.Verdict, *reading) {
	topic := j.topic(m)
	rule := j.filter.Rule()
	message := cloudevent.Message{Topic: topic, Header: j.transport.Map(nil)}
	if j.filter.Member().Dedicated() || j.command(message) {
		return cloudevent.DecideMessage(j.filter, message), nil // unread, so a dedicated member's Sum is that of no key
	}
	switch m.ReadEncoding() {
	case binding.EncodingEvent:
		if e := eventIn(m); e != nil {
			return j.filter.Decide(Event(rule, topic, *e)), nil
		}
	case binding.EncodingStructured, binding.EncodingBatch:
		return j.structured(ctx, m, message)
	case binding.EncodingBinary:
		return j.binary(ctx, m, message), nil
	}
	return j.unreadable(), nil
}

// unreadable is the verdict on an event without a key.
func (j *judge) unreadable() slot.Verdict { return j.filter.Judge(routing.Route{}) }

// structured is judge for a message in structured mode, or a batch. message has what is known of it.
func (j *judge) structured(ctx context.Context, m binding.Message, message cloudevent.Message) (slot.Verdict, *reading) {
	read := &reading{}
	read.err = safely(func() error { return m.ReadStructured(ctx, read) })
	switch {
	case isMode(read.err) || read.err == nil && read.format == nil:
		return j.unreadable(), nil // it is in another mode than it says, and has not been read
	case isPanic(read.err):
		return j.unreadable(), read
	case read.err != nil:
		return verdictless, read
	}
	message.ContentType, message.Body = read.format.MediaType(), read.body
	return cloudevent.DecideMessage(j.filter, message), read
}

// binary is judge for a message in binary mode.
func (j *judge) binary(ctx context.Context, m binding.Message, message cloudevent.Message) slot.Verdict {
	a := &attributes{wanted: j.wanted}
	err := safely(func() error { return m.ReadBinary(ctx, a) })
	switch {
	case a.bad || isMode(err) || isPanic(err):
		return j.unreadable()
	case err != nil:
		return verdictless
	}
	message.Header, message.ContentType = j.transport.Lookup(a.header), a.contentType()
	return cloudevent.DecideMessage(j.filter, message)
}

// command reports whether m, of which no more than the topic is known, is a command.
func (j *judge) command(m cloudevent.Message) bool {
	if j.transport == cloudevent.MQTT {
		return cloudevent.Route(j.filter.Rule(), m).Command() // which knows of slashes
	}
	return j.filter.Rule().Command(m.Topic)
}

// isMode reports whether err says that a message is not in the mode that it was read in.
func isMode(err error) bool {
	return errors.Is(err, binding.ErrNotStructured) || errors.Is(err, binding.ErrNotBinary) || errors.Is(err, binding.ErrUnknownEncoding)
}

// SetStructuredEvent makes a reading a binding.StructuredWriter.
func (r *reading) SetStructuredEvent(_ context.Context, f format.Format, body io.Reader) error {
	r.format = f
	var b bytes.Buffer
	_, err := io.Copy(&b, body) // which writes a body in memory in one piece
	r.body = b.Bytes()
	return err
}
