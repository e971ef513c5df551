package routing_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

func TestKey(t *testing.T) {
	for _, test := range []struct {
		name  string
		event routing.Event
		want  string
		ok    bool
	}{
		{"zero event", routing.Event{}, "", false},
		{"subject before id", routing.Event{Subject: "EUR/USD", ID: "1"}, "EUR/USD", true},
		{"empty subject is absent", routing.Event{Subject: "", ID: "1"}, "1", true},
		{"subject alone", routing.Event{Subject: "EUR/USD"}, "EUR/USD", true},
		{"a topic is no key", routing.Event{Topic: "ticks"}, "", false},
		{"neither are attributes", routing.Event{Attributes: map[string]string{"subject": "a", "id": "b", "source": "c"}}, "", false},
		{"white space is a value", routing.Event{Subject: " ", ID: "1"}, " ", true},
		{"nothing is trimmed", routing.Event{Subject: "\tEUR/USD \n"}, "\tEUR/USD \n", true},
		{"nothing is folded", routing.Event{Subject: "É"}, "É", true},
		{"nothing is normalised", routing.Event{Subject: "e\u0301"}, "e\u0301", true},
		{"bytes stay", routing.Event{Subject: "\xff\x00"}, "\xff\x00", true},
		{"NUL is a value", routing.Event{Subject: "\x00", ID: "1"}, "\x00", true},
		{"a command has a key too", routing.Event{Topic: "wrk.feed.command.7", Subject: "a"}, "a", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := routing.Key(test.event); got != test.want || ok != test.ok {
				t.Errorf("Key: got %q, %t, want %q, %t", got, ok, test.want, test.ok)
			}
			var want routing.Route
			if test.ok {
				want = routing.Hashed(hashpin.Sum32String(test.want))
			}
			e := test.event
			e.Topic = "ticks" // no command
			if got := (routing.Rule{}).Route(e); got != want {
				t.Errorf("Route: got %+v, want %+v", got, want)
			}
		})
	}
}

// Under the default rule topic and attributes other than subject and id change nothing, unless the
// topic makes a command.
func TestDefaultRuleSeesSubjectAndIDOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bare := routing.Event{Subject: value().Draw(t, "subject"), ID: value().Draw(t, "id")}
		full := bare
		full.Topic = topic().Draw(t, "topic")
		full.Attributes = attributes().Draw(t, "attributes")

		want := bare.Subject
		if want == "" {
			want = bare.ID
		}
		for _, e := range []routing.Event{bare, full} {
			if key, ok := routing.Key(e); key != want || ok != (want != "") {
				t.Fatalf("Key(%+v) = %q, %t, want %q", e, key, ok, want)
			}
		}
		if routing.IsCommand(full.Topic) {
			return
		}
		if got, want := (routing.Rule{}).Route(full), (routing.Rule{}).Route(bare); got != want {
			t.Errorf("Route(%+v) = %+v, want %+v", full, got, want)
		}
	})
}

// A route is the command, or the hash of the key, or nothing: for every rule.
func TestRouteIsTheHashOfTheKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, e := rule().Draw(t, "rule"), event().Draw(t, "event")
		route := r.Route(e)
		if got, want := route.Command(), r.Command(e.Topic); got != want {
			t.Fatalf("Command() = %t, want %t", got, want)
		}
		sum, ok := route.Sum()
		key, hasKey := r.Key(e)
		if want := hasKey && !r.Command(e.Topic); ok != want {
			t.Fatalf("Sum is there: %t, want %t", ok, want)
		}
		if want := hashpin.Sum32String(key); ok && (sum != want || route != routing.Hashed(want)) {
			t.Fatalf("sum %#08x, want %#08x of %q", sum, want, key)
		}
		if !ok && !route.Command() && route != (routing.Route{}) {
			t.Fatalf("got %+v for no key, want the zero Route", route)
		}
	})
}

func TestRoute(t *testing.T) {
	for _, sum := range []uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		r := routing.Hashed(sum)
		if got, ok := r.Sum(); got != sum || !ok || r.Command() {
			t.Errorf("Hashed(%d): sum %d, %t, command %t", sum, got, ok, r.Command())
		}
		if r == (routing.Route{}) {
			t.Errorf("Hashed(%d) is the route without a key", sum)
		}
	}
	if sum, ok := (routing.Route{}).Sum(); sum != 0 || ok || (routing.Route{}).Command() {
		t.Errorf("the zero Route has a sum, or is a command")
	}
	command := routing.Rule{}.Route(routing.Event{Topic: "wrk.feed.command.7", Subject: "EUR/USD"})
	if sum, ok := command.Sum(); sum != 0 || ok || !command.Command() {
		t.Errorf("a command: sum %d, %t, command %t", sum, ok, command.Command())
	}
}

func TestPartitionTopic(t *testing.T) {
	for _, test := range []struct {
		base string
		slot int
		want string
	}{
		{"ticks", 0, "ticks.part.0"},
		{"ticks.eurusd", 1023, "ticks.eurusd.part.1023"},
		{"ticks", -1, "ticks"},
	} {
		if got := routing.PartitionTopic(test.base, test.slot); got != test.want {
			t.Errorf("PartitionTopic(%q, %d) = %q, want %q", test.base, test.slot, got, test.want)
		}
	}
}
