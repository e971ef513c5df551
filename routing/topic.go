package routing

import (
	"strconv"
	"strings"
)

// IsCommand reports whether topic is a command topic of the default rule,
//
//	wrk.<type>.command.<id>
//
// with exactly four dot-separated tokens, none of them empty, "wrk" and "command"
// literal and in lower case. It does not allocate.
func IsCommand(topic string) bool {
	rest, ok := strings.CutPrefix(topic, "wrk.")
	if !ok {
		return false
	}
	kind, rest, ok := strings.Cut(rest, ".")
	if !ok || kind == "" {
		return false
	}
	id, ok := strings.CutPrefix(rest, "command.")
	return ok && id != "" && strings.IndexByte(id, '.') < 0
}

// PartitionTopic returns the topic of one slot, base + ".part." + slot, for a publisher
// that routes by the same rule instead of broadcasting. The slot is written in decimal.
// A slot below zero (a dedicated member has none) has no topic of its own: the
// result is then base itself.
func PartitionTopic(base string, slot int) string {
	if slot < 0 {
		return base
	}
	return base + ".part." + strconv.Itoa(slot)
}

// matches reports whether topic fits pattern, as NATS matches subjects: tokens are
// separated by dots, "*" stands for one token that is not empty, and ">" at the end for
// one or more. Neither ever matches an empty token.
func matches(pattern, topic string) bool {
	for {
		want, restPattern, morePattern := strings.Cut(pattern, ".")
		got, restTopic, moreTopic := strings.Cut(topic, ".")
		switch {
		case got == "":
			return false
		case want == ">":
			return !hasEmptyToken(restTopic, moreTopic)
		case want != "*" && want != got:
			return false
		case !morePattern || !moreTopic:
			return morePattern == moreTopic
		}
		pattern, topic = restPattern, restTopic
	}
}

func hasEmptyToken(rest string, more bool) bool {
	return more && (rest == "" || rest[0] == '.' || rest[len(rest)-1] == '.' || strings.Contains(rest, ".."))
}
