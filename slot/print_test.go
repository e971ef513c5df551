package slot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/slot"
)

func TestVerdictPrints(t *testing.T) {
	for _, test := range []struct {
		verdict slot.Verdict
		want    string
	}{
		{slot.Verdict{Kind: slot.Own, Slot: 1, Sum: 7}, "own slot 1"},
		{slot.Verdict{Kind: slot.Own, Slot: -1}, "own"},
		{slot.Verdict{Kind: slot.Foreign, Slot: 0}, "foreign slot 0"},
		{slot.Verdict{Kind: slot.Malformed, Slot: 2}, "malformed slot 2"},
		{slot.Verdict{Kind: slot.Bypass, Slot: -1}, "bypass"},
		{slot.Verdict{}, "none"},
		{slot.Verdict{Kind: 9, Slot: -1}, "Kind(9)"},
	} {
		if got := fmt.Sprint(test.verdict); got != test.want {
			t.Errorf("%#v prints %q, want %q", test.verdict, got, test.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[slot.Kind]struct {
		text   string
		number uint8
		admit  bool
	}{
		slot.Own:       {"own", 1, true},
		slot.Foreign:   {"foreign", 2, false},
		slot.Bypass:    {"bypass", 3, true},
		slot.Malformed: {"malformed", 4, true},
	} {
		if kind.String() != want.text || uint8(kind) != want.number || (slot.Verdict{Kind: kind}).Admit() != want.admit {
			t.Errorf("%d: %q, admits %t, want %+v", kind, kind, slot.Verdict{Kind: kind}.Admit(), want)
		}
	}
	if !(slot.Verdict{}).Admit() {
		t.Error("the zero Verdict does not admit")
	}
	if got := slot.Kind(0).String() + " " + slot.Kind(5).String() + " " + slot.Kind(255).String(); got != "none Kind(5) Kind(255)" {
		t.Errorf("got %s", got)
	}
}

// What a log of verdicts in JSON says is read back by name.
func TestKindAsText(t *testing.T) {
	for _, kind := range []slot.Kind{0, slot.Own, slot.Foreign, slot.Bypass, slot.Malformed} {
		want := slot.Verdict{Kind: kind, Slot: 2, Sum: 7}
		data, err := json.Marshal(want)
		if text := fmt.Sprintf(`{"Kind":%q,"Slot":2,"Sum":7}`, kind); err != nil || string(data) != text {
			t.Errorf("got %s, %v, want %s", data, err, text)
		}
		var got slot.Verdict
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%s reads back as %+v, %v", data, got, err)
		}
	}
	for _, text := range []string{"", "Own", "own ", "2", "Kind(9)", slot.Kind(9).String()} {
		got := slot.Bypass
		refusal{"kind", fmt.Sprintf("%q", text), "is not own, foreign, bypass, malformed or none", slot.ErrText}.check(t, got.UnmarshalText([]byte(text)))
		if got != slot.Bypass {
			t.Errorf("%q: changed to %v", text, got)
		}
	}
}

// What is printed alone says where it comes from, as in all packages.
func TestErrorsNameThePackage(t *testing.T) {
	for _, err := range []error{slot.ErrGroup, slot.ErrSize, slot.ErrIndex, slot.ErrSlotTwice, slot.ErrIncomplete, slot.ErrText} {
		if !strings.HasPrefix(err.Error(), "slot: ") {
			t.Errorf("%v", err)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := error(&slot.Error{Field: "group_size", Value: "2000", Limit: "is above the limit of 1024", Err: slot.ErrSize})
	if got, want := err.Error(), "slot: group_size 2000 is above the limit of 1024"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogValues(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key != "x" {
				return slog.Attr{}
			}
			return a
		},
	}))
	for _, test := range []struct {
		value slog.LogValuer
		want  string
	}{
		{slot.Member{}, "x=dedicated"},
		{member(t, "pairs", 3, 1), "x.group=pairs x.size=3 x.slots=1"},
		{memberOf(t, "pairs", 360, 0, 1, 2, 7), "x.group=pairs x.size=360 x.slots=0-2,7"},
		{memberOf(t, "pairs", 3), "x.group=pairs x.size=3 x.slots=none"},
		{slot.Verdict{Kind: slot.Own, Slot: 1, Sum: 0xb429da2d}, "x.verdict=own x.slot=1 x.sum=b429da2d"},
		{slot.Verdict{Kind: slot.Foreign, Slot: 0, Sum: 0x0000000f}, "x.verdict=foreign x.slot=0 x.sum=0000000f"},
		{slot.Verdict{Kind: slot.Bypass, Slot: -1}, "x.verdict=bypass x.slot=-1 x.sum=00000000"},
		{slot.Counts{Own: 1, Foreign: 2, Bypass: 3, Malformed: 4}, "x.own=1 x.foreign=2 x.bypass=3 x.malformed=4"},
		{slot.Counts{}, "x.own=0 x.foreign=0 x.bypass=0 x.malformed=0"},
	} {
		out.Reset()
		log.Info("", "x", test.value)
		if got := out.String(); got != test.want+"\n" {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
