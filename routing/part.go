package routing

import (
	"strconv"
	"strings"
)

// choose returns the first alternative of the key rule whose parts are all present in e.
func (f form) choose(e *Event) (alternative string, ok bool) {
	if f.fetch && e.Attributes == nil {
		return "", false
	}
	for rest, more := f.key, true; more; {
		alternative, rest, more = strings.Cut(rest, ",")
		if present(alternative, e) {
			return alternative, true
		}
	}
	return "", false
}

func present(alternative string, e *Event) bool {
	for rest, more := alternative, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "+")
		if partValue(part, e) == "" {
			return false
		}
	}
	return true
}

func joined(alternative string) bool { return strings.IndexByte(alternative, '+') >= 0 }

// appendJoined appends one part of a joined key: its length in bytes, a colon, its bytes. Because
// every part says where it ends, no two different tuples give the same key.
func appendJoined(b []byte, value string) []byte { return append(appendLength(b, value), value...) }

func appendLength(b []byte, value string) []byte {
	return append(strconv.AppendInt(b, int64(len(value)), 10), ':')
}

// partValue returns the value of one part of a key rule, empty where it is absent.
func partValue(part string, e *Event) string {
	if !isTopicPart(part) {
		return e.get(part)
	}
	separator, index := splitTopicPart(part)
	topic := e.Topic
	for ; index > 0; index-- {
		i := strings.IndexByte(topic, separator)
		if i < 0 {
			return ""
		}
		topic = topic[i+1:]
	}
	if i := strings.IndexByte(topic, separator); i >= 0 {
		topic = topic[:i]
	}
	return topic
}

// isTopicPart tells a part such as "topic[2]" or "topic/[2]" from an attribute's name, which has no bracket.
func isTopicPart(part string) bool { return strings.HasSuffix(part, "]") }

// splitTopicPart reads a part that ParseRule has accepted.
func splitTopicPart(part string) (separator byte, index int) {
	separator, digits := '.', part[len("topic"):len(part)-1]
	if digits[0] != '[' {
		separator, digits = digits[0], digits[1:]
	}
	for _, d := range []byte(digits[1:]) {
		index = index*10 + int(d-'0')
	}
	return separator, index
}
