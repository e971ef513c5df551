package routing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/routing"
)

// Whatever the text, there is a rule or a RuleError that points into it; and what was accepted prints canonically.
func FuzzParseRule(f *testing.F) {
	for _, text := range []string{
		"", "id", "fnv1a32-fmix32 subject,id", "partitionkey,source+id,topic[2],topic/[255] bypass=a.*,b.> percent",
		"id bypass=", "id percent bypass=wrk.*.command.*", "topic.[0]", "a+a", "topic[256]", "id bypass=a*", "data", " id",
		"id bypass=\xff", strings.Repeat("a", 1010),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := routing.ParseRule(text)
		if err != nil {
			var where *routing.RuleError
			if !errors.As(err, &where) || !errors.Is(err, routing.ErrRule) {
				t.Fatalf("the error is a %T", err)
			}
			if where.Text != text || where.Offset < 0 || where.Offset > len(text) || where.Reason == "" {
				t.Errorf("%+v", *where)
			}
			return
		}
		canonical := r.String()
		again, err := routing.ParseRule(canonical)
		if err != nil || again != r || again.String() != canonical {
			t.Errorf("%q prints %q, which reads back as %q, %v", text, canonical, again, err)
		}
		if len(canonical) > 1024 || !strings.HasPrefix(canonical, "fnv1a32-fmix32 ") {
			t.Errorf("%q prints %q", text, canonical)
		}
		for _, name := range r.Attributes() {
			if name == "" || name == "data" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				t.Errorf("%q fetches %q", text, name)
			}
		}
		// Total: whatever the event.
		r.Route(routing.Event{Topic: text, Subject: text})
		r.Key(routing.Event{Topic: text, ID: text, Attributes: map[string]string{}})
	})
}

func FuzzIsCommand(f *testing.F) {
	for _, topic := range []string{"", "wrk.feed.command.7", "wrk..command.7", "wrk.a.command.b.c", "wrk.a.command.", "..."} {
		f.Add(topic)
	}
	explicit, err := routing.ParseRule("id bypass=wrk.*.command.*,wrk.x.y") // no default pattern alone, so by the general matcher
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, topic string) {
		got := routing.IsCommand(topic)
		tokens := strings.Split(topic, ".")
		want := len(tokens) == 4 && tokens[0] == "wrk" && tokens[1] != "" && tokens[2] == "command" && tokens[3] != ""
		if got != want {
			t.Errorf("IsCommand(%q) = %t, want %t", topic, got, want)
		}
		if general := explicit.Command(topic); topic != "wrk.x.y" && general != got {
			t.Errorf("Command(%q) = %t by its pattern, IsCommand says %t", topic, general, got)
		}
	})
}
