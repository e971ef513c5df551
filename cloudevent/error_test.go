package cloudevent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
)

const malformed = "cloudevent: malformed event: at byte "

// Each error says where, and which rule was broken.
func TestErrorsOfABody(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{``, `0: a "{" should stand here`},
		{`  `, `2: a "{" should stand here`},
		{`[]`, `0: a "{" should stand here`},
		{"\ufeff{}", `0: a "{" should stand here`},
		{` "id"`, `1: a "{" should stand here`},
		{`{`, `1: a name in double quotes or "}" should stand here`},
		{`{,}`, `1: a name in double quotes or "}" should stand here`},
		{`{ id:1}`, `2: a name in double quotes or "}" should stand here`},
		{`{"id":"i",}`, `10: a name in double quotes should stand here`},
		{`{"id":"i", x:1}`, `11: a name in double quotes should stand here`},
		{`{"id":"i",`, `10: a name in double quotes should stand here`},
		{`{"id`, `4: the body ends inside of a name`},
		{`{"id\"`, `6: the body ends inside of a name`},
		{`{"id"`, `5: a ":" should stand here`},
		{`{"id" "i"}`, `6: a ":" should stand here`},
		{`{"id":`, `6: a value should stand here`},
		{`{"id": }`, `7: a value should stand here`},
		{`{"id":@}`, `6: a value should stand here`},
		{`{"id":'i'}`, `6: a value should stand here`},
		{`{"id":"i`, `8: the body ends inside of a value`},
		{`{"id":"i\`, `9: the body ends inside of a value`},
		{`{"x":[1,{"a":2}`, `15: the body ends inside of a value`},
		{`{"x":{"]":1]`, `12: a "," or "}" should stand here`},
		{`{"id":"i"`, `9: a "," or "}" should stand here`},
		{`{"id":"i" "x":1}`, `10: a "," or "}" should stand here`},
		{`{"x":1_0}`, `6: a "," or "}" should stand here`},
		{`{"id":"i"]`, `9: a "," or "}" should stand here`},
		{`{"id":"i"}x`, `10: nothing but white space may follow the object`},
		{`{} {}`, `3: nothing but white space may follow the object`},
		{`{"id":7}`, `6: this attribute should be a string or null`},
		{`{"id": [1]}`, `7: this attribute should be a string or null`},
		{`{"id":"i","subject":nul}`, `20: this attribute should be a string or null`},
		{`{"id":true,"id":"i"}`, `6: this attribute should be a string or null`},
		{"{\"id\":\"a\nb\"}", `8: a control character in a string must be escaped`},
		{"{\"id\":\"" + strings.Repeat("k", 100) + "\x1f\"}", `107: a control character in a string must be escaped`},
		{`{"id":"a\qb"}`, `8: an escape that JSON does not have`},
		{`{"id":"\n\u00zz"}`, `9: an escape that JSON does not have`},
		{`{"id":"\ud83d\ude0g"}`, `13: an escape that JSON does not have`},
		{`{"id":"\u12"}`, `7: an escape that JSON does not have`},
	} {
		e, err := cloudevent.Peek([]byte(test.body))
		if err == nil || err.Error() != malformed+test.want {
			t.Errorf("Peek(%q): %v, want %s%s", test.body, err, malformed, test.want)
			continue
		}
		if e.Subject+e.ID+e.Topic != "" || e.Attributes != nil {
			t.Errorf("Peek(%q) = %+v beside an error", test.body, e)
		}
		checkSyntaxError(t, []byte(test.body), err)

		// The same through a message, with its topic.
		e, err = cloudevent.PeekMessage(routing.Rule{}, cloudevent.Message{Topic: "orders", Body: []byte(test.body)})
		if err == nil || err.Error() != malformed+test.want || !errors.Is(err, cloudevent.ErrMalformed) {
			t.Errorf("PeekMessage(%q): %v, want %s%s", test.body, err, malformed, test.want)
		}
		if e.Subject+e.ID != "" || e.Topic != "orders" || e.Attributes != nil {
			t.Errorf("PeekMessage(%q) = %+v beside an error, want the topic alone", test.body, e)
		}
	}
}

func TestErrorOfAnExtension(t *testing.T) {
	want := malformed + "20: an extension should be a string, a boolean, an integer of 32 bits or null"
	_, err := cloudevent.Peek([]byte(`{"id":"i","tenant": 2147483648}`), "tenant")
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A format that cannot be read is named as it came.
func TestErrorOfAFormat(t *testing.T) {
	for _, contentType := range []string{
		"application/cloudevents-batch+json", "application/cloudevents+avro", "application/cloudevents+xml; charset=utf-8", "application/cloudevents+protobuf",
		"Application/CloudEvents", "application/cloudevents+json-seq", "application/cloudevents+json+gzip",
	} {
		headers := map[string]string{"content-type": contentType, "ce-specversion": "1.0", "ce-id": "e1"}
		for what, m := range map[string]cloudevent.Message{
			"apart":           {Topic: "orders", ContentType: contentType, Header: cloudevent.AMQP.Lookup(plainLookup), Body: []byte(`{"id":"i"}`)},
			"among headers":   {Topic: "orders", Header: cloudevent.PubSub.Map(headers), Body: []byte(`{"id":"i"}`)},
			"header of bytes": {Topic: "orders", Header: cloudevent.Pairs(cloudevent.Kafka, []recordHeader{{"Content-Type", []byte(contentType)}})},
		} {
			e, err := cloudevent.PeekMessage(routing.Rule{}, m)
			want := `cloudevent: event format that cannot be read: "` + contentType + `"`
			if !errors.Is(err, cloudevent.ErrFormat) || errors.Is(err, cloudevent.ErrMalformed) || errors.Is(err, cloudevent.ErrEncoding) || err.Error() != want {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
			if e.Topic != "orders" || e.Subject+e.ID != "" || e.Attributes != nil {
				t.Errorf("%s: %+v beside an error, want the topic alone", what, e)
			}
			if got := cloudevent.Route(routing.Rule{}, m); got != (routing.Route{}) {
				t.Errorf("%s: Route = %v, want none", what, got)
			}
		}
	}
}

func TestErrorsOfPercentEncoding(t *testing.T) {
	const (
		badPercent = `a "%" is not followed by two hexadecimal digits`
		badQuotes  = "a quoted string that ends early or late"
		badText    = "the decoded value is not valid UTF-8"
	)
	for _, test := range []struct{ rule, name, value, shown, reason string }{
		{"subject,id percent", "subject", `100%`, `"100%"`, badPercent},
		{"subject,id percent", "id", `%zz`, `"%zz"`, badPercent},
		{"subject,id percent", "id", ` %4 `, `"%4"`, badPercent},
		{"subject,id percent", "subject", `"a"b"`, `"\"a\"b\""`, badQuotes},
		{"subject,id percent", "subject", `"a\"`, `"\"a\\\""`, badQuotes},
		{"subject,id percent", "subject", `caf%C3`, `"caf%C3"`, badText},
		{"subject,id percent", "subject", "\xff", `"\xff"`, badText},
		{"tenant,id percent", "tenant", ` % `, `" % "`, badPercent},
		{"source+id percent", "source", `/%`, `"/%"`, badPercent},
	} {
		headers := map[string][]string{"ce-specversion": {"1.0"}, "ce-id": {"e1"}, "ce-" + test.name: {test.value}}
		rule := ruleOf(t, test.rule)
		for _, transport := range []cloudevent.Transport{cloudevent.HTTP, cloudevent.NATS} {
			m := cloudevent.Message{Topic: "orders", Header: transport.Values(headers)}
			e, err := cloudevent.PeekMessage(rule, m)
			want := "cloudevent: bad percent-encoding of " + test.name + " " + test.shown + ": " + test.reason
			if err == nil || err.Error() != want || !errors.Is(err, cloudevent.ErrEncoding) || errors.Is(err, cloudevent.ErrMalformed) || errors.Is(err, cloudevent.ErrFormat) {
				t.Errorf("%v, want %s", err, want)
				continue
			}
			var fault *cloudevent.HeaderError
			if !errors.As(err, &fault) || fault.Attribute != test.name || fault.Value != strings.TrimSpace(test.value) && test.name != "tenant" || fault.Reason != test.reason {
				t.Errorf("%q: the error is %#v", test.value, err)
			}
			if e.Topic != "orders" || e.Subject+e.ID != "" || e.Attributes != nil {
				t.Errorf("%q: %+v beside an error, want the topic alone", test.value, e)
			}
			if got := cloudevent.Route(rule, m); got != (routing.Route{}) {
				t.Errorf("%q: Route = %v, want none", test.value, got)
			}
		}
	}
}
