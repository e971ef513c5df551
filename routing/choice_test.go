package routing_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

func TestKeyOfRule(t *testing.T) {
	with := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	for _, test := range []struct {
		rule  string
		event routing.Event
		want  string // empty for no key
	}{
		{"id", routing.Event{Subject: "s", ID: "1"}, "1"},
		{"id,subject", routing.Event{Subject: "s"}, "s"},
		{"partitionkey,subject", routing.Event{Subject: "s", Attributes: with("partitionkey", "p")}, "p"},
		{"partitionkey,subject", routing.Event{Subject: "s", Attributes: with("partitionkey", "")}, "s"},
		{"partitionkey,subject", routing.Event{Subject: "s", Attributes: with()}, "s"},
		{"subject,partitionkey", routing.Event{Subject: "s", Attributes: with()}, "s"},
		// Not fetched is not absent, wherever the attribute stands in the rule.
		{"partitionkey,subject", routing.Event{Subject: "s"}, ""},
		{"subject,partitionkey", routing.Event{Subject: "s"}, ""},
		{"subject+tenant,id", routing.Event{Subject: "s", ID: "1"}, ""},
		{"id+subject", routing.Event{Subject: "s", ID: "1"}, "1:11:s"},
		{"topic[0],id", routing.Event{ID: "1"}, "1"},
		// subject and id have fields; the map is for the others.
		{"subject,id,source", routing.Event{Attributes: with("subject", "x", "id", "y")}, ""},
		{"source+id", routing.Event{ID: "7", Attributes: with("source", "/s")}, "2:/s1:7"},
		{"source+id", routing.Event{Attributes: with("source", "/s")}, ""},
		{"source+id,source", routing.Event{Attributes: with("source", "/s")}, "/s"},
		{"source+id", routing.Event{ID: "é", Attributes: with("source", "\xff")}, "1:\xff2:é"},
		{"topic[2]", routing.Event{Topic: "a.b.c.d"}, "c"},
		{"topic[0]", routing.Event{Topic: "a"}, "a"},
		{"topic[0]", routing.Event{Topic: ""}, ""},
		{"topic[0]", routing.Event{Topic: ".b"}, ""},
		{"topic[1]", routing.Event{Topic: "a."}, ""},
		{"topic[1]", routing.Event{Topic: "a"}, ""},
		{"topic[1],topic[0]", routing.Event{Topic: "a"}, "a"},
		{"topic/[1]", routing.Event{Topic: "shops/42/orders"}, "42"},
		{"topic/[1]", routing.Event{Topic: "shops.42.orders"}, ""},
		{"topic:[1]", routing.Event{Topic: "orders:42"}, "42"},
		{"topic-[1]", routing.Event{Topic: "orders-42"}, "42"},
		{"topic_[1]", routing.Event{Topic: "orders_42"}, "42"},
		{"topic|[1]", routing.Event{Topic: "orders|42"}, "42"},
		{"topic[0]+topic[1]", routing.Event{Topic: "a.bc"}, "1:a2:bc"},
		{"topic[255]", routing.Event{Topic: strings.Repeat("x.", 255) + "last"}, "last"},
		{"topic,id", routing.Event{Topic: "a", ID: "1", Attributes: with("topic", "attribute")}, "attribute"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			r := parse(t, test.rule)
			got, ok := r.Key(test.event)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("Key(%+v) = %q, %t, want %q", test.event, got, ok, test.want)
			}
			var want routing.Route
			if test.want != "" {
				want = routing.Hashed(hashpin.Sum32String(test.want))
			}
			if got := r.Route(test.event); got != want {
				t.Errorf("Route(%+v) = %+v, want %+v", test.event, got, want)
			}
		})
	}
}

// The key, once more, straight from SPEC 2 and 6.
func (s ruleSpec) keyOf(e routing.Event) string {
	value := func(part string) string {
		switch {
		case part == "subject":
			return e.Subject
		case part == "id":
			return e.ID
		case !strings.HasSuffix(part, "]"):
			return e.Attributes[part]
		}
		separator, index := ".", 0
		open := strings.Index(part, "[")
		if open > len("topic") {
			separator = part[len("topic"):open]
		}
		fmt.Sscanf(part[open:], "[%d]", &index)
		if tokens := strings.Split(e.Topic, separator); index < len(tokens) {
			return tokens[index]
		}
		return ""
	}
	needsMap := false
	for _, parts := range s.joins {
		for _, part := range parts {
			needsMap = needsMap || part != "subject" && part != "id" && !strings.HasSuffix(part, "]")
		}
	}
	if needsMap && e.Attributes == nil {
		return ""
	}
next:
	for _, parts := range s.joins {
		var joined strings.Builder
		for _, part := range parts {
			v := value(part)
			if v == "" {
				continue next
			}
			if len(parts) == 1 {
				return v
			}
			fmt.Fprintf(&joined, "%d:%s", len(v), v)
		}
		return joined.String()
	}
	return ""
}

func TestKeyAgreesWithNaiveRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, e := spec().Draw(t, "rule"), event().Draw(t, "event")
		got, ok := parse(t, s.text()).Key(e)
		if want := s.keyOf(e); got != want || ok != (want != "") {
			t.Fatalf("Key = %q, %t, want %q", got, ok, want)
		}
	})
}

// No two different tuples make one joined key: each part says where it ends.
func TestJoinedKeysAreUnambiguous(t *testing.T) {
	r := parse(t, "a+b+c")
	tuple := rapid.Custom(func(t *rapid.T) [3]string {
		piece := rapid.OneOf(rapid.StringMatching(`[0-9:+a]{1,6}`), value())
		var v [3]string
		for i := range v {
			v[i] = piece.Filter(func(s string) bool { return s != "" }).Draw(t, "part")
		}
		return v
	})
	join := func(v [3]string) string {
		key, _ := r.Key(routing.Event{Attributes: map[string]string{"a": v[0], "b": v[1], "c": v[2]}})
		return key
	}
	rapid.Check(t, func(t *rapid.T) {
		v := tuple.Draw(t, "tuple")
		key := join(v)
		rest := key
		for i, want := range v {
			digits, after, _ := strings.Cut(rest, ":")
			if digits != fmt.Sprint(len(want)) || !strings.HasPrefix(after, want) {
				t.Fatalf("part %d of %q does not stand in %q", i, v, key)
			}
			rest = after[len(want):]
		}
		if rest != "" {
			t.Fatalf("%q has %q at its end", key, rest)
		}
		if w := tuple.Draw(t, "other"); w != v && join(w) == key {
			t.Fatalf("%q and %q make one key, %q", v, w, key)
		}
	})
	// Pairs made to collide where parts are only glued together.
	for _, pair := range [][2][3]string{
		{{"a", "b", "c"}, {"ab", "c", "c"}},
		{{"1:a", "b", "c"}, {"1", "a1:b", "c"}},
		{{"a1:b", "c", "d"}, {"a", "b", "c1:d"}},
		{{"a", "a", "b"}, {"a", "b", "a"}},
		{{"a+b", "c", "d"}, {"a", "b+c", "d"}},
	} {
		if join(pair[0]) == join(pair[1]) {
			t.Errorf("%q and %q make one key", pair[0], pair[1])
		}
	}
}
