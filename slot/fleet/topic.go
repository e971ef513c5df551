package fleet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/routing"
)

// Topics are compared as NATS subjects: tokens separated by dots, "*" for one token, ">" at the end
// for one or more. Neither stands for an empty token. A topic without them is itself, whatever its
// characters; but those of MQTT and AMQP, "+" and "#", are refused: taken for themselves they would
// hide that workers share topics.

// checkTopic returns the rule that a topic or pattern breaks, or "".
func checkTopic(topic string) string {
	if topic == "" {
		return "is empty"
	}
	if fault := checkForeign(topic); fault != "" {
		return fault
	}
	rest, more := topic, true
	for more {
		var token string
		token, rest, more = strings.Cut(rest, ".")
		switch {
		case token == ">" && more:
			return `has ">" before its end`
		case len(token) > 1 && strings.ContainsAny(token, "*>"):
			return `has "*" or ">" beside other characters in a token`
		case token == "" && strings.ContainsAny(topic, "*>"):
			return "has an empty token beside a wildcard"
		}
	}
	return ""
}

// checkForeign refuses the patterns of MQTT and AMQP, and says what to write for one. Their "#" is
// also for no level at all.
func checkForeign(topic string) string {
	if strings.Contains(topic, "/") { // MQTT: slash and dot change places (SPEC 5.5)
		topic = strings.Map(func(c rune) rune {
			switch c {
			case '/':
				return '.'
			case '.':
				return '/'
			}
			return c
		}, topic)
	}
	tokens := strings.Split(topic, ".")
	last := len(tokens) - 1
	switch i := slices.Index(tokens, "#"); {
	case i >= 0 && i < last:
		return `has "#" before its end, which no pattern of dots, "*" and ">" says`
	case i < 0 && !slices.Contains(tokens, "+"):
		return ""
	}
	for i, token := range tokens {
		if token == "+" {
			tokens[i] = "*"
		}
	}
	write := strconv.Quote(strings.Join(tokens, "."))
	if tokens[last] == "#" {
		parent := strings.Join(tokens[:last], ".")
		if write = `">"`; parent != "" {
			write = strconv.Quote(parent) + " and " + strconv.Quote(parent+".>")
		}
	}
	return "is a pattern of MQTT or AMQP: write " + write
}

// intersect returns the pattern of the topics that match both p and q; ok is false where there is none. Both are
// as checkTopic wants them.
func intersect(p, q string) (both string, ok bool) {
	if p == q {
		return p, true
	}
	var tokens []string
	for {
		a, restP, moreP := strings.Cut(p, ".")
		b, restQ, moreQ := strings.Cut(q, ".")
		switch {
		case a == ">" && !hasEmptyToken(q):
			return strings.Join(append(tokens, q), "."), true
		case b == ">" && !hasEmptyToken(p):
			return strings.Join(append(tokens, p), "."), true
		case a == b || b == "*" && a != "" && a != ">":
			tokens = append(tokens, a)
		case a == "*" && b != "" && b != ">":
			tokens = append(tokens, b)
		default:
			return "", false
		}
		if !moreP || !moreQ {
			return strings.Join(tokens, "."), moreP == moreQ
		}
		p, q = restP, restQ
	}
}

// covers reports whether every topic that matches q matches p.
func covers(p, q string) bool {
	both, ok := intersect(p, q)
	return ok && both == q
}

func hasEmptyToken(topic string) bool {
	return topic == "" || topic[0] == '.' || topic[len(topic)-1] == '.' || strings.Contains(topic, "..")
}

// shared returns a topic or pattern on which both lists deliver events that the slot rule divides.
func shared(a, b []string) (topic string, ok bool) {
	for _, p := range a {
		for _, q := range b {
			if both, ok := intersect(p, q); ok {
				return both, true
			}
		}
	}
	return "", false
}

// divided returns topics sorted, each once, without those that carry only commands: every member takes those, so
// that nothing can be missing or double on them.
func divided(topics []string, rule routing.Rule) []string {
	kept := slices.DeleteFunc(slices.Clone(topics), func(topic string) bool { return onlyCommands(topic, rule) })
	slices.Sort(kept)
	return slices.Compact(kept)
}

// onlyCommands reports whether every topic that matches the pattern is a command under rule. A wildcard stands for
// itself: a token that no literal token of the rule equals.
func onlyCommands(pattern string, rule routing.Rule) bool {
	topic, many := strings.CutSuffix(pattern, ">")
	if !many {
		return rule.Command(pattern)
	}
	// No pattern of the rule has more tokens than its text has dots, and one: what is longer than
	// that matches or not whatever its length.
	for range strings.Count(rule.String(), ".") + 2 {
		if topic += "*"; !rule.Command(topic) {
			return false
		}
		topic += "."
	}
	return true
}
