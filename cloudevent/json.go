package cloudevent

import (
	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Decide returns f's verdict on a structured JSON event, without decoding it: for streams that are known to
// carry nothing else. [DecideMessage] is for all other streams, and for MQTT.
//
// The topic has dots between its tokens. With the slashes of MQTT no topic is a command, and all
// members but one would drop it. There it is:
//
//	cloudevent.DecideMessage(f, cloudevent.Message{Topic: "wrk/feed/command/7", Header: cloudevent.MQTT.Map(nil), Body: body})
//
// A body that cannot be read has no key, so that one member of a full group answers for it; [Peek]
// says what is wrong with it. Under a rule that names only subject and id Decide does not allocate,
// and nothing keeps body.
func Decide(f *slot.Filter, topic string, body []byte) slot.Verdict {
	rule := f.Rule()
	if rule.Command(topic) {
		return f.Judge(commandRoute)
	}
	return f.Judge(keyOfJSON(rule, topic, body))
}

// keyOfJSON returns the route of a structured event that is no command.
func keyOfJSON(rule routing.Rule, topic string, body []byte) routing.Route {
	if rule.KeyRule() != routing.DefaultKey {
		e, err := Peek(body, rule.Attributes()...)
		if err != nil {
			return routing.Route{}
		}
		e.Topic = topic
		return keyOf(rule, e)
	}
	var subject routing.Route
	var id []byte
	f := walk(body, keyNames, func(n text, v value) (f fault) {
		switch name := body[n.start:n.end]; {
		case string(name) == "id":
			id, _, f = attribute(body, v)
		case string(name) == "subject":
			subject, f = hashed(body, v)
		case equalText(name, "id", false): // with escapes
			id, _, f = attribute(body, v)
		case equalText(name, "subject", false):
			subject, f = hashed(body, v)
		}
		return f
	})
	switch _, found := subject.Sum(); {
	case f.reason != "":
		return routing.Route{}
	case found:
		return subject
	}
	return hashedText(id)
}

// hashed returns the route of an attribute that must be a string or null, without a key if it is
// empty or null. A subject is hashed where it is found, for the processor goes on with the walk
// while the bytes of a key wait for each other.
func hashed(body []byte, v value) (routing.Route, fault) {
	raw, plain, f := attribute(body, v)
	if plain && len(raw) > 0 {
		return routing.Hashed(pin.Sum(raw)), fault{}
	}
	return hashedText(raw), f
}

// hashedText returns the route of the key that raw stands for, without one if that is empty.
func hashedText(raw []byte) routing.Route {
	switch {
	case len(raw) == 0:
		return routing.Route{}
	case clean(raw):
		return routing.Hashed(pin.Sum(raw))
	}
	return routing.Hashed(pin.Mix(addText(pin.Offset, raw)))
}

var keyNames = nameFilter(0).with("subject").with("id")

// attribute returns the raw inside of a value that must be a string or null, checked; empty if it
// is null. plain says that it stands for itself.
func attribute(body []byte, v value) (raw []byte, plain bool, f fault) {
	raw = body[v.start:v.end]
	switch {
	case v.kind == stringValue:
		if clean(raw) {
			return raw, true, fault{}
		}
		if offset, reason := checkText(raw); reason != "" {
			return nil, false, fault{reason, v.start + offset}
		}
		return raw, false, fault{}
	case v.kind == scalar && string(raw) == "null":
		return nil, true, fault{}
	}
	return nil, false, fault{notAString, v.start}
}
