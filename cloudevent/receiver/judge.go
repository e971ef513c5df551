package receiver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

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
		return cloudevent.DecideMessage(j.filter, message), nil // unread
	}
	switch m.ReadEncoding() {
	case binding.EncodingEvent:
		if e := eventIn(m); e != nil {
			return j.filter.Decide(Event(rule, topic, *e)), nil
		}
	case binding.EncodingStructured, binding.EncodingBatch:
		read := readStructured(ctx, m)
		switch {
		case read == nil:
		case read.err != nil && !isPanic(read.err):
			return verdictless, read
		case read.err == nil:
			message.ContentType, message.Body = read.format.MediaType(), read.body
			return cloudevent.DecideMessage(j.filter, message), read
		}
		return j.filter.Judge(routing.Route{}), read
	case binding.EncodingBinary:
		a := &attributes{wanted: j.wanted}
		switch err := readBinary(ctx, m, a); {
		case err == nil && !a.bad:
			message.Header = j.transport.Lookup(a.header)
			return cloudevent.DecideMessage(j.filter, message), nil
		case err != nil && !isPanic(err) && !isMode(err):
			return verdictless, nil
		}
	}
	return j.filter.Judge(routing.Route{}), nil
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

// readStructured reads m to its end; nil if it turns out not to be structured.
func readStructured(ctx context.Context, m binding.Message) *reading {
	read := &reading{}
	err := safely(func() error { return m.ReadStructured(ctx, read) })
	if err != nil {
		read.err = err
	}
	if isMode(err) || err == nil && read.format == nil {
		return nil
	}
	return read
}

// SetStructuredEvent makes a reading a binding.StructuredWriter.
func (r *reading) SetStructuredEvent(_ context.Context, f format.Format, body io.Reader) error {
	r.format = f
	var b bytes.Buffer
	_, err := io.Copy(&b, body) // which writes a body in memory in one piece
	r.body = b.Bytes()
	return err
}

func readBinary(ctx context.Context, m binding.Message, a *attributes) error {
	return safely(func() error { return m.ReadBinary(ctx, a) })
}

// header returns an attribute by the name of its header in any binding.
func (a *attributes) header(name string) (value string, ok bool) {
	if strings.EqualFold(name, "content-type") {
		value = a.get("datacontenttype")
		if format.IsFormat(strings.ToLower(strings.TrimSpace(value))) {
			return "", false // of the data: the message itself is in binary mode
		}
		return value, true
	}
	name = name[strings.LastIndexAny(name, "-_:")+1:] // attributes' names have none of these
	if value = a.get(name); value == "" && name == "specversion" {
		return "1.0", true // it is in binary mode, whether or not it says so once more
	}
	return value, true
}

func (a *attributes) get(name string) string {
	if i := slices.Index(a.wanted, name); i >= 0 && i < len(a.values) {
		return a.values[i]
	}
	return ""
}
