package cloudevent

import (
	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Decide returns f's verdict on a structured JSON event, without decoding it: for streams that are known to
// carry nothing else. [DecideMessage] is for all other streams.
//
// A body that cannot be read has no key, so that one member of a full group answers for it; [Peek] says what is wrong with it.
// Under a rule that names only subject and id Decide does not allocate, and nothing keeps body.
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
	subject, id, f := keyTexts(body)
	switch {
	case f.reason != "":
		return routing.Route{}
	case len(subject) > 0:
		return hashedText(subject)
	case len(id) > 0:
		return hashedText(id)
	}
	return routing.Route{}
}

// hashedText returns the route of the key that raw stands for.
func hashedText(raw []byte) routing.Route {
	h, i := pin.Offset, 0
	for i < len(raw) && raw[i] != '\\' {
		h = pin.AddByte(h, raw[i])
		i++
	}
	if i < len(raw) {
		h = addText(h, raw[i:])
	}
	return routing.Hashed(pin.Mix(h))
}

var keyNames = nameFilter(0).with("subject").with("id")

// keyTexts returns the raw insides of subject and id, both checked, empty where they are absent.
func keyTexts(body []byte) (subject, id []byte, f fault) {
	f = walk(body, keyNames, func(n text, v value) (f fault) {
		switch name := body[n.start:n.end]; {
		case string(name) == "id":
			id, f = attribute(body, v)
		case string(name) == "subject":
			subject, f = attribute(body, v)
		case equalText(name, "id", false): // with escapes
			id, f = attribute(body, v)
		case equalText(name, "subject", false):
			subject, f = attribute(body, v)
		}
		return f
	})
	return subject, id, f
}

// attribute returns the raw inside of a value that must be a string or null, checked; empty if it is null.
func attribute(body []byte, v value) (raw []byte, f fault) {
	raw = body[v.start:v.end]
	switch {
	case v.kind == stringValue:
		if !clean(raw) {
			if offset, reason := checkText(raw); reason != "" {
				return nil, fault{reason, v.start + offset}
			}
		}
		return raw, fault{}
	case v.kind == scalar && string(raw) == "null":
		return nil, fault{}
	}
	return nil, fault{notAString, v.start}
}
