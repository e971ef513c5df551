package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/buger/jsonparser"
	"github.com/bytedance/sonic"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// twoNames is what a consumer needs of an event to know whose it is.
type twoNames struct {
	Subject string `json:"subject"`
	ID      string `json:"id"`
}

func (t *twoNames) decide(f *slot.Filter) slot.Verdict {
	return f.Decide(routing.Event{Topic: topic, Subject: t.Subject, ID: t.ID})
}

// peerDeciders are other ways to the same verdict. Those that keep memory for the next call belong to one loop.
func peerDeciders() []decider {
	return []decider{
		{sdkClient, func(f *slot.Filter, body []byte) slot.Verdict {
			var e event.Event
			if json.Unmarshal(body, &e) != nil {
				return slot.Verdict{}
			}
			return f.Decide(cloudevent.Event(topic, &e))
		}, true},
		{"CloudEvents SDK, event.Event.UnmarshalJSON", func(f *slot.Filter, body []byte) slot.Verdict {
			var e event.Event
			if e.UnmarshalJSON(body) != nil {
				return slot.Verdict{}
			}
			return f.Decide(cloudevent.Event(topic, &e))
		}, true},
		{twoFields, func(f *slot.Filter, body []byte) slot.Verdict {
			var t twoNames
			if json.Unmarshal(body, &t) != nil {
				return slot.Verdict{}
			}
			return t.decide(f)
		}, true},
		{tokens, new(tokenDecider).decide, true},
		{"sonic, struct of two fields", func(f *slot.Filter, body []byte) slot.Verdict {
			var t twoNames
			if sonic.Unmarshal(body, &t) != nil {
				return slot.Verdict{}
			}
			return t.decide(f)
		}, true},
		{"gjson, ForEach", gjsonEach, true},
		{"jsonparser, ObjectEach", parserEach, true},
		{gjsonGet, func(f *slot.Filter, body []byte) slot.Verdict {
			key := gjson.GetBytes(body, "subject").Str
			if key == "" {
				key = gjson.GetBytes(body, "id").Str
			}
			return f.Decide(routing.Event{Topic: topic, Subject: key})
		}, false},
		{parserGet, func(f *slot.Filter, body []byte) slot.Verdict {
			key, _ := jsonparser.GetUnsafeString(body, "subject")
			if key == "" {
				key, _ = jsonparser.GetUnsafeString(body, "id")
			}
			return f.Decide(routing.Event{Topic: topic, Subject: key})
		}, false},
		{"sonic, Get *", func(f *slot.Filter, body []byte) slot.Verdict {
			node, _ := sonic.Get(body, "subject")
			key, _ := node.String()
			if key == "" {
				node, _ = sonic.Get(body, "id")
				key, _ = node.String()
			}
			return f.Decide(routing.Event{Topic: topic, Subject: key})
		}, false},
		{"fastjson, Parser *", new(fastDecider).decide, false},
	}
}

// A tokenDecider reads the names and values of the top level with jsontext, which checks all of the
// body, also inside of values. A bytes.Buffer is what its decoder reads without a copy.
type tokenDecider struct {
	decoder jsontext.Decoder
	buffer  bytes.Buffer
}

func (d *tokenDecider) decide(f *slot.Filter, body []byte) slot.Verdict {
	d.buffer = *bytes.NewBuffer(body)
	d.decoder.Reset(&d.buffer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := d.decoder.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return slot.Verdict{}
	}
	var t twoNames
	for d.decoder.PeekKind() == jsontext.KindString {
		name, err := d.decoder.ReadValue()
		if err != nil {
			return slot.Verdict{}
		}
		var field *string
		switch string(name) {
		case `"subject"`:
			field = &t.Subject
		case `"id"`:
			field = &t.ID
		default:
			if d.decoder.SkipValue() != nil {
				return slot.Verdict{}
			}
			continue
		}
		token, err := d.decoder.ReadToken()
		if err != nil || token.Kind() != jsontext.KindString {
			return slot.Verdict{}
		}
		*field = token.String()
	}
	if _, err := d.decoder.ReadToken(); err != nil {
		return slot.Verdict{}
	}
	if _, err := d.decoder.ReadToken(); err != io.EOF {
		return slot.Verdict{}
	}
	return t.decide(f)
}

func gjsonEach(f *slot.Filter, body []byte) slot.Verdict {
	var t twoNames
	gjson.ParseBytes(body).ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "subject":
			t.Subject = value.Str
		case "id":
			t.ID = value.Str
		}
		return true
	})
	return t.decide(f)
}

func parserEach(f *slot.Filter, body []byte) slot.Verdict {
	var t twoNames
	err := jsonparser.ObjectEach(body, func(name, value []byte, _ jsonparser.ValueType, _ int) (err error) {
		switch string(name) {
		case "subject":
			t.Subject, err = jsonparser.ParseString(value)
		case "id":
			t.ID, err = jsonparser.ParseString(value)
		}
		return err
	})
	if err != nil {
		return slot.Verdict{}
	}
	return t.decide(f)
}

// A fastDecider parses the body whole, into memory that it uses again.
type fastDecider struct{ parser fastjson.Parser }

func (d *fastDecider) decide(f *slot.Filter, body []byte) slot.Verdict {
	v, err := d.parser.ParseBytes(body)
	if err != nil {
		return slot.Verdict{}
	}
	key := v.GetStringBytes("subject")
	if len(key) == 0 {
		key = v.GetStringBytes("id")
	}
	return f.Decide(routing.Event{Topic: topic, Subject: string(key)})
}
