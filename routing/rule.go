package routing

import (
	"slices"
	"strings"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/internal/pin"
)

// DefaultKey is the key rule of the zero Rule: the subject where there is one, else the id.
const DefaultKey = "subject,id"

// A Rule says how an event becomes a [Route]: which topics are commands, which attributes make the
// routing key, and how header values are read. Everything that can change a verdict is in
// the rule's text, so two members agree if and only if their texts are equal.
//
// The zero Rule is the default rule, "fnv1a32-fmix32 subject,id". Rules are immutable and comparable: rules of
// one meaning are ==, however they were written. They are safe for concurrent use.
// [ParseRule] has the syntax.
type Rule struct {
	key     string // as in the text; empty for DefaultKey
	bypass  string // as in the text, with "bypass="; empty for the default pattern
	percent bool
	fetch   bool // key names an attribute beside subject and id
}

const (
	bypassWord  = "bypass="
	percentWord = "percent"
	// defaultPattern is what [IsCommand] matches.
	defaultPattern = "wrk.*.command.*"
)

// Key returns the routing key of e under the default rule: its subject, else its id. ok is
// false where both are empty. Under the default rule the topic does not matter.
func Key(e Event) (key string, ok bool) { return Rule{}.Key(e) }

// Key returns the routing key of e, whether or not e is a command; ok is false where e has none. It
// allocates only for a key of several joined parts.
func (r Rule) Key(e Event) (key string, ok bool) {
	if r.key == "" {
		if e.Subject != "" {
			return e.Subject, true
		}
		return e.ID, e.ID != ""
	}
	alternative, ok := r.choose(&e)
	switch {
	case !ok:
		return "", false
	case !joined(alternative):
		return partValue(alternative, &e), true
	}
	var b []byte
	for rest, more := alternative, true; more; { // not SplitSeq, as in Route
		var part string
		part, rest, more = strings.Cut(rest, "+")
		b = appendJoined(b, partValue(part, &e))
	}
	return string(b), true
}

// Route returns the route of e: a command if its topic says so, else the hash of its key,
// else the zero Route. It does not allocate.
func (r Rule) Route(e Event) Route {
	if r.Command(e.Topic) {
		return Route{kind: command}
	}
	if r.key == "" {
		key := e.Subject
		if key == "" {
			key = e.ID
		}
		if key == "" {
			return Route{}
		}
		return Hashed(hashpin.Sum32String(key))
	}
	alternative, ok := r.choose(&e)
	switch {
	case !ok:
		return Route{}
	case !joined(alternative):
		return Hashed(hashpin.Sum32String(partValue(alternative, &e)))
	}
	h := pin.Offset
	for rest, more := alternative, true; more; { // go1.24 would put e and h on the heap for a range over SplitSeq
		var part string
		var length [24]byte
		part, rest, more = strings.Cut(rest, "+")
		value := partValue(part, &e)
		h = pin.Add(h, appendLength(length[:0], value))
		h = pin.Add(h, value)
	}
	return Hashed(pin.Mix(h))
}

// Command reports whether an event on topic is a command under r. It does not allocate.
func (r Rule) Command(topic string) bool {
	if r.bypass == "" {
		return IsCommand(topic)
	}
	for rest, more := r.bypass[len(bypassWord):], true; more; {
		var pattern string
		pattern, rest, more = strings.Cut(rest, ",")
		if matches(pattern, topic) {
			return true
		}
	}
	return false
}

// KeyRule returns the part of the text that chooses the key, such as [DefaultKey].
func (r Rule) KeyRule() string {
	if r.key == "" {
		return DefaultKey
	}
	return r.key
}

// Percent reports whether sources decode the percent-encoding of header values, as the HTTP and NATS bindings
// of CloudEvents demand and the CloudEvents SDK for Go does not do. An Event holds decoded values;
// [Rule.Key] and [Rule.Route] decode nothing.
func (r Rule) Percent() bool { return r.percent }

// Attributes returns the names of the attributes that a source must fetch, in the order of the text, each once:
// "subject" and "id" under the default rule. The slice is the caller's.
func (r Rule) Attributes() []string {
	var names []string
	for alternative := range strings.SplitSeq(r.KeyRule(), ",") {
		for part := range strings.SplitSeq(alternative, "+") {
			if !isTopicPart(part) && !slices.Contains(names, part) {
				names = append(names, part)
			}
		}
	}
	return names
}

// String returns the canonical text, which [ParseRule] reads back.
func (r Rule) String() string {
	text := hashpin.Algorithm + " " + r.KeyRule()
	if r.bypass != "" {
		text += " " + r.bypass
	}
	if r.percent {
		text += " " + percentWord
	}
	return text
}

// MarshalText returns the canonical text. It never fails.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText is [ParseRule]. On an error r is unchanged.
func (r *Rule) UnmarshalText(text []byte) error {
	parsed, err := ParseRule(string(text))
	if err == nil {
		*r = parsed
	}
	return err
}
