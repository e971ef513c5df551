package routing_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/routing"
)

func TestParseRuleRefuses(t *testing.T) {
	const (
		noKey      = `there is no key rule, such as "subject,id"`
		spaces     = "a space too many: words are separated by one"
		noName     = "an attribute's name is missing"
		twice      = " stands here a second time"
		notName    = " is not the name of a CloudEvents attribute: only a-z and 0-9 may stand in it"
		isData     = `"data" is not an attribute and makes no key`
		notTopic   = ` is not "topic", a separator (one of . / : - _ | or none) and an index`
		emptyToken = " has an empty token"
		beforeEnd  = ` has ">" before its end`
		mixed      = ` has "*" or ">" beside other characters in a token`
		misplaced  = " may not stand here: behind the key come bypass=… and percent, each at most once and in this order"
		hash       = " stands where the hash does, and that is fnv1a32-fmix32"
	)
	for _, test := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, noKey},
		{"fnv1a32-fmix32", 14, noKey},
		{"bypass=x", 0, noKey},
		{"fnv1a32-fmix32 bypass= percent", 15, noKey},
		{" ", 0, spaces},
		{" subject", 0, spaces},
		{"subject ", 8, spaces},
		{"fnv1a32-fmix32 ", 15, spaces},
		{"subject  percent", 8, spaces},
		{"murmur3 subject", 0, `"murmur3"` + hash},
		{"FNV1A32-FMIX32 subject", 0, `"FNV1A32-FMIX32"` + hash},
		{"subject bypass", 0, `"subject"` + hash},
		{"subject,id bypass=a\xff", 19, "the text is not valid UTF-8"},
		{"subject percent percent", 16, `"percent"` + misplaced},
		{"subject bypass=a bypass=b", 17, `"bypass=b"` + misplaced},
		{"subject percent bypass=a", 16, `"bypass=a"` + misplaced},
		{"subject bypass= upper", 16, `"upper"` + misplaced},
		{"fnv1a32-fmix32 subject id", 23, `"id"` + misplaced},
		{"fnv1a32-fmix32 subject percent=1", 23, `"percent=1"` + misplaced},

		{",", 0, noName},
		{"subject,", 8, noName},
		{"subject,,id", 8, noName},
		{"+", 0, noName},
		{"a+", 2, noName},
		{"a++b", 2, noName},
		{"Subject", 0, `"Subject"` + notName},
		{"sub_ject", 3, `"sub_ject"` + notName},
		{"source+sourcé", 12, `"sourcé"` + notName},
		{"\xff", 0, "the text is not valid UTF-8"},
		{"topic]", 5, `"topic]"` + notName},
		{"data", 0, isData},
		{"id+data", 3, isData},
		{"subject,subject", 8, `"subject"` + twice},
		{"a+b,a+b", 4, `"a+b"` + twice},
		{"topic.[1],topic[1]", 10, `"topic[1]"` + twice},
		{"a+a", 2, `"a" is joined with itself`},

		{"topic[2", 7, `"]" is missing`},
		{"topic[1]x", 9, `"]" is missing`},
		{"topic[]", 6, "an index is missing"},
		{"topic[x]", 6, `index "x" is not a decimal number`},
		{"topic[1x]", 7, `index "1x" is not a decimal number`},
		{"topic[-1]", 6, `index "-1" is not a decimal number`},
		{"topic[01]", 6, `index "01" has a leading zero`},
		{"topic[256]", 6, "index 256 is above the limit of 255"},
		{"topic[18446744073709551616]", 6, "index 18446744073709551616 is above the limit of 255"},
		{"id,topic;[1]", 3, `"topic;["` + notTopic},
		{"topic//[1]", 0, `"topic//["` + notTopic},
		{"Topic[1]", 0, `"Topic["` + notTopic},
		{"[1]", 0, `"["` + notTopic},

		{"id bypass=.", 10, `pattern "."` + emptyToken},
		{"id bypass=a..b", 12, `pattern "a..b"` + emptyToken},
		{"id bypass=a,", 12, `pattern ""` + emptyToken},
		{"id bypass=a,,b", 12, `pattern ""` + emptyToken},
		{"id bypass=>.a", 10, `pattern ">.a"` + beforeEnd},
		{"id bypass=a.>.b", 12, `pattern "a.>.b"` + beforeEnd},
		{"id bypass=a*", 10, `pattern "a*"` + mixed},
		{"id bypass=**", 10, `pattern "**"` + mixed},
		{"id bypass=a.b>", 12, `pattern "a.b>"` + mixed},

		{"id\tpercent", 2, `control character '\t'`},
		{"id\x00", 2, `control character '\x00'`},
		{"id bypass=a\n", 11, `control character '\n'`},
		{"id\x7f", 2, `control character '\x7f'`},
		{strings.Repeat("a", 1025), 1024, "the text has 1025 bytes, the limit is 1024"},
		{strings.Repeat("a", 1010), 1010, "its canonical form has 1025 bytes, the limit is 1024"},
	} {
		t.Run(fmt.Sprintf("%.40q", test.text), func(t *testing.T) {
			r, err := routing.ParseRule(test.text)
			if err == nil {
				t.Fatalf("accepted as %q", r)
			}
			if r != (routing.Rule{}) {
				t.Errorf("the rule beside the error is %q, want the zero Rule", r)
			}
			if !errors.Is(err, routing.ErrRule) {
				t.Error("the error is not ErrRule")
			}
			var where *routing.RuleError
			if !errors.As(err, &where) {
				t.Fatalf("the error is a %T", err)
			}
			if got, want := *where, (routing.RuleError{Text: test.text, Offset: test.offset, Reason: test.reason}); got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			shown := strconv.Quote(test.text)
			if len(test.text) > 100 {
				shown = strconv.Quote(test.text[:100]) + "…"
			}
			if got, want := err.Error(), fmt.Sprintf("routing: bad rule %s: at byte %d: %s", shown, test.offset, test.reason); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}
