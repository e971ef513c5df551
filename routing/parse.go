package routing

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotkey/slotkey/hashpin"
)

// ErrRule is what every error of [ParseRule] is, by [errors.Is].
var ErrRule = errors.New("routing: bad rule")

// A RuleError tells where a rule's text is wrong.
type RuleError struct {
	Text   string // the whole text
	Offset int    // where the fault is, in bytes from 0
	Reason string
}

func (e *RuleError) Error() string {
	text, more := e.Text, ""
	if len(text) > 100 {
		text, more = text[:100], "…"
	}
	return fmt.Sprintf("routing: bad rule %q%s: at byte %d: %s", text, more, e.Offset, e.Reason)
}

// Is makes every RuleError an [ErrRule].
func (e *RuleError) Is(target error) bool { return target == ErrRule }

const noKeyRule = "there is no key rule, such as %q"

// Limits of a rule's text.
const (
	maxRuleText   = 1024 // bytes
	maxTopicIndex = 255  // more tokens than topics have
	// separators of topic tokens beside the dot: MQTT and HTTP paths, Redis keys, and names as people join them.
	separators = "/:-_|"
)

// ParseRule reads the text of a rule:
//
//	[hash] key [bypass=pattern,…] [percent]
//
// with one space between words. Its canonical form, which [Rule.String] returns, has the hash, and leaves out what
// is the default.
//
// The hash is "fnv1a32-fmix32"; there is no other.
//
// The key is a list of alternatives, separated by commas; the first that is present gives
// the routing key. An alternative is one part, or several joined by "+", and is present if all its parts are.
// A part is the name of a CloudEvents attribute (lower-case letters and digits, not
// "data"), or one token of the topic: "topic[2]" is the third of "a.b.c.d". The dot gives way to another separator
// written before the bracket, one of / : - _ | as in "topic/[2]". A joined key is, for each part, its
// length in bytes in decimal, a colon, and its bytes: "source+id" of "/s" and "7" is "2:/s1:7".
//
// The patterns name the topics of commands, instead of the default "wrk.*.command.*": tokens separated by dots, "*" for
// one token, ">" at the end for one or more. "bypass=" alone means that no topic is a command.
//
// With "percent", sources percent-decode the header values of bindings that encode them.
//
// Every error is a [*RuleError] and an [ErrRule]. The empty text is an error.
func ParseRule(text string) (Rule, error) {
	p := &parser{text: text}
	if len(text) > maxRuleText {
		return Rule{}, p.fail(maxRuleText, "the text has %d bytes, the limit is %d", len(text), maxRuleText)
	}
	if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }); i >= 0 {
		return Rule{}, p.fail(i, "control character %q", text[i])
	}
	if !utf8.ValidString(text) {
		return Rule{}, p.fail(strings.IndexRune(text, utf8.RuneError), "the text is not valid UTF-8")
	}
	words := p.words()
	if len(words) > 0 && words[0].text == hashpin.Algorithm {
		words = words[1:]
	} else if len(words) > 1 && !isOption(words[1].text) {
		p.failAt(words[0], "%q stands where the hash does, and that is %s", words[0].text, hashpin.Algorithm)
	}
	switch {
	case len(words) == 0:
		return Rule{}, p.fail(len(text), noKeyRule, DefaultKey)
	case strings.HasPrefix(words[0].text, bypassWord):
		return Rule{}, p.fail(words[0].offset, noKeyRule, DefaultKey)
	}
	f := form{bypass: defaultPattern}
	f.key, f.fetch = p.key(words[0])
	words = words[1:]
	if len(words) > 0 {
		if list, ok := strings.CutPrefix(words[0].text, bypassWord); ok {
			f.bypass = p.bypass(word{list, words[0].offset + len(bypassWord)})
			words = words[1:]
		}
	}
	if len(words) > 0 && words[0].text == percentWord {
		f.percent = true
		words = words[1:]
	}
	if len(words) > 0 {
		p.failAt(words[0], "%q may not stand here: behind the key come bypass=… and percent, each at most once and in this order", words[0].text)
	}
	if n := len(f.String()); n > maxRuleText {
		p.fail(len(text), "its canonical form has %d bytes, the limit is %d", n, maxRuleText)
	}
	if p.err != nil {
		return Rule{}, p.err
	}
	return newRule(f), nil
}

// A word is a piece of the text and where it begins.
type word struct {
	text   string
	offset int
}

func isOption(w string) bool { return w == percentWord || strings.HasPrefix(w, bypassWord) }

// A parser keeps the first fault.
type parser struct {
	text string
	err  error
}

