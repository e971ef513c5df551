package natsbroker_test

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEmbedded(t *testing.T) {
	broker, err := natsbroker.Open("", func(err error) { t.Error("lost:", err) })
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	var got [2]string
	for i, name := range []string{"one", "two"} {
		nc, err := broker.Connect(name)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		sub, err := nc.SubscribeSync("topic")
		if err != nil {
			t.Fatal(err)
		}
		if err := nc.Publish("topic", []byte(name)); err != nil {
			t.Fatal(err)
		}
		msg, err := sub.NextMsgWithContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got[i] = string(msg.Data)
	}
	if want := [2]string{"one", "two"}; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheckURL(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"nats://localhost:4222", ""},
		{"localhost:4222", ""},
		{"nats://a:4222, b:4222,tls://c", ""},
		{"nats://user:secret@host", ""},
		{"http://host", `-url "http://host": the scheme is none of nats, tls, ws, wss`},
		{"nats://", `-url "nats:": no host`},
		{"nats://a,,nats://b", `no host`},
		{"nats://user:secret@host:x", `malformed`},
		{"kafka://user:secret@host", `-url "kafka://host": the scheme`},
	} {
		err := natsbroker.CheckURL(c.url)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("CheckURL(%q) = %v", c.url, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("CheckURL(%q) = %v, want %s", c.url, err, c.want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("CheckURL(%q) shows the password: %v", c.url, err)
		}
	}
}

func TestUnreachable(t *testing.T) {
	broker, err := natsbroker.Open("nats://token@127.0.0.1:1", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	_, err = broker.Connect("one")
	if want := "no NATS server at nats://127.0.0.1:1: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}

func TestReady(t *testing.T) {
	broker, err := natsbroker.Open("", func(err error) { t.Error("lost:", err) })
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	publisher, err := broker.Connect("publisher")
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	subscriber, err := broker.Connect("subscriber")
	if err != nil {
		t.Fatal(err)
	}
	defer subscriber.Close()
	if err := natsbroker.Ready(t.Context(), publisher, subscriber, "ready"); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := natsbroker.Ready(ended, publisher, subscriber, "ready"); err == nil {
		t.Error("ready in no time")
	}
}
