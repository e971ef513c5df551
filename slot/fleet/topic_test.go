package fleet

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
)

// matches is the definition of a pattern, written token by token.
func matches(pattern, topic string) bool {
	if pattern == topic {
		return true
	}
	p, q := strings.Split(pattern, "."), strings.Split(topic, ".")
	for i, token := range p {
		switch {
		case i >= len(q):
			return false
		case token == ">":
			return !slices.Contains(q[i:], "")
		case token == "*" && q[i] != "":
		case token != q[i]:
			return false
		}
	}
	return len(p) == len(q)
}

// everyTopic lists all topics of up to four tokens over a small alphabet; "x" and "y" stand in no pattern, so that
// they are what only a wildcard matches.
func everyTopic() []string {
	var topics []string
	level := []string{""}
	for range 4 {
		var next []string
		for _, head := range level {
			for _, token := range []string{"a", "b", "x", ""} {
				topic := token
				if head != "" || len(level) > 1 {
					topic = head + "." + token
				}
				next = append(next, topic)
			}
		}
		topics = append(topics, next...)
		level = next
	}
	return topics
}

// pattern draws what checkTopic accepts, of up to three tokens.
func pattern() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		tokens := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", ""}), 1, 3).Draw(t, "tokens")
		if rapid.Bool().Draw(t, "open") {
			tokens[len(tokens)-1] = ">"
		}
		return strings.Join(tokens, ".")
	}).Filter(func(p string) bool { return checkTopic(p) == "" })
}

// intersect and covers say of patterns what enumeration says of topics.
func TestTopicsByEnumeration(t *testing.T) {
	topics := everyTopic()
	rapid.Check(t, func(t *rapid.T) {
		p, q := pattern().Draw(t, "p"), pattern().Draw(t, "q")
		both, ok := intersect(p, q)
		if ok && checkTopic(both) != "" {
			t.Fatalf("intersect(%q, %q) = %q, which %s", p, q, both, checkTopic(both))
		}
		overlap, inside := false, true
		for _, topic := range topics {
			inP, inQ := matches(p, topic), matches(q, topic)
			if want := inP && inQ; want != (ok && matches(both, topic)) {
				t.Fatalf("intersect(%q, %q) = %q, %v: wrong for topic %q", p, q, both, ok, topic)
			}
			overlap = overlap || inP && inQ
			inside = inside && (inP || !inQ)
		}
		if ok != overlap {
			t.Fatalf("intersect(%q, %q) = %q, %v; want %v", p, q, both, ok, overlap)
		}
		if got := covers(p, q); got != inside {
			t.Fatalf("covers(%q, %q) = %v, want %v", p, q, got, inside)
		}
		if swapped, ok2 := intersect(q, p); swapped != both || ok2 != ok {
			t.Fatalf("intersect(%q, %q) = %q, the other way round %q", p, q, both, swapped)
		}
	})
}

func TestIntersect(t *testing.T) {
	for _, tt := range []struct{ p, q, want string }{
		{"ticks", "ticks", "ticks"},
		{"ticks", "trades", ""},
		{"ticks.*", "ticks.eu", "ticks.eu"},
		{"ticks.>", "ticks.eu.fx", "ticks.eu.fx"},
		{"ticks.>", "ticks", ""},
		{">", "ticks", "ticks"},
		{"a.*", "*.b", "a.b"},
		{"a.>", "*.b", "a.b"},
		{"a.>", "*.>", "a.>"},
		{"a.*.>", "a.b.*", "a.b.*"},
		{"*", "*.*", ""},
		{"a..b", "a..b", "a..b"}, // a Redis key, say
		{"a..b", "a.*.b", ""},
		{"a..b", "a.>", ""},
		{"ticks/eu", "ticks.eu", ""}, // not NATS: compared as text
	} {
		got, ok := intersect(tt.p, tt.q)
		if got != tt.want && ok || ok != (tt.want != "") {
			t.Errorf("intersect(%q, %q) = %q, %v; want %q", tt.p, tt.q, got, ok, tt.want)
		}
	}
}

