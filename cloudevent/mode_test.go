package cloudevent_test

import (
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
)

// modeOf is the mode of a message as the vectors and SPEC have it: there a batch is one of what
// cannot be read as one event.
func modeOf(m cloudevent.Message) string {
	if mode := m.Mode(); mode != cloudevent.ModeBatch {
		return mode.String()
	}
	return "unreadable"
}

func TestMode(t *testing.T) {
	binary := func(t cloudevent.Transport) cloudevent.Header {
		return t.Map(map[string]string{"ce-specversion": "1.0", "ce_specversion": "1.0", "cloudEvents_specversion": "1.0"})
	}
	typed := func(contentType string) cloudevent.Header {
		return cloudevent.NATS.Map(map[string]string{"Content-Type": contentType, "ce-specversion": "1.0"})
	}
	for _, test := range []struct {
		m    cloudevent.Message
		want cloudevent.Mode
	}{
		{cloudevent.Message{}, cloudevent.ModeStructured},
		{cloudevent.Message{Body: []byte("[]")}, cloudevent.ModeStructured}, // the body does not tell
		{cloudevent.Message{Header: binary(cloudevent.AMQP)}, cloudevent.ModeBinary},
		{cloudevent.Message{Header: binary(cloudevent.AMQP), ContentType: "application/json"}, cloudevent.ModeBinary},
		{cloudevent.Message{Header: binary(cloudevent.Kafka), ContentType: "application/cloudevents+json"}, cloudevent.ModeStructured},
		{cloudevent.Message{ContentType: "application/cloudevents-batch+json"}, cloudevent.ModeBatch},
		{cloudevent.Message{Header: typed(" Application/CloudEvents-BATCH+JSON\t; charset=utf-8")}, cloudevent.ModeBatch},
		{cloudevent.Message{Header: typed("application/cloudevents-batch+json"), Body: []byte("[]")}, cloudevent.ModeBatch},
		{cloudevent.Message{Header: typed("application/cloudevents-batch+avro")}, cloudevent.ModeUnreadable},
		{cloudevent.Message{Header: typed("application/cloudevents-batch")}, cloudevent.ModeUnreadable},
		{cloudevent.Message{Header: typed("application/cloudevents-batch+jsonx")}, cloudevent.ModeUnreadable},
		{cloudevent.Message{Header: typed("application/cloudevents")}, cloudevent.ModeUnreadable},
		// The long s and the sign of Kelvin are no letters of ASCII.
		{cloudevent.Message{Header: typed("application/cloudevents-batch+j\u017fon")}, cloudevent.ModeUnreadable},
		{cloudevent.Message{Header: typed("application/cloudevent\u017f-batch+json")}, cloudevent.ModeBinary},
		{cloudevent.Message{ContentType: "application/cloudevent\u017f+json", Header: binary(cloudevent.PubSub)}, cloudevent.ModeBinary},
		// White space is a specversion.
		{cloudevent.Message{Header: cloudevent.Kafka.Map(map[string]string{"ce_specversion": " "})}, cloudevent.ModeBinary},
		{cloudevent.Message{Header: cloudevent.Kafka.Map(map[string]string{"ce_specversion": ""})}, cloudevent.ModeStructured},
	} {
		if got := test.m.Mode(); got != test.want {
			t.Errorf("Mode of %+v = %v, want %v", test.m, got, test.want)
		}
		if n := testing.AllocsPerRun(10, func() { test.m.Mode() }); n != 0 {
			t.Errorf("Mode of %+v allocates %v times", test.m, n)
		}
	}
	for mode, want := range map[cloudevent.Mode]string{0: "none", 1: "binary", 2: "structured", 3: "batch", 4: "unreadable", 5: "Mode(5)", 255: "Mode(255)"} {
		if got := mode.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
