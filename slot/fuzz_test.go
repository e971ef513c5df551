package slot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// Whatever the text, there is a member that prints canonically, or an *Error.
func FuzzParseMember(f *testing.F) {
	for _, text := range []string{
		"", "dedicated", "pairs:1/3", "pairs:0-2,7/360", "pairs:none/3", "pairs:2,0-1/3", "pairs:1,1/3", "pairs:3/3",
		"a b:1/3", ":0/1", "pairs:01/3", "pairs:0-1023/1024", "pairs:1/1025", "pairs:99999999999999999999/3", "dedicated:0/1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := slot.ParseMember(text)
		if err != nil {
			var fault *slot.Error
			if !errors.As(err, &fault) || fault.Field == "" || fault.Limit == "" || fault.Err == nil || m != (slot.Member{}) {
				t.Fatalf("%q: %v and %v", text, m, err)
			}
			return
		}
		canonical := m.String()
		if again, err := slot.ParseMember(canonical); err != nil || again != m || again.String() != canonical {
			t.Fatalf("%q prints %q, which reads back as %v, %v", text, canonical, again, err)
		}
		if len(canonical) > len(text) {
			t.Errorf("%q prints the longer %q", text, canonical)
		}
		if m.Dedicated() {
			return
		}
		if again, err := slot.NewSet(m.Group(), m.Size(), m.Slots()...); err != nil || again != m {
			t.Errorf("%q: NewSet gives %v, %v", text, again, err)
		}
	})
}

// The reading of a Config is all names or none, exactly spelt, as a naive reader of the same object
// sees it; and names that are nearly so are refused.
func FuzzConfigJSON(f *testing.F) {
	for _, text := range []string{
		`{}`, `null`, `[]`, `{"group":"g","group_size":3,"group_index":0}`, `{"group":"g","group_size":3}`,
		`{"group":"g","group_size":3,"group_index":null}`, `{"Group":"g","GROUP_SIZE":3,"group_index":0}`,
		`{"name":"g","size":3,"index":0}`, `{"groupSize":3}`, `{"size":3,"url":""}`,
		`{"group":"","group_size":0,"group_index":0}`, `{"group":"g","group_size":1e3,"group_index":0}`,
		`{"group":"g","group_size":3,"group_index":0,"group_index":1,"url":{}}`, `{"gr\u006fup":"\ud800"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := slot.Config{Group: "old", Size: 7, Index: 1}
		c := before
		err := json.Unmarshal(text, &c)
		if err != nil && c != before {
			t.Fatalf("%q: %v changed it to %+v", text, err, c)
		}
		if string(bytes.TrimSpace(text)) == "null" {
			if err != nil || c != before {
				t.Fatalf("null gives %+v, %v", c, err)
			}
			return
		}
		var names map[string]json.RawMessage
		if json.Unmarshal(text, &names) != nil {
			if err == nil {
				t.Fatalf("%q is no object, and gives %+v", text, c)
			}
			return
		}
		given, null := 0, false
		for _, name := range []string{"group", "group_size", "group_index"} {
			if value, ok := names[name]; ok {
				given++
				null = null || bytes.Equal(value, []byte("null"))
			}
		}
		near, bare := false, 0 // names that are meant for one of the three
		for name := range names {
			short := strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name)
			for _, meant := range []string{"group", "group_size", "group_index"} {
				near = near || name != meant && strings.EqualFold(short, strings.ReplaceAll(meant, "_", ""))
			}
			if strings.EqualFold(name, "name") || strings.EqualFold(name, "size") || strings.EqualFold(name, "index") {
				bare++
			}
		}
		near = near || given == 0 && bare > 1
		var fault *slot.Error
		switch {
		case near != errors.Is(err, slot.ErrText):
			t.Fatalf("%q: %v, with a name that is nearly one of a Config: %t", text, err, near)
		case near: // and nothing else is looked at
		case err == nil && (null || given != 0 && given != 3):
			t.Fatalf("%q gives %+v", text, c)
		case err == nil && (given == 0) != (c == slot.Config{}):
			t.Fatalf("%q has %d of the names and gives %+v", text, given, c)
		case err != nil && given == 0:
			t.Fatalf("%q has none of the names: %v", text, err)
		case err != nil && !errors.As(err, &fault):
			t.Fatalf("%q: a %T: %v", text, err, err)
		}
		if err != nil {
			return
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again := before
		if err := json.Unmarshal(data, &again); err != nil || again != c {
			t.Fatalf("%+v writes %s, which reads back as %+v, %v", c, data, again, err)
		}
		if m, err := slot.New(c); err == nil && m.Dedicated() != (given == 0) {
			t.Fatalf("%q makes a dedicated member", text)
		}
	})
}

// No event makes a filter fail, exactly one of a full group answers for it, and the verdict is that of the naive rule.
func FuzzDecide(f *testing.F) {
	for _, e := range [][3]string{
		{"", "", ""}, {"ticks", "EUR/USD", "1"}, {"ticks", "", "1"}, {"wrk.feed.command.7", "", ""},
		{"wrk.feed.event.7", "\xff", ""}, {"wrk..command.7", " ", "\x00"}, {"a.b", "😀", "é"},
	} {
		f.Add(e[0], e[1], e[2], uint16(3), "tenant+id,topic[1] bypass=a.>", true)
	}
	f.Fuzz(func(t *testing.T, topic, subject, id string, size uint16, ruleText string, fetched bool) {
		n := 1 + int(size)%64
		e := routing.Event{Topic: topic, Subject: subject, ID: id}
		filters := fullGroup(t, "pairs", n)
		checkOne(t, filters, e)
		for _, filter := range filters {
			if got, want := filter.Decide(e), verdictOf(filter.Member(), e); got != want {
				t.Fatalf("%v on %+v: %+v, want %+v", filter.Member(), e, got, want)
			}
		}
		rule, err := routing.ParseRule(ruleText)
		if err != nil {
			return
		}
		if fetched {
			e.Attributes = map[string]string{"tenant": subject, "source": topic}
		}
		admitted := 0
		for _, filter := range filters {
			if filter.WithRule(rule).Admit(e) {
				admitted++
			}
		}
		if want := map[bool]int{true: n, false: 1}[rule.Command(topic)]; admitted != want {
			t.Fatalf("%+v under %q: %d of %d admit it", e, rule, admitted, n)
		}
	})
}
