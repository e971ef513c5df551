package slot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot"
)

func TestMemberText(t *testing.T) {
	for _, test := range []struct {
		text      string
		size      int
		slots     []int
		canonical string // where it differs
	}{
		{"pairs:1/3", 3, []int{1}, ""},
		{"pairs:0/1", 1, []int{0}, ""},
		{"pairs:1023/1024", 1024, []int{1023}, ""},
		{"pairs:none/3", 3, nil, ""},
		{"pairs:0-2/3", 3, []int{0, 1, 2}, ""},
		{"pairs:0-2,7/360", 360, []int{0, 1, 2, 7}, ""},
		{"pairs:0,2/3", 3, []int{0, 2}, ""},
		{"pairs:0-1,3-4,6/8", 8, []int{0, 1, 3, 4, 6}, ""},
		{"pairs:6-7/8", 8, []int{6, 7}, ""}, // to the end
		{"pairs:7-8/9", 9, []int{7, 8}, ""}, // over the edge of a byte
		{"pairs:0,1/3", 3, []int{0, 1}, "pairs:0-1/3"},
		{"pairs:7,0-2/360", 360, []int{0, 1, 2, 7}, "pairs:0-2,7/360"},
		{"pairs:2,1,0/3", 3, []int{0, 1, 2}, "pairs:0-2/3"},
		{"none:none/1", 1, nil, ""},
		{"dedicated:0/1", 1, []int{0}, ""}, // a group of that name
	} {
		group, _, _ := strings.Cut(test.text, ":")
		want := memberOf(t, group, test.size, test.slots...)
		got, err := slot.ParseMember(test.text)
		if err != nil || got != want {
			t.Errorf("ParseMember(%q) = %v, %v, want %v", test.text, got, err, want)
		}
		canonical := test.canonical
		if canonical == "" {
			canonical = test.text
		}
		if got := want.String(); got != canonical {
			t.Errorf("String() = %q, want %q", got, canonical)
		}
	}
	if m, err := slot.ParseMember("dedicated"); err != nil || m != (slot.Member{}) || m.String() != "dedicated" {
		t.Errorf("dedicated: %v, %v", m, err)
	}
}

