package slot_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/slot"
)

// A refusal is what an error must say, and be.
type refusal struct {
	field, value, limit string
	err                 error
}

// check compares an error with what it must be: by its text, by errors.As and by errors.Is, which
// must not take it for another.
func (want refusal) check(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("accepted")
	}
	var got *slot.Error
	if !errors.As(err, &got) {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	if *got != (slot.Error{Field: want.field, Value: want.value, Limit: want.limit, Err: want.err}) {
		t.Errorf("got %+v\nwant %+v", *got, want)
	}
	text := "slot: " + want.field + " " + want.value + " " + want.limit
	if want.value == "" {
		text = "slot: " + want.field + " " + want.limit
	}
	if err.Error() != text {
		t.Errorf("got %s\nwant %s", err, text)
	}
	for _, sentinel := range []error{slot.ErrGroup, slot.ErrSize, slot.ErrIndex, slot.ErrSlotTwice, slot.ErrIncomplete, slot.ErrText} {
		if got, want := errors.Is(err, sentinel), sentinel == want.err; got != want {
			t.Errorf("errors.Is(err, %q) = %t, want %t", sentinel, got, want)
		}
	}
}

const onlyLetters = `; only ASCII letters, digits, "-", "_" and "." may stand in it`

// badNames are names that no group may have, and what to say of each.
var badNames = []struct{ name, value, limit string }{
	{"", `""`, "is empty; a group that has a size has a name of 1 to 64 characters"},
	{" ", `" "`, "has ' ' at byte 0" + onlyLetters},
	{"my pairs", `"my pairs"`, "has ' ' at byte 2" + onlyLetters},
	{"pairs ", `"pairs "`, "has ' ' at byte 5" + onlyLetters},
	{"a/b", `"a/b"`, "has '/' at byte 1" + onlyLetters},
	{"a:b", `"a:b"`, "has ':' at byte 1" + onlyLetters},
	{"a,b", `"a,b"`, "has ',' at byte 1" + onlyLetters},
	{"café", `"café"`, "has 'é' at byte 3" + onlyLetters},
	{"日本", `"日本"`, "has '日' at byte 0" + onlyLetters},
	{"a\x00", `"a\x00"`, `has '\x00' at byte 1` + onlyLetters},
	{"pairs\n", `"pairs\n"`, `has '\n' at byte 5` + onlyLetters},
	{"a\x7f", `"a\x7f"`, `has '\x7f' at byte 1` + onlyLetters},
	{"ａ", `"ａ"`, "has 'ａ' at byte 0" + onlyLetters}, // full width
	{strings.Repeat("a", 65), `"` + strings.Repeat("a", 65) + `"`, "has 65 bytes; the limit is 64"},
	{strings.Repeat("é", 33), `"` + strings.Repeat("é", 33) + `"`, "has 66 bytes; the limit is 64"},
	{strings.Repeat("a", 63) + "é", `"` + strings.Repeat("a", 63) + `é"`, "has 65 bytes; the limit is 64"},
	{strings.Repeat("é", 32), `"` + strings.Repeat("é", 32) + `"`, "has 'é' at byte 0" + onlyLetters},
}

func TestGroupNames(t *testing.T) {
	for _, test := range badNames {
		t.Run(fmt.Sprintf("%.20q", test.name), func(t *testing.T) {
			want := refusal{"group", test.value, test.limit, slot.ErrGroup}
			m, err := slot.New(slot.Config{Group: test.name, Size: 3, Index: 1})
			want.check(t, err)
			if m != (slot.Member{}) {
				t.Errorf("beside the error: %v", m)
			}
			_, err = slot.NewSet(test.name, 3, 1)
			want.check(t, err)
		})
	}
	for _, name := range []string{"a", "Z", "0", "-", "_", ".", "..", "none", "dedicated", "scaling-demo", "A-Z_a.z", nameChars[:64], strings.Repeat("a", 64)} {
		if got := member(t, name, 3, 1).Group(); got != name {
			t.Errorf("got the group %q, want %q", got, name)
		}
	}
}

