package slot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// errorClasses are the classes of errors that the vectors name.
var errorClasses = map[string]error{
	"group":      slot.ErrGroup,
	"size":       slot.ErrSize,
	"index":      slot.ErrIndex,
	"twice":      slot.ErrSlotTwice,
	"incomplete": slot.ErrIncomplete,
	"text":       slot.ErrText,
}

// checkRefused compares the class of an error.
func checkRefused(t *testing.T, test fmt.Stringer, err error, class string) {
	t.Helper()
	var typed *slot.Error
	if want := errorClasses[class]; want == nil || !errors.Is(err, want) || !errors.As(err, &typed) {
		t.Errorf("%v: got the error %v, want the class %q", test, err, class)
	}
}

type groupTest struct {
	vectors.Test
	Group    *string        `json:"group"`
	GroupHex *vectors.Bytes `json:"group_hex"`
	Size     *int64         `json:"size"`
	Index    *int64         `json:"index"`
	Result   string         `json:"result"`
	Error    string         `json:"error"`
	Text     *string        `json:"text"`
	TextHex  *vectors.Bytes `json:"text_hex"`
}

// configure reads the configuration from JSON, the form in which a value can be missing.
func (test groupTest) configure() (slot.Member, error) {
	fields := map[string]any{}
	if test.GroupHex != nil {
		fields["group"] = string(*test.GroupHex)
	}
	if test.Size != nil {
		fields["group_size"] = *test.Size
	}
	if test.Index != nil {
		fields["group_index"] = *test.Index
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return slot.Member{}, err
	}
	var config slot.Config
	if err := json.Unmarshal(data, &config); err != nil {
		return slot.Member{}, err
	}
	return slot.New(config)
}

func TestGroupVectors(t *testing.T) {
	for _, test := range vectors.Load[groupTest](t, "group.v1", nil) {
		member, err := test.configure()
		checkGroup(t, test, member, err)
		complete := test.GroupHex != nil && test.Size != nil && test.Index != nil
		if complete && int64(int(*test.Size)) == *test.Size && int64(int(*test.Index)) == *test.Index {
			// The name's bytes as they are: JSON would have replaced those that are no UTF-8.
			group, size, index := string(*test.GroupHex), int(*test.Size), int(*test.Index)
			member, err = slot.New(slot.Config{Group: group, Size: size, Index: index})
			checkGroup(t, test, member, err)
			member, err = slot.NewSet(group, size, index)
			checkGroup(t, test, member, err)
		}
	}
}

func checkGroup(t *testing.T, test groupTest, member slot.Member, err error) {
	t.Helper()
	switch {
	case test.Result == "invalid":
		checkRefused(t, test, err, test.Error)
	case err != nil || member.String() != test.TextHex.Or():
		t.Errorf("%v: got %v, %v, want %s", test, member, err, test.TextHex.Or())
	}
}

type memberTest struct {
	vectors.Test
	Text         *string        `json:"text"`
	TextHex      vectors.Bytes  `json:"text_hex"`
	Result       string         `json:"result"`
	Error        string         `json:"error"`
	Canonical    *string        `json:"canonical"`
	CanonicalHex *vectors.Bytes `json:"canonical_hex"`
	Group        *string        `json:"group"`
	GroupHex     *vectors.Bytes `json:"group_hex"`
	Size         int            `json:"size"`
	Slots        []int          `json:"slots"`
}