func TestParseMemberRefuses(t *testing.T) {
	const (
		form    = `is neither "dedicated" nor of the form group:slots/size, such as pairs:1/3`
		counted = " (indexes count from 0)"
	)
	bad := func(text, limit string) refusal { return refusal{"member", strconv.Quote(text), limit, slot.ErrText} }
	size := func(text, size string) refusal {
		return bad(text, "has the size "+strconv.Quote(size)+", which is not a plain decimal number")
	}
	item := func(text, item string) refusal {
		return bad(text, "has "+strconv.Quote(item)+" where a slot such as 7 or a rising range such as 0-2 should stand")
	}
	for _, test := range []struct {
		text string
		want refusal
	}{
		{"", bad("", form)},
		{"Dedicated", bad("Dedicated", form)},
		{"dedicated ", bad("dedicated ", form)},
		{"pairs", bad("pairs", form)},
		{"pairs:1", bad("pairs:1", form)},
		{"pairs/3", bad("pairs/3", form)},
		{"1/3", bad("1/3", form)},
		{"pairs:1/", size("pairs:1/", "")},
		{"pairs:1/03", size("pairs:1/03", "03")},
		{"pairs:1/+3", size("pairs:1/+3", "+3")},
		{"pairs:1/-3", size("pairs:1/-3", "-3")},
		{"pairs:1/3 ", size("pairs:1/3 ", "3 ")},
		{"pairs:1/3\n", size("pairs:1/3\n", "3\n")},
		{"pairs:1/3.0", size("pairs:1/3.0", "3.0")},
		{"pairs:1/3/3", size("pairs:1/3/3", "3/3")},
		{"pairs:1/three", size("pairs:1/three", "three")},
		{"pairs:/3", item("pairs:/3", "")},
		{"pairs:1,/3", item("pairs:1,/3", "")},
		{"pairs:,1/3", item("pairs:,1/3", "")},
		{"pairs:01/3", item("pairs:01/3", "01")},
		{"pairs:+1/3", item("pairs:+1/3", "+1")},
		{"pairs:-1/3", item("pairs:-1/3", "-1")},
		{"pairs: 1/3", item("pairs: 1/3", " 1")},
		{"pairs:1, 2/3", item("pairs:1, 2/3", " 2")},
		{"pairs:0x1/3", item("pairs:0x1/3", "0x1")},
		{"pairs:１/3", item("pairs:１/3", "１")}, // full width
		{"pairs:2-0/3", item("pairs:2-0/3", "2-0")},
		{"pairs:1-1/3", item("pairs:1-1/3", "1-1")},
		{"pairs:0-/3", item("pairs:0-/3", "0-")},
		{"pairs:0-1-2/3", item("pairs:0-1-2/3", "0-1-2")},
		{"pairs:0-02/3", item("pairs:0-02/3", "0-02")},
		{"pairs:none,1/3", item("pairs:none,1/3", "none")},
		{"pairs:None/3", item("pairs:None/3", "None")},
		{"pairs:all/3", item("pairs:all/3", "all")},
		{"pairs:1:2/3", item("pairs:1:2/3", "1:2")},
		{":1/3", refusal{"group", `""`, badNames[0].limit, slot.ErrGroup}},
		{"my pairs:1/3", refusal{"group", `"my pairs"`, "has ' ' at byte 2" + onlyLetters, slot.ErrGroup}},
		{"pairs:1/0", refusal{"group_size", "0", "is below 1", slot.ErrSize}},
		{"pairs:none/1025", refusal{"group_size", "1025", "is above the limit of 1024", slot.ErrSize}},
		{"pairs:1/99999999999999999999", refusal{"group_size", "99999999999999999999", "is above the limit of 1024", slot.ErrSize}},
		{"pairs:99999999999999999999/3", refusal{"slot", "99999999999999999999", "is not below the group's size of 3" + counted, slot.ErrIndex}},
		{"pa\xffrs:1/3", refusal{"group", `"pa\xffrs"`, "has 0xff at byte 2" + onlyLetters, slot.ErrGroup}},
		{"pairs:3/3", refusal{"slot", "3", "is not below the group's size of 3" + counted, slot.ErrIndex}},
		{"pairs:0-3/3", refusal{"slot", "3", "is not below the group's size of 3" + counted, slot.ErrIndex}},
		{"pairs:1,1/3", refusal{"slot", "1", "is given twice", slot.ErrSlotTwice}},
		{"pairs:0-2,1/3", refusal{"slot", "1", "is given twice", slot.ErrSlotTwice}},
	} {
		t.Run(test.text, func(t *testing.T) {
			m, err := slot.ParseMember(test.text)
			test.want.check(t, err)
			if m != (slot.Member{}) {
				t.Errorf("beside the error: %v", m)
			}
			before := memberOf(t, "old", 3, 1)
			m = before
			test.want.check(t, m.UnmarshalText([]byte(test.text)))
			if m != before {
				t.Errorf("UnmarshalText changed the member to %v", m)
			}
		})
	}
}

// Hostile texts are refused without being spelt out first.
func TestParseMemberOfHugeNumbers(t *testing.T) {
	huge := strings.Repeat("9", 40)
	for _, text := range []string{
		"g:0/" + huge, "g:" + huge + "/3", "g:0-" + huge + "/3", "g:" + huge + "-" + huge + "0/3",
		"g:0-1023" + strings.Repeat(",0-1023", 1e5) + "/1024",
	} {
		if m, err := slot.ParseMember(text); err == nil {
			t.Errorf("%.60q gives %v", text, m)
		}
	}
}

// Text and member stand for each other, and members are equal if and only if their texts are.
func TestTextStandsForMember(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyMember().Draw(t, "a"), anyMember().Draw(t, "b")
		if got, err := slot.ParseMember(a.String()); err != nil || got != a {
			t.Fatalf("%q reads back as %v, %v", a, got, err)
		}
		if (a == b) != (a.String() == b.String()) {
			t.Fatalf("%v == %v is %t", a, b, a == b)
		}
		if a.Dedicated() {
			return
		}
		items := make([]string, len(a.Slots()))
		for i, s := range a.Slots() {
			items[i] = strconv.Itoa(s)
		}
		if len(items) == 0 {
			items = []string{"none"}
		}
		items = rapid.Permutation(items).Draw(t, "order")
		spelt := fmt.Sprintf("%s:%s/%d", a.Group(), strings.Join(items, ","), a.Size())
		if got, err := slot.ParseMember(spelt); err != nil || got != a {
			t.Fatalf("%q gives %v, %v, want %v", spelt, got, err, a)
		}
	})
}

func TestMemberInJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOf(anyMember()).Draw(t, "members")
		data, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		var got []slot.Member
		if err := json.Unmarshal(data, &got); err != nil || !slices.Equal(got, members) {
			t.Fatalf("%s reads back as %v, %v", data, got, err)
		}
	})
}