// Invalid UTF-8 has no character to name; the quoted value shows the byte, and the place is right.
func TestGroupNameOfInvalidUTF8(t *testing.T) {
	for _, name := range []string{"\xff", "a\xff", "ab\xc3", "\xed\xa0\x80"} {
		_, err := slot.New(slot.Config{Group: name, Size: 3})
		if !errors.Is(err, slot.ErrGroup) {
			t.Fatalf("%q: %v", name, err)
		}
		at := strings.IndexFunc(name, func(r rune) bool { return r > 0x7f })
		if text := err.Error(); !strings.Contains(text, fmt.Sprintf("%q", name)) || !strings.Contains(text, fmt.Sprintf("at byte %d;", at)) {
			t.Errorf("%q: %s", name, text)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	const counted = " (indexes count from 0)"
	empty := refusal{"group", `""`, badNames[0].limit, slot.ErrGroup}
	size := func(n int, limit string) refusal {
		return refusal{"group_size", fmt.Sprint(n), limit, slot.ErrSize}
	}
	index := func(n int, limit string) refusal {
		return refusal{"group_index", fmt.Sprint(n), limit, slot.ErrIndex}
	}
	for _, test := range []struct {
		config slot.Config
		want   refusal
	}{
		{slot.Config{Group: "", Size: 3, Index: 0}, empty},
		{slot.Config{Group: "", Size: 0, Index: 1}, empty},
		{slot.Config{Group: "", Size: -1, Index: 0}, empty},
		{slot.Config{Group: "g", Size: 0, Index: 0}, size(0, "is below 1")},
		{slot.Config{Group: "g", Size: 0, Index: 1}, size(0, "is below 1")},
		{slot.Config{Group: "g", Size: -1, Index: 0}, size(-1, "is below 1")},
		{slot.Config{Group: "g", Size: -3, Index: -1}, size(-3, "is below 1")},
		{slot.Config{Group: "g", Size: math.MinInt, Index: 0}, size(math.MinInt, "is below 1")},
		{slot.Config{Group: "g", Size: 1025, Index: 0}, size(1025, "is above the limit of 1024")},
		{slot.Config{Group: "g", Size: 1025, Index: 1024}, size(1025, "is above the limit of 1024")},
		{slot.Config{Group: "g", Size: math.MaxInt, Index: 0}, size(math.MaxInt, "is above the limit of 1024")},
		{slot.Config{Group: "g", Size: 3, Index: -1}, index(-1, "is below 0")},
		{slot.Config{Group: "g", Size: 3, Index: math.MinInt}, index(math.MinInt, "is below 0")},
		{slot.Config{Group: "g", Size: 3, Index: 3}, index(3, "is not below the group's size of 3"+counted)},
		{slot.Config{Group: "g", Size: 3, Index: 4}, index(4, "is not below the group's size of 3"+counted)},
		{slot.Config{Group: "g", Size: 1, Index: 1}, index(1, "is not below the group's size of 1"+counted)},
		{slot.Config{Group: "g", Size: 1024, Index: 1024}, index(1024, "is not below the group's size of 1024"+counted)},
		{slot.Config{Group: "g", Size: 3, Index: math.MaxInt}, index(math.MaxInt, "is not below the group's size of 3"+counted)},
	} {
		t.Run(fmt.Sprint(test.config), func(t *testing.T) {
			m, err := slot.New(test.config)
			test.want.check(t, err)
			if m != (slot.Member{}) {
				t.Errorf("beside the error: %v", m)
			}
		})
	}
}

func TestNewAccepts(t *testing.T) {
	for _, c := range []slot.Config{{Group: "g", Size: 1, Index: 0}, {Group: "g", Size: 3, Index: 2}, {Group: "g", Size: 1024, Index: 0}, {Group: "g", Size: 1024, Index: 1023}} {
		m := member(t, c.Group, c.Size, c.Index)
		if m.Group() != c.Group || m.Size() != c.Size || len(m.Slots()) != 1 || m.Slots()[0] != c.Index || m.Dedicated() {
			t.Errorf("%+v gives %v", c, m)
		}
	}
	if m, err := slot.New(slot.Config{}); err != nil || !m.Dedicated() || m != (slot.Member{}) {
		t.Errorf("the zero Config gives %v, %v", m, err)
	}
}

func TestNewSetRefuses(t *testing.T) {
	const counted = " (indexes count from 0)"
	for _, test := range []struct {
		size  int
		slots []int
		want  refusal
	}{
		{0, nil, refusal{"group_size", "0", "is below 1", slot.ErrSize}},
		{1025, nil, refusal{"group_size", "1025", "is above the limit of 1024", slot.ErrSize}},
		{3, []int{3}, refusal{"slot", "3", "is not below the group's size of 3" + counted, slot.ErrIndex}},
		{3, []int{0, -1}, refusal{"slot", "-1", "is below 0", slot.ErrIndex}},
		{3, []int{0, math.MaxInt}, refusal{"slot", fmt.Sprint(math.MaxInt), "is not below the group's size of 3" + counted, slot.ErrIndex}},
		{3, []int{1, 1}, refusal{"slot", "1", "is given twice", slot.ErrSlotTwice}},
		{3, []int{2, 0, 1, 2}, refusal{"slot", "2", "is given twice", slot.ErrSlotTwice}},
	} {
		t.Run(fmt.Sprint(test.size, test.slots), func(t *testing.T) {
			m, err := slot.NewSet("g", test.size, test.slots...)
			test.want.check(t, err)
			if m != (slot.Member{}) {
				t.Errorf("beside the error: %v", m)
			}
		})
	}
}
