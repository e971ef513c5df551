package cloudevent

import (
	"fmt"
	"strings"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A Message is a message as a broker's client delivers it, in any of the modes of CloudEvents. The
// zero Message is an event without a key. It is read and not kept.
type Message struct {
	// Topic is the topic, NATS subject, stream or channel that delivered the message. Its tokens
	// are separated by slashes if Header is of [MQTT], and by dots otherwise; "wrk/feed/command/7"
	// is a command there and nowhere else.
	Topic string
	// ContentType is the content type where the transport has it apart from the headers (AMQP, MQTT). Empty
	// means that it is among the headers, if anywhere.
	ContentType string
	// Header gives the headers, or the user properties: see [Transport]. On MQTT it is
	// MQTT.Map(nil) if there are none, as in all of MQTT 3.1.1, for the sake of Topic.
	Header Header
	// Body is the payload.
	Body []byte
}

// DecideMessage returns f's verdict on a message, in whatever mode it carries its event: f.Judge of its [Route].
func DecideMessage(f *slot.Filter, m Message) slot.Verdict { return f.Judge(m.route(f.Rule())) }

// Route returns the route of a message under a rule. It is total: a message that cannot be read has
// the route without a key, and [PeekMessage] says why. Under a rule whose key is
// [routing.DefaultKey] it allocates nothing, but for topics of [MQTT] of more than 32 bytes, and
// for header values of more than 128 bytes that the rule wants percent-decoded. Other rules cost a
// few small allocations.
func Route(rule routing.Rule, m Message) routing.Route { return m.route(rule) }

func (m *Message) route(rule routing.Rule) routing.Route {
	if m.Header.transport.command(rule, m.Topic) {
		return commandRoute
	}
	mode, prefix := m.mode()
	switch {
	case mode == ModeStructured:
		return keyOfJSON(rule, m.Topic, m.Body)
	case mode != ModeBinary:
		return routing.Route{}
	case rule.KeyRule() == routing.DefaultKey && m.Header.hasBytes():
		return defaultKey(m.Header.bytes, prefix, m.encoded(rule))
	case rule.KeyRule() == routing.DefaultKey:
		return defaultKey(m.Header.text, prefix, m.encoded(rule))
	}
	e, err := m.peekHeader(rule, prefix)
	if err != nil {
		return routing.Route{}
	}
	return keyOf(rule, e)
}

// commandRoute is the route of a command under any rule. Asking for it with the topic at hand would
// put the message's closures on the heap.
var commandRoute = routing.Rule{}.Route(routing.Event{Topic: "wrk.any.command.any"})

// PeekMessage returns the attributes of a message that a rule names, in any mode, for logs and for
// people: the event that [Route] routes. Strings are copies, the caller's own. The error is an
// [ErrFormat], [ErrMalformed] or [ErrEncoding]; with it comes an Event of the Topic alone.
func PeekMessage(rule routing.Rule, m Message) (routing.Event, error) {
	var e routing.Event
	var err error
	switch mode, prefix := m.mode(); mode {
	case ModeStructured:
		e, err = Peek(m.Body, rule.Attributes()...)
	case ModeBinary:
		e, err = m.peekHeader(rule, prefix)
	default:
		err = fmt.Errorf("%w: %q", ErrFormat, m.contentType())
	}
	e.Topic = strings.Clone(m.Topic)
	return e, err
}

// keyOf returns the route of an event that is no command.
func keyOf(rule routing.Rule, e routing.Event) routing.Route {
	key, _ := rule.Key(e)
	return routeOf(key) // a key is never empty
}

// contentType returns the content type as it came.
func (m *Message) contentType() string {
	switch {
	case m.ContentType != "":
		return m.ContentType
	case !m.Header.transport.binding().hasContentType:
		return ""
	}
	return m.Header.either(&contentTypeName)
}

// encoded reports whether header values are to be percent-decoded.
func (m *Message) encoded(rule routing.Rule) bool {
	return rule.Percent() && m.Header.transport.binding().encoded
}

// defaultKey returns the route of an event in binary mode, which is no command, under the default key rule.
func defaultKey[S string | []byte](find func(*headerName) S, p *prefix, encoded bool) routing.Route {
	subject := trim(find(&p.subject))
	if !encoded {
		if len(subject) > 0 {
			return routeOf(subject)
		}
		return routeOf(trim(find(&p.id)))
	}
	var room1, room2 [128]byte
	decodedSubject, reason1 := decode(room1[:0], subject)
	decodedID, reason2 := decode(room2[:0], trim(find(&p.id)))
	switch {
	case reason1 != "" || reason2 != "":
		return routing.Route{}
	case len(decodedSubject) > 0:
		return routeOf(decodedSubject)
	}
	return routeOf(decodedID)
}

// peekHeader returns the attributes of an event in binary mode that a rule names.
func (m *Message) peekHeader(rule routing.Rule, p *prefix) (routing.Event, error) {
	e := routing.Event{Topic: m.Topic}
	for _, name := range rule.Attributes() {
		own := p.name(name)
		raw := m.Header.either(&own)
		if name == "datacontenttype" {
			raw = m.contentType() // in all bindings
		}
		if isCore(name) {
			raw = trim(raw)
		}
		text := strings.Clone(raw) // nothing keeps the message
		if m.encoded(rule) {
			decoded, reason := decode(nil, raw)
			if reason != "" {
				return routing.Event{}, &HeaderError{name, text, reason}
			}
			text = string(decoded)
		}
		switch name {
		case "subject":
			e.Subject = text
		case "id":
			e.ID = text
		default:
			if e.Attributes == nil {
				e.Attributes = make(map[string]string)
			}
			if text != "" {
				e.Attributes[name] = text
			}
		}
	}
	return e, nil
}
