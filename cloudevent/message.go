package cloudevent

import (
	"fmt"
	"strings"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A Message is a message as a broker's client delivers it, in any of the modes of CloudEvents. The
// zero Message is an event without a key. It is read and not kept.
type Message struct {
	// Topic is the topic, NATS subject, stream or channel that delivered the message.
	Topic string
	// ContentType is the content type where the transport has it apart from the headers (AMQP, MQTT). Empty
	// means that it is among the headers, if anywhere.
	ContentType string
	// Header gives the headers, or the user properties: see [Transport].
	Header Header
	// Body is the payload.
	Body []byte
}

// DecideMessage returns f's verdict on a message, in whatever mode it carries its event: f.Judge of its [Route].
func DecideMessage(f *slot.Filter, m Message) slot.Verdict { return f.Judge(Route(f.Rule(), m)) }

// Route returns the route of a message under a rule. It is total: a message that cannot be read has the route without a key, and [PeekMessage] says
// why. Under a rule whose key is [routing.DefaultKey] it allocates nothing, but for commands of [MQTT], and for header
// values of more than 128 bytes that the rule wants percent-decoded. Other rules cost a few small allocations.
func Route(rule routing.Rule, m Message) routing.Route {
	if topic := m.Header.transport.commandTopic(m.Topic); rule.Command(topic) {
		return rule.Route(routing.Event{Topic: topic})
	}
	prefix, readable := m.mode()
	switch {
	case !readable:
		return routing.Route{}
	case prefix == nil:
		return keyOfJSON(rule, m.Topic, m.Body)
	case rule.KeyRule() == routing.DefaultKey:
		return m.defaultKey(prefix, rule.Percent() && m.Header.transport.binding().encoded)
	}
	e, err := m.peekHeader(rule, prefix)
	if err != nil {
		return routing.Route{}
	}
	return keyOf(rule, e)
}

// PeekMessage returns the attributes of a message that a rule names, in any mode, for logs and for people: the event that [Route]
// routes. Strings are copies or come from the message's headers. The error is an [ErrFormat], [ErrMalformed] or [ErrEncoding];
// with it comes an Event of the Topic alone.
func PeekMessage(rule routing.Rule, m Message) (routing.Event, error) {
	prefix, readable := m.mode()
	var e routing.Event
	var err error
	switch {
	case !readable:
		err = fmt.Errorf("%w: %q", ErrFormat, m.contentType())
	case prefix == nil:
		e, err = Peek(m.Body, rule.Attributes()...)
	default:
		e, err = m.peekHeader(rule, prefix)
	}
	e.Topic = m.Topic
	return e, err
}

// keyOf returns the route of an event that is no command.
func keyOf(rule routing.Rule, e routing.Event) routing.Route {
	key, ok := rule.Key(e)
	if !ok {
		return routing.Route{}
	}
	return routing.Hashed(hashpin.Sum32String(key))
}

// mode tells how the message carries its event, by SPEC section 9.1: in headers with a prefix, or, where that is nil, as
// JSON in its body, or, where readable is false, in another event format or as a batch.
func (m *Message) mode() (p *prefix, readable bool) {
	if format, ok := eventFormat(m.contentType()); ok {
		return nil, strings.EqualFold(format, "+json")
	}
	return m.Header.prefix(), true
}

func (m *Message) contentType() string {
	if m.ContentType != "" {
		return m.ContentType
	}
	return m.Header.contentType()
}

const eventMedia = "application/cloudevents"

// eventFormat tells a content type that names an event format by what follows "application/cloudevents".
func eventFormat(contentType string) (format string, ok bool) {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.TrimSpace(media)
	if len(media) < len(eventMedia) || !strings.EqualFold(media[:len(eventMedia)], eventMedia) {
		return "", false
	}
	return media[len(eventMedia):], true
}

// defaultKey returns the route of an event in binary mode, which is no command, under the default key rule.
func (m *Message) defaultKey(p *prefix, decode bool) routing.Route {
	subject := m.Header.find(p.subject)
	if !decode {
		if r := subject.trim().route(); r != (routing.Route{}) {
			return r
		}
		return m.Header.find(p.id).trim().route()
	}
	var room1, room2 [128]byte
	subject, reason1 := subject.trim().decode(room1[:0])
	id, reason2 := m.Header.find(p.id).trim().decode(room2[:0])
	switch {
	case reason1 != "" || reason2 != "":
		return routing.Route{}
	case !subject.empty():
		return subject.route()
	}
	return id.route()
}

// peekHeader returns the attributes of an event in binary mode that a rule names.
func (m *Message) peekHeader(rule routing.Rule, p *prefix) (routing.Event, error) {
	e := routing.Event{Topic: m.Topic}
	decode := rule.Percent() && m.Header.transport.binding().encoded
	for _, name := range rule.Attributes() {
		value := m.Header.find(p.name(name))
		if name == "datacontenttype" && m.Header.transport.binding().hasContentType {
			value = headerValue{text: m.contentType()}
		}
		if isCore(name) {
			value = value.trim()
		}
		if decode {
			decoded, reason := value.decode(nil)
			if reason != "" {
				return routing.Event{Topic: m.Topic}, &HeaderError{name, value.String(), reason}
			}
			value = decoded
		}
		switch text := value.String(); name {
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
