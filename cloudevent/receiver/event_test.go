package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

func TestEvent(t *testing.T) {
	full := newEvent("7")
	full.SetSubject("s")
	full.SetSource("/a b")
	full.SetDataSchema("http://example.com/schema")
	full.SetTime(time.Date(2026, 11, 30, 12, 0, 0, 500, time.FixedZone("", 3600)))
	full.SetExtension("PartitionKey", "p")
	full.SetExtension("number", 7.9)
	full.SetExtension("flag", true)
	full.SetExtension("bytes", []byte{1, 2})
	old := event.New(event.CloudEventsVersionV03) // which keeps the case of extensions, and has other attributes
	old.SetID("7")
	old.SetDataSchema("/schema")
	old.SetDataContentEncoding(event.Base64)
	old.SetExtension("dataschema", "x")
	old.SetExtension("PartitionKey", "p")
	old.SetExtension("Flag", "a")
	old.SetExtension("FLAG", "b")
	for _, test := range []struct {
		rule string
		e    event.Event
		want routing.Event
	}{
		{"subject,id", full, routing.Event{Topic: "t", Subject: "s", ID: "7"}},
		{"id", full, routing.Event{Topic: "t", Subject: "s", ID: "7"}},
		{"source+id", full, routing.Event{Topic: "t", Subject: "s", ID: "7", Attributes: map[string]string{"source": "/a%20b"}}},
		{"type,specversion,datacontenttype,dataschema,time", full, routing.Event{Topic: "t", Subject: "s", ID: "7", Attributes: map[string]string{
			"type": "tick", "specversion": "1.0", "datacontenttype": "text/plain", "dataschema": "http://example.com/schema", "time": "2026-11-30T11:00:00.0000005Z",
		}}},
		{"partitionkey,number,flag,bytes,absent", full, routing.Event{Topic: "t", Subject: "s", ID: "7", Attributes: map[string]string{
			"partitionkey": "p", "number": "7", "flag": "true", "bytes": "AQI=",
		}}},
		{"schemaurl,dataschema,datacontentencoding,partitionkey,flag", old, routing.Event{Topic: "t", ID: "7", Attributes: map[string]string{
			"schemaurl": "/schema", "dataschema": "x", "datacontentencoding": "base64", "partitionkey": "p", "flag": "b",
		}}},
		{"schemaurl,datacontentencoding", full, routing.Event{Topic: "t", Subject: "s", ID: "7", Attributes: map[string]string{}}},
		{"absent,time,source", event.Event{}, routing.Event{Topic: "t", Attributes: map[string]string{}}},
	} {
		if got := receiver.Event(rule(t, test.rule), "t", test.e); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.rule, got, test.want)
		}
	}
}

func TestHandler(t *testing.T) {
	type topicKey struct{}
	boom := errors.New("boom")
	topic := func(ctx context.Context, _ event.Event) string { return fmt.Sprint(ctx.Value(topicKey{})) }
	var handled []string
	next := func(_ context.Context, e event.Event) error { handled = append(handled, e.ID()); return boom }
	h, err := receiver.Handler(member(t, 1), topic, next)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		topic, id string
		want      error
	}{
		{"ticks", key(t, 1), boom},
		{"ticks", key(t, 0), nil},
		{"wrk.feed.command.7", key(t, 0), boom},
	} {
		if got := h(context.WithValue(context.Background(), topicKey{}, test.topic), newEvent(test.id)); got != test.want {
			t.Errorf("%s on %s: got %v, want %v", test.id, test.topic, got, test.want)
		}
	}
	if want := fmt.Sprint([]string{key(t, 1), key(t, 0)}); fmt.Sprint(handled) != want {
		t.Errorf("got %v, want %v", handled, want)
	}
}

func TestHandlerRefuses(t *testing.T) {
	topic := func(context.Context, event.Event) string { return "" }
	next := func(context.Context, event.Event) error { return nil }
	for _, test := range []struct {
		filter *slot.Filter
		topic  func(context.Context, event.Event) string
		next   func(context.Context, event.Event) error
		want   error
		says   string
	}{
		{nil, topic, next, receiver.ErrNil, "filter"},
		{member(t, 0), nil, next, receiver.ErrNil, "topic"},
		{member(t, 0), topic, nil, receiver.ErrNil, "next"},
		{member(t, 0).WithRule(rule(t, "id percent")), topic, next, receiver.ErrTransport, "id percent"},
	} {
		h, err := receiver.Handler(test.filter, test.topic, test.next)
		if h != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("got an error %v, want one that is %v and says %s", err, test.want, test.says)
		}
	}
}
