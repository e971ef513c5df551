package cloudevent

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/routing"
)

// Peek returns the subject and the id of a structured JSON event, and the further attributes that
// are named, for logs, for people, and for rules ([routing.Rule.Attributes] names what one needs).
// Names are in lower case, as CloudEvents has them. The strings are copies, the caller's own.
// Attributes is nil if no name but "subject" and "id" is given, else it holds what is there.
//
// Peek reads what [Decide] reads and no more: an event that it accepts can still be one that a
// decoder refuses. The error is a [*SyntaxError] and an [ErrMalformed]; with it comes the zero
// Event. The topic is not in the body, so Topic is empty.
func Peek(body []byte, attributes ...string) (routing.Event, error) {
	var e routing.Event
	further := slices.DeleteFunc(slices.Clone(attributes), func(a string) bool { return a == "subject" || a == "id" })
	if len(further) > 0 {
		e.Attributes = make(map[string]string, len(further))
	}
	wanted := keyNames
	for _, a := range further {
		wanted = wanted.with(a)
	}
	f := walk(body, wanted, func(n text, v value) (f fault) {
		name := body[n.start:n.end]
		if equalText(name, "subject", false) {
			e.Subject, f = stringOf(body, v)
		} else if equalText(name, "id", false) {
			e.ID, f = stringOf(body, v)
		}
		for _, a := range further {
			if f.reason == "" && equalText(name, a, !isCore(a)) {
				f = set(e.Attributes, a, body, v)
			}
		}
		return f
	})
	if f.reason != "" {
		return routing.Event{}, &SyntaxError{f.offset, f.reason}
	}
	return e, nil
}

// stringOf returns a copy of an attribute that must be a string or null; empty if it is null.
func stringOf(body []byte, v value) (string, fault) {
	raw, plain, f := attribute(body, v)
	if plain {
		return string(raw), f
	}
	return string(appendText(make([]byte, 0, len(raw)), raw)), f
}

// set puts an attribute's value into the map, or takes the attribute out if it is null or empty.
func set(attributes map[string]string, name string, body []byte, v value) (f fault) {
	var text string
	if v.kind == scalar && !isCore(name) {
		text, f = extension(body, v)
	} else {
		text, f = stringOf(body, v)
	}
	if text == "" {
		delete(attributes, name)
	} else {
		attributes[name] = text
	}
	return f
}

// extension returns the canonical text of an extension that is no string, empty for null.
func extension(body []byte, v value) (string, fault) {
	switch text := string(body[v.start:v.end]); {
	case text == "null":
		return "", fault{}
	case text == "true" || text == "false":
		return text, fault{}
	case isNumber(text):
		// SPEC section 9.4, and what the CloudEvents SDK for Go does: the nearest double, without its fraction.
		if f, err := strconv.ParseFloat(text, 64); err == nil && f >= math.MinInt32 && f <= math.MaxInt32 {
			return strconv.Itoa(int(f)), fault{}
		}
	}
	return "", fault{notAnExtension, v.start}
}

// isNumber reports whether text is a number of JSON.
func isNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	if text, ok := strings.CutPrefix(text, "0"); ok {
		return isFraction(text)
	}
	rest := strings.TrimLeft(text, "0123456789")
	return len(rest) < len(text) && isFraction(rest)
}

// isFraction reports whether text is what may follow the whole part of a number.
func isFraction(text string) bool {
	if fraction, ok := strings.CutPrefix(text, "."); ok {
		if text = strings.TrimLeft(fraction, "0123456789"); len(text) == len(fraction) {
			return false
		}
	}
	if text == "" {
		return true
	}
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	return text != "" && strings.TrimLeft(text, "0123456789") == ""
}

// isCore reports whether CloudEvents itself defines the attribute. Those are strings in JSON, and their names are
// matched with regard to case; extensions' names are matched without, as the SDK lower-cases them.
func isCore(name string) bool {
	switch name {
	case "subject", "id", "source", "type", "specversion", "time", "datacontenttype", "dataschema":
		return true
	}
	return false
}
