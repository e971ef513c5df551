package routing_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
)

func TestIsCommand(t *testing.T) {
	for topic, want := range map[string]bool{
		"wrk.feed.command.7":                true,
		"wrk.a.command.b":                   true,
		"wrk.wrk.command.command":           true,
		"wrk.*.command.>":                   true, // a topic has no wildcards: these are tokens
		"wrk. .command.\n":                  true,
		"wrk.é.command.\xff":                true,
		"":                                  false,
		"wrk":                               false,
		"wrk.feed.command":                  false,
		"wrk.feed.command.":                 false,
		"wrk..command.7":                    false,
		"wrk.feed..7":                       false,
		".feed.command.7":                   false,
		"wrk.feed.command.7.":               false,
		"wrk.feed.command.7.8":              false,
		"wrk.feed.command..7":               false,
		".wrk.feed.command.7":               false,
		"x.wrk.feed.command.7":              false,
		"Wrk.feed.command.7":                false,
		"wrk.feed.Command.7":                false,
		"wrk.feed.commands.7":               false,
		"wrkx.feed.command.7":               false,
		"wrk.feed.event.7":                  false,
		"wrk/feed/command/7":                false,
		"wrk.a.b.command.7":                 false,
		" wrk.feed.command.7":               false,
		"wrk.feed.command.7\x00.x":          false,
		"wrk.command.command":               false,
		"ticks.eurusd":                      false,
		strings.Repeat("wrk.a.command.", 9): false,
	} {
		if got := routing.IsCommand(topic); got != want {
			t.Errorf("IsCommand(%q) = %t, want %t", topic, got, want)
		}
		if got := (routing.Rule{}).Command(topic); got != want {
			t.Errorf("Command(%q) = %t, want %t", topic, got, want)
		}
	}
}

var commandTopic = regexp.MustCompile(`\Awrk\.[^.]+\.command\.[^.]+\z`)

func TestIsCommandAgreesWithRegexp(t *testing.T) {
	near := rapid.StringMatching(`(wrk|wr|x|)\.(a|)\.(command|comman|)\.(7|7\.8|)`)
	rapid.Check(t, func(t *rapid.T) {
		topic := rapid.OneOf(topic(), near).Draw(t, "topic")
		if got, want := routing.IsCommand(topic), commandTopic.MatchString(topic); got != want {
			t.Fatalf("IsCommand(%q) = %t, want %t", topic, got, want)
		}
	})
}

func TestCommandOfRule(t *testing.T) {
	for _, test := range []struct {
		patterns, topic string
		want            bool
	}{
		{"", "wrk.feed.command.7", false}, // no command at all
		{"", "", false},
		{"ctl.*", "ctl.stop", true},
		{"ctl.*", "wrk.feed.command.7", false}, // instead of the default, not beside it
		{"ctl.*,wrk.*.command.*", "wrk.feed.command.7", true},
		{"ctl.*", "ctl", false},
		{"ctl.*", "ctl.", false},
		{"ctl.*", "ctl.a.b", false},
		{"ctl.>", "ctl", false},
		{"ctl.>", "ctl.", false},
		{"ctl.>", "ctl.a", true},
		{"ctl.>", "ctl.a.b.c", true},
		{"ctl.>", "ctl.a..c", false},
		{"ctl.>", "ctl.a.b.", false},
		{"ctl.>", "ctl..b", false},
		{">", "a", true},
		{">", "a.b", true},
		{">", "", false},
		{">", ".", false},
		{">", ".a", false},
		{">", "a.", false},
		{"*", "a", true},
		{"*", "", false},
		{"*", "a.b", false},
		{"*.b", ".b", false},
		{"a.b", "a.b", true},
		{"a.b", "a.B", false},
		{"a.b", "a.b.c", false},
		{"a.b", "a", false},
		{"a", "ab", false},
		{"b,a", "a", true},
		{"a/b", "a/b", true},
	} {
		r := parse(t, "id bypass="+test.patterns)
		if got := r.Command(test.topic); got != test.want {
			t.Errorf("bypass=%s: Command(%q) = %t, want %t", test.patterns, test.topic, got, test.want)
		}
		if got := r.Route(routing.Event{Topic: test.topic, ID: "1"}).Command(); got != test.want {
			t.Errorf("bypass=%s: the route of %q is a command: %t, want %t", test.patterns, test.topic, got, test.want)
		}
	}
}

// oracle writes a pattern as a regular expression.
func oracle(pattern string) string {
	tokens := strings.Split(pattern, ".")
	for i, token := range tokens {
		switch token {
		case "*":
			tokens[i] = `[^.]+`
		case ">":
			tokens[i] = `[^.]+(\.[^.]+)*`
		default:
			tokens[i] = regexp.QuoteMeta(token)
		}
	}
	return strings.Join(tokens, `\.`)
}

func TestPatternsAgreeWithRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(pattern(), 1, 3).Draw(t, "patterns")
		r := parse(t, "id bypass="+strings.Join(patterns, ","))
		expressions := make([]string, len(patterns))
		for i, p := range patterns {
			expressions[i] = oracle(p)
		}
		want := regexp.MustCompile(`\A(` + strings.Join(expressions, "|") + `)\z`)
		for range 10 {
			topic := rapid.OneOf(topic(), topicLike(patterns[0])).Draw(t, "topic")
			if got := r.Command(topic); got != want.MatchString(topic) {
				t.Fatalf("Command(%q) = %t under %v", topic, got, patterns)
			}
		}
	})
}

// topicLike generates topics that fit a pattern, or nearly.
func topicLike(pattern string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		tokens := strings.Split(pattern, ".")
		for i, token := range tokens {
			fill := rapid.SampledFrom([]string{"a", "b", "", "a.b", "a..b", "a."}).Draw(t, "fill")
			if token == "*" || token == ">" {
				tokens[i] = fill
			}
		}
		return strings.Join(tokens, ".")
	})
}
