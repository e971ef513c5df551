package routing_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
)

func TestZeroRuleIsTheDefault(t *testing.T) {
	const text = "fnv1a32-fmix32 subject,id"
	var zero routing.Rule
	if got := zero.String(); got != text {
		t.Errorf("String() = %q, want %q", got, text)
	}
	if got := zero.KeyRule(); got != routing.DefaultKey {
		t.Errorf("KeyRule() = %q, want %q", got, routing.DefaultKey)
	}
	for _, spelling := range []string{text, "subject,id", "subject,id bypass=wrk.*.command.*", "subject,id bypass=wrk.*.command.*,wrk.*.command.*"} {
		if got := parse(t, spelling); got != zero {
			t.Errorf("ParseRule(%q) = %v, want the zero Rule", spelling, got)
		}
	}
	for _, other := range []string{"id,subject", "subject", "id", "subject+id", "subject,id percent", "subject,id bypass=", "subject,id bypass=wrk.*.command.>"} {
		if got := parse(t, other); got == zero {
			t.Errorf("ParseRule(%q) is the zero Rule", other)
		}
	}
}

func TestCanonicalText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"id", "fnv1a32-fmix32 id"},
		{"percent", "fnv1a32-fmix32 percent"}, // an attribute of that name
		{"percent percent", "fnv1a32-fmix32 percent percent"},
		{"topic,topic[0]", "fnv1a32-fmix32 topic,topic[0]"},
		{"topic.[2]", "fnv1a32-fmix32 topic[2]"},
		{"topic/[2],topic:[0]+topic-[1]+topic_[3]+topic|[255]", "fnv1a32-fmix32 topic/[2],topic:[0]+topic-[1]+topic_[3]+topic|[255]"},
		{"id bypass=b.>,a,b.>", "fnv1a32-fmix32 id bypass=a,b.>"},
		{"id bypass=wrk.*.command.*,a", "fnv1a32-fmix32 id bypass=a,wrk.*.command.*"},
		{"id bypass=> percent", "fnv1a32-fmix32 id bypass=> percent"},
		{"id bypass= percent", "fnv1a32-fmix32 id bypass= percent"},
		{"source+id,subject bypass=ctl/x.é.*", "fnv1a32-fmix32 source+id,subject bypass=ctl/x.é.*"},
		{"source+id,id+source", "fnv1a32-fmix32 source+id,id+source"},
	} {
		if got := parse(t, test.text).String(); got != test.want {
			t.Errorf("ParseRule(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// Texts and rules stand for each other: what is printed is canonical and reads back as the same
// rule, and rules are equal if and only if their texts are.
func TestTextStandsForRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := spec().Draw(t, "a"), spec().Draw(t, "b")
		ra, rb := parse(t, a.text()), parse(t, b.text())
		if got, want := ra.String(), a.canonical(); got != want {
			t.Fatalf("ParseRule(%q) prints %q, want %q", a.text(), got, want)
		}
		if again := parse(t, ra.String()); again != ra || again.String() != ra.String() {
			t.Fatalf("%q reads back as %q", ra, again)
		}
		if short := parse(t, strings.TrimPrefix(a.text(), "fnv1a32-fmix32 ")); short != ra {
			t.Fatalf("without the hash: %q, want %q", short, ra)
		}
		if (ra == rb) != (ra.String() == rb.String()) {
			t.Fatalf("%q == %q is %t", ra, rb, ra == rb)
		}
		if got := ra.KeyRule(); got != a.key() {
			t.Fatalf("KeyRule() = %q, want %q", got, a.key())
		}
		if got := ra.Percent(); got != a.percent {
			t.Fatalf("Percent() = %t, want %t", got, a.percent)
		}
	})
}

// What the parser accepts it prints within its own limits: a text can grow by the hash's name.
func TestLongestText(t *testing.T) {
	const limit = 1024
	const hash = "fnv1a32-fmix32 "
	longest := strings.Repeat("a", limit-len(hash))
	r := parse(t, longest)
	if got := r.String(); len(got) != limit {
		t.Errorf("the canonical text has %d bytes, want %d", len(got), limit)
	}
	if again := parse(t, r.String()); again != r {
		t.Error("the longest rule does not read back")
	}
	for _, text := range []string{longest + "a", hash + longest + "a", strings.Repeat("a", 1<<20)} {
		if r, err := routing.ParseRule(text); err == nil {
			t.Errorf("a text of %d bytes is accepted, as one of %d", len(text), len(r.String()))
		}
	}
}

func TestRuleInJSON(t *testing.T) {
	type config struct {
		Rule  routing.Rule
		ByKey map[routing.Rule]int
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rule().Draw(t, "rule")
		want := config{r, map[routing.Rule]int{r: 1}}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got config
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if got.Rule != r || len(got.ByKey) != 1 || got.ByKey[r] != 1 {
			t.Fatalf("%s reads back as %v", data, got)
		}
	})
}

func TestUnmarshalTextKeepsRuleOnError(t *testing.T) {
	want := parse(t, "source+id percent")
	r := want
	if err := r.UnmarshalText([]byte("source+data")); err == nil {
		t.Fatal("no error")
	}
	if r != want {
		t.Errorf("got %v, want %v", r, want)
	}
	if err := r.UnmarshalText([]byte("id")); err != nil || r != parse(t, "id") {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestAttributes(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"subject,id", []string{"subject", "id"}},
		{"id", []string{"id"}},
		{"partitionkey,subject,id", []string{"partitionkey", "subject", "id"}},
		{"tenant+subject,tenant+id,id", []string{"tenant", "subject", "id"}},
		{"topic[2]", nil},
		{"topic/[0]+source,topic", []string{"source", "topic"}},
	} {
		r := parse(t, test.text)
		if diff := cmp.Diff(test.want, r.Attributes()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
		if got := r.Attributes(); len(got) > 0 {
			got[0] = "changed"
			if slices.Contains(r.Attributes(), "changed") {
				t.Errorf("%s: the slice is not the caller's", test.text)
			}
		}
	}
}

// Printing has one form, whatever the verb.
func TestRulePrints(t *testing.T) {
	r := parse(t, "source+id")
	if got, want := fmt.Sprintf("%v|%s|%v", r, r, []routing.Rule{r}), "fnv1a32-fmix32 source+id|fnv1a32-fmix32 source+id|[fnv1a32-fmix32 source+id]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
