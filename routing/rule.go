package routing

import (
	"slices"
	"strings"
	"unique"

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
	// Nothing for the default rule. One word, so that a Rule and an Event reach Route in registers: with
	// the fields of form here, deciding takes almost twice as long.
	form unique.Handle[form]
}

// A form is what a rule says.
type form struct {
	key     string // as in the text
	bypass  string // the patterns, as in the text; empty for none
	percent bool
	fetch   bool // key names an attribute beside subject and id
}

var defaultForm = form{key: DefaultKey, bypass: defaultPattern}

const (
	bypassWord  = "bypass="
	percentWord = "percent"
	// defaultPattern is what [IsCommand] matches.
	defaultPattern = "wrk.*.command.*"
)

func newRule(f form) Rule {
	if f == defaultForm {
		return Rule{}
	}
	return Rule{unique.Make(f)}
}

func (r Rule) isDefault() bool { return r == Rule{} }

func (r Rule) says() form {
	if r.isDefault() {
		return defaultForm
	}
	return r.form.Value()
}

// Key returns the routing key of e under the default rule: its subject, else its id. ok is
// false where both are empty. Under the default rule the topic does not matter.
func Key(e Event) (key string, ok bool) { return Rule{}.Key(e) }

// Key returns the routing key of e, whether or not e is a command; ok is false where e has none. It
// allocates only for a key of several joined parts.
func (r Rule) Key(e Event) (key string, ok bool) {
	if r.isDefault() {
		key = defaultKey(&e)
		return key, key != ""
	}
	alternative, ok := r.form.Value().choose(&e)
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
	if r.isDefault() {
		return routeOf(defaultKey(&e))
	}
	alternative, ok := r.form.Value().choose(&e)
	switch {
	case !ok:
		return Route{}
	case !joined(alternative):
		return routeOf(partValue(alternative, &e))
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

// defaultKey returns the key of the default rule, empty where there is none.
func defaultKey(e *Event) string {
	if e.Subject != "" {
		return e.Subject
	}
	return e.ID
}

// routeOf returns the route of a key, which has none if it is empty.
func routeOf(key string) Route {
	if key == "" {
		return Route{}
	}
	return Hashed(hashpin.Sum32String(key))
}

// Command reports whether an event on topic is a command under r. It does not allocate.
func (r Rule) Command(topic string) bool {
	if r.isDefault() {
		return IsCommand(topic)
	}
	bypass := r.form.Value().bypass
	for more := bypass != ""; more; {
		var pattern string
		pattern, bypass, more = strings.Cut(bypass, ",")
		if matches(pattern, topic) {
			return true
		}
	}
	return false
}

// KeyRule returns the part of the text that chooses the key, such as [DefaultKey].
func (r Rule) KeyRule() string { return r.says().key }

// Percent reports whether sources decode the percent-encoding of header values, as the HTTP and NATS bindings
// of CloudEvents demand and the CloudEvents SDK for Go does not do. An Event holds decoded values;
// [Rule.Key] and [Rule.Route] decode nothing.
func (r Rule) Percent() bool { return r.says().percent }

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
func (r Rule) String() string { return r.says().String() }

func (f form) String() string {
	text := hashpin.Algorithm + " " + f.key
	if f.bypass != defaultPattern {
		text += " " + bypassWord + f.bypass
	}
	if f.percent {
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
