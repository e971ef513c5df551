package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// What explain says is what a member does: whatever the input, its slot and hash are those of the
// filter, its key has that hash and comes from the rule, and the line with the caret has its place.
func FuzzExplain(f *testing.F) {
	for _, text := range []string{
		`{"id":"7"}`, `{"id":7}`, `{"id":"7","subject":"a`, "[{\"id\":\"1\"},{}", "oops", "HTTP/1.1 200 OK\r\nce-specversion: 1.0\r\nce-id: a%20b\r\n\r\n{}",
		"ce_specversion=1.0\nce_id=1\n", "specversion: 1.0\nid: 7\n", "HTTP/1.1 200 OK\nContent-Type: application/cloudevents-batch+json\n\n[{\"id\":\"1\"}]",
	} {
		for _, rule := range []string{"subject,id", "partitionkey,source+id,subject percent"} {
			f.Add(text, rule, "orders")
		}
	}
	f.Fuzz(func(t *testing.T, text, ruleText, topic string) {
		rule, err := routing.ParseRule(ruleText)
		if err != nil {
			return
		}
		l, err := layout(12, 5)
		if err != nil {
			t.Fatal(err)
		}
		j := judge{size: l.Size(), layout: l, rule: ruleFlag{rule}}
		filters := make([]*slot.Filter, l.Members())
		for i := range filters {
			m, err := l.Member("pairs", i)
			if err != nil {
				t.Fatal(err)
			}
			filters[i] = slot.NewFilter(m).WithRule(rule)
		}
		var out bytes.Buffer
		a := &app{out: &show.Out{Writer: &out, Width: 80}}
		err = input.Options{Topic: topic}.Literal("event", text, func(e input.Event) error {
			x := j.explain(e)
			check(t, x, rule, filters, e.Message)
			out.Reset()
			a.printExplanation(x, j)
			if !strings.Contains(out.String(), "verdict") {
				t.Errorf("printed %q", &out)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func check(t *testing.T, x explanation, rule routing.Rule, filters []*slot.Filter, m cloudevent.Message) {
	for i, filter := range filters {
		v := cloudevent.DecideMessage(filter, m)
		switch {
		case x.Command != (v.Kind == slot.Bypass):
			t.Errorf("command: %t, and the verdict is %v", x.Command, v)
		case x.Command:
		case *x.Slot != v.Slot || (*x.Owner == i) != v.Admit() || x.HasKey == (v.Kind == slot.Malformed) && v.Kind != slot.Foreign:
			t.Errorf("%+v, and the verdict of member %d is %v", x, i, v)
		}
	}
	if x.HasKey && (word(hashpin.Sum32String(x.key)) != x.Hash || !strings.Contains(","+rule.KeyRule()+",", ","+x.KeyFrom+",") || x.KeyFrom == "") {
		t.Errorf("the key %q from %q under %q has the hash %s", x.key, x.KeyFrom, rule.KeyRule(), x.Hash)
	}
	if x.Fault != nil && x.HasKey {
		t.Errorf("a fault, %+v, and a key, %q", x.Fault, x.key)
	}
	if x.Fault != nil && x.Fault.Offset != nil && (*x.Fault.Offset < 0 || *x.Fault.Offset > len(x.whole)) {
		t.Errorf("offset %d of %d", *x.Fault.Offset, len(x.whole))
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		text   string
		offset int
		want   string
		caret  int
	}{
		{"abc", 1, "abc", 1},
		{"abc", 3, "abc", 3},
		{"abc", 9, "abc", 3},
		{"", 0, "", 0},
		{"one\ntwo\nthree", 5, "two", 1},
		{"日本 x", 7, "日本 x", 5},
		{"a\tb\x00\xffc", 2, "a.b..c", 2},
		{long, 0, long[:29] + "…", 0},
		{long, 100, "…" + long[:19], 20},
		{long, 50, "…" + long[:28] + "…", 20},
	} {
		line, caret := excerpt([]byte(test.text), test.offset, 30)
		if line != test.want || caret != test.caret || !utf8.ValidString(line) {
			t.Errorf("excerpt(%q, %d) = %q, %d, want %q, %d", test.text, test.offset, line, caret, test.want, test.caret)
		}
	}
}
