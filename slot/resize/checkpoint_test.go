package resize_test

import (
	"testing"

	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
)

// checkpointTest is a test of checkpoint.v1. Those with a plan come through Switch.Checkpoint, all
// others are made of their parts.
type checkpointTest struct {
	vectors.Test
	Member    *string        `json:"member"`
	MemberHex vectors.Bytes  `json:"member_hex"`
	Dealt     int            `json:"dealt"`
	Rule      *string        `json:"rule"`
	RuleHex   vectors.Bytes  `json:"rule_hex"`
	Log       *string        `json:"log"`
	LogHex    vectors.Bytes  `json:"log_hex"`
	Plan      *string        `json:"plan"`
	Group     string         `json:"group"`
	Number    int            `json:"number"`
	Result    string         `json:"result"`
	Text      *string        `json:"text"`
	TextHex   *vectors.Bytes `json:"text_hex"`
	Key       string         `json:"key"`
}

func TestCheckpointVectors(t *testing.T) {
	for _, test := range vectors.Load[checkpointTest](t, "checkpoint.v1", nil) {
		m, err := slot.ParseMember(string(test.MemberHex))
		if err != nil {
			t.Fatal(err)
		}
		rule, err := routing.ParseRule(string(test.RuleHex))
		if err != nil {
			t.Fatal(err)
		}
		c := commit.Checkpoint{Member: m, Dealt: test.Dealt, Rule: rule, Log: string(test.LogHex)}
		if test.Plan != nil {
			s, err := plan(t, *test.Plan).Switch(test.Group, test.Number, rule)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Checkpoint(string(test.LogHex)); got != c {
				t.Errorf("%v: got %+v, want %+v", test, got, c)
			}
		}
		text, err1 := c.Text()
		key, err2 := c.Key()
		if test.Result != "valid" {
			if err1 == nil || err2 == nil {
				t.Errorf("%v: got %q, %q, want errors", test, text, key)
			}
			continue
		}
		if err1 != nil || err2 != nil || text != string(*test.TextHex) || key != test.Key {
			t.Errorf("%v: got %q, %v, %q, %v, want %q, %q", test, text, err1, key, err2, *test.TextHex, test.Key)
		}
	}
}
