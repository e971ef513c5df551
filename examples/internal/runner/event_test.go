package runner_test

import (
	"strings"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/runner"
)

func TestRead(t *testing.T) {
	body := []byte(`{"publishsequence":"7","specversion":"1.0","id":"1","type":"t","source":"s","subject":"a"}`)
	got, err := runner.Read(body, nil)
	if want := (runner.Received{Seq: 7, ID: "1", Subject: "a"}); got != want || err != nil {
		t.Errorf("structured: %+v, %v; want %+v", got, err, want)
	}
	headers := map[string]string{"specversion": "1.0", "id": "2", "publishsequence": "8"}
	got, err = runner.Read(body, func(name string) string { return headers[name] })
	if want := (runner.Received{Seq: 8, ID: "2"}); got != want || err != nil {
		t.Errorf("binary: %+v, %v; want %+v", got, err, want)
	}
	for _, c := range []struct{ body, want string }{
		{"{}", "specversion"},
		{`{"specversion":"1.0","id":"1","type":"t","source":"s"}`, "attribute publishsequence"},
	} {
		if _, err := runner.Read([]byte(c.body), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

func TestNATS(t *testing.T) {
	e := runner.Event{Body: []byte("data"), ContentType: "text/plain", Attributes: map[string]string{"id": "1"}}
	msg := e.NATS("topic")
	if msg.Subject != "topic" || string(msg.Data) != "data" || msg.Header.Get("ce-id") != "1" || msg.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("got %+v", msg)
	}
}