func (p *parser) fail(offset int, format string, args ...any) error {
	if p.err == nil {
		p.err = &RuleError{p.text, offset, fmt.Sprintf(format, args...)}
	}
	return p.err
}

func (p *parser) failAt(w word, format string, args ...any) { p.fail(w.offset, format, args...) }

// split cuts w at every separator; each piece keeps its place in the text.
func (w word) split(separator string) []word {
	var pieces []word
	offset := w.offset
	for piece := range strings.SplitSeq(w.text, separator) {
		pieces = append(pieces, word{piece, offset})
		offset += len(piece) + len(separator)
	}
	return pieces
}

func (p *parser) words() []word {
	if p.text == "" {
		return nil
	}
	words := word{p.text, 0}.split(" ")
	for _, w := range words {
		if w.text == "" {
			p.failAt(w, "a space too many: words are separated by one")
		}
	}
	return words
}

// key checks the key rule and returns its canonical text, and whether it names an attribute beside subject and id.
func (p *parser) key(w word) (key string, fetch bool) {
	alternatives := w.split(",")
	var seen []string
	for i, alternative := range alternatives {
		parts := alternative.split("+")
		var inJoin []string
		for j, part := range parts {
			text, isTopic := p.part(part)
			fetch = fetch || !isTopic && text != "subject" && text != "id"
			if slices.Contains(inJoin, text) {
				p.failAt(part, "%q is joined with itself", text)
			}
			inJoin = append(inJoin, text)
			parts[j].text = text
		}
		alternatives[i].text = strings.Join(inJoin, "+")
		if slices.Contains(seen, alternatives[i].text) {
			p.failAt(alternative, "%q stands here a second time", alternative.text)
		}
		seen = append(seen, alternatives[i].text)
	}
	return strings.Join(seen, ","), fetch
}

// part checks one part of the key rule and returns its canonical text.
func (p *parser) part(w word) (text string, isTopic bool) {
	if i := strings.IndexByte(w.text, '['); i >= 0 {
		return p.topicPart(w, i), true
	}
	if w.text == "" {
		p.failAt(w, "an attribute's name is missing")
	}
	if w.text == "data" {
		p.failAt(w, `"data" is not an attribute and makes no key`)
	}
	for i, c := range []byte(w.text) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			p.fail(w.offset+i, "%q is not the name of a CloudEvents attribute: only a-z and 0-9 may stand in it", w.text)
		}
	}
	return w.text, false
}

// topicPart checks a part such as "topic[2]" or "topic/[2]", whose bracket is at open.
func (p *parser) topicPart(w word, open int) string {
	separator := strings.TrimPrefix(w.text[:open], "topic")
	known := separator == "" || len(separator) == 1 && strings.Contains(separators+".", separator)
	if !strings.HasPrefix(w.text, "topic") || !known {
		p.failAt(w, `%q is not "topic", a separator (one of . %s or none) and an index`, w.text[:open+1], strings.Join(strings.Split(separators, ""), " "))
	}
	digits, closed := strings.CutSuffix(w.text[open+1:], "]")
	if !closed {
		p.fail(w.offset+len(w.text), `"]" is missing`)
	}
	index := 0
	for i, c := range []byte(digits) {
		if c < '0' || c > '9' {
			p.fail(w.offset+open+1+i, "index %q is not a decimal number", digits)
			break
		}
		index = min(index*10+int(c-'0'), maxTopicIndex+1)
	}
	switch {
	case digits == "":
		p.fail(w.offset+open+1, "an index is missing")
	case len(digits) > 1 && digits[0] == '0':
		p.fail(w.offset+open+1, "index %q has a leading zero", digits)
	case index > maxTopicIndex:
		p.fail(w.offset+open+1, "index %s is above the limit of %d", digits, maxTopicIndex)
	}
	return "topic" + strings.TrimPrefix(separator, ".") + "[" + digits + "]"
}

// bypass checks a list of patterns and returns its canonical text: sorted, each once.
func (p *parser) bypass(w word) string {
	if w.text == "" {
		return ""
	}
	var patterns []string
	for _, pattern := range w.split(",") {
		tokens := pattern.split(".")
		for i, token := range tokens {
			switch {
			case token.text == "":
				p.failAt(token, "pattern %q has an empty token", pattern.text)
			case token.text == ">" && i < len(tokens)-1:
				p.failAt(token, `pattern %q has ">" before its end`, pattern.text)
			case len(token.text) > 1 && strings.ContainsAny(token.text, "*>"):
				p.failAt(token, `pattern %q has "*" or ">" beside other characters in a token`, pattern.text)
			}
		}
		patterns = append(patterns, pattern.text)
	}
	slices.Sort(patterns)
	return strings.Join(slices.Compact(patterns), ",")
}
