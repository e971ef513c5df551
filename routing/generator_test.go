package routing_test

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
)

// value generates attribute values: often absent, often alike, sometimes of any bytes.
func value() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "", "7", "1:7", "2:/s", "/s", "7+7", "EUR/USD", "é", " ", "\x00", "\xff"}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

// token generates topic tokens, empty ones and ones with other separators in them included.
func token() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "wrk", "command", "wrk", "command", "a", "b", "A", "wrkx", "a/b", "a:b-c_d|e", "*", ">", "é", " "}),
		rapid.String(),
	)
}

func topic() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(token(), 0, 6), func(tokens []string) string { return strings.Join(tokens, ".") })
}

var names = []string{"subject", "id", "source", "type", "partitionkey", "tenant", "topic", "x1"}

func attributes() *rapid.Generator[map[string]string] {
	return rapid.OneOf(
		rapid.Just[map[string]string](nil),
		rapid.MapOf(rapid.SampledFrom(append([]string{""}, names...)), value()), // a nameless one is nobody's
	)
}

func event() *rapid.Generator[routing.Event] {
	return rapid.Custom(func(t *rapid.T) routing.Event {
		return routing.Event{
			Topic:      topic().Draw(t, "topic"),
			Subject:    value().Draw(t, "subject"),
			ID:         value().Draw(t, "id"),
			Attributes: attributes().Draw(t, "attributes"),
		}
	})
}

// A ruleSpec is a rule as its parts, from which tests make texts and expectations without the parser.
type ruleSpec struct {
	joins    [][]string // each part in canonical form
	bypass   bool       // whether patterns count
	patterns []string
	percent  bool
}

func spec() *rapid.Generator[ruleSpec] {
	return rapid.Custom(func(t *rapid.T) ruleSpec {
		join := rapid.SliceOfNDistinct(part(), 1, 3, rapid.ID[string])
		joined := func(parts []string) string { return strings.Join(parts, "+") }
		return ruleSpec{
			joins:    rapid.SliceOfNDistinct(join, 1, 4, joined).Draw(t, "key"),
			bypass:   rapid.Bool().Draw(t, "bypass"),
			patterns: rapid.SliceOfN(pattern(), 0, 3).Draw(t, "patterns"),
			percent:  rapid.Bool().Draw(t, "percent"),
		}
	})
}

func part() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(names),
		rapid.Custom(func(t *rapid.T) string {
			separator := rapid.SampledFrom([]string{"", "/", ":", "-", "_", "|"}).Draw(t, "separator")
			return "topic" + separator + "[" + strconv.Itoa(rapid.IntRange(0, 5).Draw(t, "index")) + "]"
		}),
	)
}

func pattern() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		tokens := rapid.SliceOfN(rapid.SampledFrom([]string{"wrk", "command", "*", "a", "b", "é", "a/b"}), 0, 5).Draw(t, "tokens")
		if len(tokens) == 0 || rapid.Bool().Draw(t, "rest") {
			tokens = append(tokens, ">")
		}
		return strings.Join(tokens, ".")
	})
}

// key is the canonical text of the key rule.
func (s ruleSpec) key() string {
	joins := make([]string, len(s.joins))
	for i, parts := range s.joins {
		joins[i] = strings.Join(parts, "+")
	}
	return strings.Join(joins, ",")
}

// text writes the rule the long way: patterns as they come, though they may be the default.
func (s ruleSpec) text() string {
	text := "fnv1a32-fmix32 " + s.key()
	if s.bypass {
		text += " bypass=" + strings.Join(s.patterns, ",")
	}
	if s.percent {
		text += " percent"
	}
	return text
}

// canonical writes the rule as SPEC 6.6 wants it.
func (s ruleSpec) canonical() string {
	s.patterns = slices.Compact(slices.Sorted(slices.Values(s.patterns)))
	if slices.Equal(s.patterns, []string{"wrk.*.command.*"}) {
		s.bypass = false
	}
	return s.text()
}

// rule generates rules, the default rule often.
func rule() *rapid.Generator[routing.Rule] {
	return rapid.OneOf(
		rapid.Just(routing.Rule{}),
		rapid.Custom(func(t *rapid.T) routing.Rule { return parse(t, spec().Draw(t, "spec").text()) }),
	)
}

func parse(t rapid.TB, text string) routing.Rule {
	t.Helper()
	r, err := routing.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