func TestCheckTopic(t *testing.T) {
	for topic, want := range map[string]string{
		"ticks":        "",
		"ticks.*.eu.>": "",
		">":            "",
		"*":            "",
		"a..b":         "",
		"a/b c":        "",
		"":             "is empty",
		"a.>.b":        `has ">" before its end`,
		"ticks*":       `has "*" or ">" beside other characters in a token`,
		"a.b>":         `has "*" or ">" beside other characters in a token`,
		"a..*":         "has an empty token beside a wildcard",
		".>":           "has an empty token beside a wildcard",
		"a+b/#c.d#/+e": "",
		"orders/#":     `is a pattern of MQTT or AMQP: write "orders" and "orders.>"`,
		"a/b/+/#":      `is a pattern of MQTT or AMQP: write "a.b.*" and "a.b.*.>"`,
		"ticks/+":      `is a pattern of MQTT or AMQP: write "ticks.*"`,
		"+/eu.fx":      `is a pattern of MQTT or AMQP: write "*.eu/fx"`,
		"#":            `is a pattern of MQTT or AMQP: write ">"`,
		"+":            `is a pattern of MQTT or AMQP: write "*"`,
		"orders.#":     `is a pattern of MQTT or AMQP: write "orders" and "orders.>"`,
		"orders.#.eu":  `has "#" before its end, which no pattern of dots, "*" and ">" says`,
	} {
		if got := checkTopic(topic); got != want {
			t.Errorf("checkTopic(%q) = %q, want %q", topic, got, want)
		}
	}
}

func TestDividedLeavesOutCommands(t *testing.T) {
	own, err := routing.ParseRule("subject,id bypass=ctl.>,x.y")
	if err != nil {
		t.Fatal(err)
	}
	longer, err := routing.ParseRule("subject,id bypass=ctl.*.*,ctl.*.*.*")
	if err != nil {
		t.Fatal(err)
	}
	gap, err := routing.ParseRule("subject,id bypass=a.*,a.*.*,a.*.*.*")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := routing.ParseRule("subject,id bypass=a.*,a.*.*,a.*.*.*,a.*.*.*.>")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rule   routing.Rule
		topics []string
		want   []string
	}{
		{gap, []string{"a.>", "a.*.*"}, []string{"a.>"}}, // a.1.2.3.4 is none
		{whole, []string{"a.>", "a.*.*", ">"}, []string{">"}},
		{routing.Rule{}, []string{"trades", "ticks", "trades"}, []string{"ticks", "trades"}},
		{routing.Rule{}, []string{"ticks", "wrk.feed.command.7"}, []string{"ticks"}},
		{routing.Rule{}, []string{"ticks", "wrk.*.command.*"}, []string{"ticks"}},
		{routing.Rule{}, []string{"wrk.feed.command.>"}, []string{"wrk.feed.command.>"}}, // five tokens are no command
		{routing.Rule{}, []string{"wrk.feed.*.7", ">"}, []string{">", "wrk.feed.*.7"}},
		{own, []string{"ctl.>", "ctl.a.*", "ctl.a", "x.y", "x.*", "wrk.feed.command.7"}, []string{"wrk.feed.command.7", "x.*"}},
		{longer, []string{"ctl.>", "ctl.a.b"}, []string{"ctl.>"}}, // ctl.a is none
	} {
		if got := divided(tt.topics, tt.rule); !slices.Equal(got, tt.want) {
			t.Errorf("divided(%q, %v) = %q, want %q", tt.topics, tt.rule, got, tt.want)
		}
	}
}

// onlyCommands says of a pattern what enumeration says of topics.
func TestOnlyCommandsByEnumeration(t *testing.T) {
	topics := everyTopic()
	rapid.Check(t, func(t *rapid.T) {
		bypass := rapid.SliceOfN(pattern().Filter(func(p string) bool { return !hasEmptyToken(p) }), 1, 4).Draw(t, "bypass")
		rule, err := routing.ParseRule("id bypass=" + strings.Join(bypass, ","))
		if err != nil {
			t.Fatal(err)
		}
		p := pattern().Draw(t, "pattern")
		want := !slices.ContainsFunc(topics, func(topic string) bool { return matches(p, topic) && !rule.Command(topic) })
		if got := onlyCommands(p, rule); got != want {
			t.Fatalf("onlyCommands(%q, %v) = %v, want %v", p, rule, got, want)
		}
	})
}
