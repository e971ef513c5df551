package cli

import (
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// An explanation is all that explain finds out about an event.
type explanation struct {
	Event      string            `json:"event"` // where it stands
	Mode       string            `json:"mode"`  // that of cloudevent.Mode
	Transport  string            `json:"transport,omitempty"`
	Topic      string            `json:"topic,omitempty"`
	Rule       string            `json:"rule"`
	Command    bool              `json:"command"`
	Attributes map[string]string `json:"attributes"`
	HasKey     bool              `json:"has_key"`
	Key        *string           `json:"key,omitempty"` // where it is UTF-8
	KeyHex     string            `json:"key_hex,omitempty"`
	KeyFrom    string            `json:"key_from,omitempty"` // the alternative of the rule that gave it
	FNV        string            `json:"fnv1a32,omitempty"`
	Hash       string            `json:"hash,omitempty"`
	Size       int               `json:"size,omitempty"`
	Slot       *int              `json:"slot,omitempty"`  // of an event without a key, that of the empty key
	Owner      *int              `json:"owner,omitempty"` // who handles it, or answers for it; left out where it is not known
	Member     string            `json:"member,omitempty"`
	Verdict    string            `json:"verdict,omitempty"` // of that member
	Fault      *fault            `json:"fault,omitempty"`
	Note       string            `json:"note,omitempty"`

	key   string
	names []string // of the attributes, in order
	whole []byte   // what the fault's offset counts in
}

// A fault is why an event cannot be read.
type fault struct {
	Reason    string `json:"reason"`
	Offset    *int   `json:"offset,omitempty"`    // in bytes from the start of the body, or of the batch
	Attribute string `json:"attribute,omitempty"` // of a header that cannot be decoded
	Value     string `json:"value,omitempty"`
}

func (j judge) explain(e input.Event) explanation {
	rule := j.rule.Rule
	x := explanation{
		Event: e.Where, Mode: e.Message.Mode().String(), Transport: input.TransportName(e.Transport), Topic: e.Message.Topic, Rule: rule.String(),
		Attributes: map[string]string{}, whole: e.Whole,
	}
	route := cloudevent.Route(rule, e.Message)
	seen, err := cloudevent.PeekMessage(rule, e.Message)
	if e.Err != nil {
		err = e.Err
	}
	x.attributes(rule, e, seen)
	x.Fault = faultOf(err)
	x.Command = route.Command()
	if !x.Command {
		x.place(j, route, seen)
	}
	if j.member != nil {
		v := slot.NewFilter(*j.member).WithRule(rule).Judge(route)
		x.Member, x.Verdict = j.member.String(), v.Kind.String()
	}
	x.Note = noteOf(rule, e.Message, seen, err)
	return x
}

// place fills in what follows from the route.
func (x *explanation) place(j judge, route routing.Route, seen routing.Event) {
	sum, ok := route.Sum()
	x.HasKey = ok
	if ok {
		x.key, _ = j.rule.Key(seen)
		x.KeyHex, x.KeyFrom = hex.EncodeToString([]byte(x.key)), keyFrom(j.rule.Rule, seen)
		x.FNV, x.Hash = word(pin.Add(pin.Offset, x.key)), word(sum)
		if utf8.ValidString(x.key) {
			x.Key = &x.key
		}
	} else {
		sum = pin.Sum("")
	}
	if x.Size = j.size; x.Size > 0 {
		number := int(sum % uint32(x.Size))
		x.Slot = &number
		if owner := j.layout.Holder(number); owner >= 0 {
			x.Owner = &owner
		}
	}
}

// attributes fills in those that the rule names, and for people source and type, where they can be read.
func (x *explanation) attributes(rule routing.Rule, e input.Event, seen routing.Event) {
	set := func(name, value string) {
		if value != "" {
			x.Attributes[name] = value
		}
	}
	x.names = rule.Attributes()
	for _, name := range x.names {
		switch name {
		case "subject":
			set(name, seen.Subject)
		case "id":
			set(name, seen.ID)
		default:
			set(name, seen.Attributes[name])
		}
	}
	for _, name := range []string{"subject", "id", "source", "type"} {
		if strings.Contains(","+strings.Join(x.names, ",")+",", ","+name+",") {
			continue
		}
		one, err := routing.ParseRule(name)
		if err != nil {
			continue
		}
		if more, err := cloudevent.PeekMessage(one, e.Message); err == nil {
			if value, ok := one.Key(more); ok {
				x.names = append(x.names, name)
				set(name, value)
			}
		}
	}
}

// keyFrom returns the alternative of the rule that gave the key: the first that does so alone.
func keyFrom(rule routing.Rule, e routing.Event) string {
	if e.Attributes == nil {
		e.Attributes = map[string]string{} // all were looked for
	}
	for alternative := range strings.SplitSeq(rule.KeyRule(), ",") {
		if one, err := routing.ParseRule(alternative); err == nil {
			if _, ok := one.Key(e); ok {
				return alternative
			}
		}
	}
	return ""
}

func faultOf(err error) *fault {
	if err == nil {
		return nil
	}
	var syntax *cloudevent.SyntaxError
	var header *cloudevent.HeaderError
	switch {
	case errors.As(err, &syntax):
		return &fault{Reason: syntax.Reason, Offset: &syntax.Offset}
	case errors.As(err, &header):
		return &fault{Reason: header.Reason, Attribute: header.Attribute, Value: header.Value}
	}
	return &fault{Reason: strings.TrimPrefix(err.Error(), "cloudevent: ")}
}

// noteOf says what often surprises: a header's value that is percent-encoded, under a rule that leaves it so.
func noteOf(rule routing.Rule, m cloudevent.Message, seen routing.Event, err error) string {
	if rule.Percent() || err != nil {
		return ""
	}
	decoding, err := routing.ParseRule(rule.String() + " percent")
	if err != nil {
		return ""
	}
	before, _ := rule.Key(seen)
	decoded, err := cloudevent.PeekMessage(decoding, m)
	after, ok := decoding.Key(decoded)
	if err != nil || !ok || after == before {
		return ""
	}
	return "the key is percent-encoded, and this rule leaves it so; under a rule with \"percent\" it would be " + quoteKey(after)
}