func TestMemberVectors(t *testing.T) {
	for _, test := range vectors.Load[memberTest](t, "member.v1", nil) {
		text := string(test.TextHex)
		member, err := slot.ParseMember(text)
		if test.Result == "invalid" {
			checkRefused(t, test, err, test.Error)
			continue
		}
		if err != nil || member.String() != test.CanonicalHex.Or() {
			t.Errorf("%v: ParseMember(%q) = %v, %v, want %s", test, text, member, err, test.CanonicalHex.Or())
			continue
		}
		if member.Group() != test.GroupHex.Or() || member.Size() != test.Size || !slices.Equal(member.Slots(), test.Slots) {
			t.Errorf("%v: ParseMember(%q) is %q %d %v, want %q %d %v", test, text,
				member.Group(), member.Size(), member.Slots(), test.GroupHex.Or(), test.Size, test.Slots)
		}
		if again, err := slot.ParseMember(member.String()); err != nil || again != member {
			t.Errorf("%v: the canonical text %q is read as %v, %v", test, member, again, err)
		}
		if member.Dedicated() {
			continue
		}
		if built, err := slot.NewSet(test.GroupHex.Or(), test.Size, test.Slots...); err != nil || built != member {
			t.Errorf("%v: NewSet = %v, %v, want %v", test, built, err, member)
		}
	}
}

type verdictTest struct {
	vectors.Test
	Member    *string        `json:"member"`
	MemberHex vectors.Bytes  `json:"member_hex"`
	Group     *string        `json:"group"`
	GroupHex  *vectors.Bytes `json:"group_hex"`
	Size      int            `json:"size"`
	Slots     []int          `json:"slots"`
	Rule      *string        `json:"rule"`
	RuleHex   *vectors.Bytes `json:"rule_hex"`
	Event     struct {
		Topic      *string        `json:"topic"`
		TopicHex   *vectors.Bytes `json:"topic_hex"`
		Subject    *string        `json:"subject"`
		SubjectHex *vectors.Bytes `json:"subject_hex"`
		ID         *string        `json:"id"`
		IDHex      *vectors.Bytes `json:"id_hex"`
	} `json:"event"`
	Verdict string `json:"verdict"`
	Slot    *int   `json:"slot"`
	Hash    string `json:"hash"`
	Admit   bool   `json:"admit"`
}

func TestVerdictVectors(t *testing.T) {
	for _, test := range vectors.Load[verdictTest](t, "verdict.v1", nil) {
		member, err := slot.ParseMember(string(test.MemberHex))
		if err != nil || member.Size() != test.Size || !slices.Equal(member.Slots(), test.Slots) || member.Group() != test.GroupHex.Or() {
			t.Fatalf("%v: member %v, %v", test, member, err)
		}
		filter := slot.NewFilter(member)
		if test.RuleHex != nil {
			rule, err := routing.ParseRule(string(*test.RuleHex))
			if err != nil {
				t.Fatalf("%v: %v", test, err)
			}
			filter = filter.WithRule(rule)
		}
		event := routing.Event{Topic: test.Event.TopicHex.Or(), Subject: test.Event.SubjectHex.Or(), ID: test.Event.IDHex.Or()}
		verdict := filter.Decide(event)
		wantSlot, wantSum := -1, "00000000"
		if test.Slot != nil {
			wantSlot = *test.Slot
		}
		if test.Hash != "" {
			wantSum = test.Hash
		}
		sum := fmt.Sprintf("%08x", verdict.Sum)
		if verdict.Kind.String() != test.Verdict || verdict.Slot != wantSlot || sum != wantSum || verdict.Admit() != test.Admit {
			t.Errorf("%v: %v on %q: got %v %s, want %s slot %d %s", test, member, event, verdict, sum, test.Verdict, wantSlot, wantSum)
		}
		if got := filter.Judge(filter.Rule().Route(event)); got != verdict {
			t.Errorf("%v: Judge = %v, and Decide has %v", test, got, verdict)
		}
		if got := filter.Admit(event); got != test.Admit {
			t.Errorf("%v: Admit = %t, want %t", test, got, test.Admit)
		}
		if key, ok := filter.Rule().Key(event); ok && test.Verdict != "bypass" && member.Owns(key) != (test.Verdict == "own") {
			t.Errorf("%v: Owns(%q) = %t, and the verdict is %v", test, key, member.Owns(key), verdict)
		}
	}
}
