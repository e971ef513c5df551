package commit_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
)

func member(tb testing.TB, text string) slot.Member {
	tb.Helper()
	m, err := slot.ParseMember(text)
	must(tb, err)
	return m
}

func TestCheckpointKey(t *testing.T) {
	sourceAndID, err := routing.ParseRule("source+id")
	must(t, err)
	for _, test := range []struct {
		checkpoint commit.Checkpoint
		text, key  string
	}{
		{commit.Checkpoint{Member: member(t, "pairs:1/3"), Log: "orders"}, "pairs:1/3 | 3 | fnv1a32-fmix32 subject,id | orders", "pairs-1of3-3f4fd2b8b503bfb634a243b8c5f0f0df"},
		{commit.Checkpoint{Member: member(t, "pairs:30-35,90/360"), Dealt: 12, Log: "orders/0"}, "pairs:30-35,90/360 | 360/12 | fnv1a32-fmix32 subject,id | orders/0", "pairs-30of360-928eef6db7fb790372b600358e103b38"},
		{commit.Checkpoint{Member: member(t, "eu.pairs_2:0/1"), Rule: sourceAndID, Log: "a | b"}, "eu.pairs_2:0/1 | 1 | fnv1a32-fmix32 source+id | a | b", "eu_pairs_2-0of1-325193f0e468754f8c793c3e477ac9f0"},
	} {
		text, err := test.checkpoint.Text()
		must(t, err)
		key, err := test.checkpoint.Key()
		must(t, err)
		if text != test.text || key != test.key {
			t.Errorf("got %q, %q, want %q, %q", text, key, test.text, test.key)
		}
	}
}

func TestCheckpointErrors(t *testing.T) {
	for _, test := range []struct {
		checkpoint commit.Checkpoint
		want       string
	}{
		{commit.Checkpoint{Log: "orders"}, "commit: member is dedicated: nothing tells its checkpoint from that of another dedicated member"},
		{commit.Checkpoint{Member: member(t, "pairs:none/3"), Log: "orders"}, "commit: member pairs:none/3 holds no slots: nothing tells its checkpoint from that of another such member"},
		{commit.Checkpoint{Member: member(t, "pairs:1/3")}, "commit: log has no name"},
		{commit.Checkpoint{Member: member(t, "pairs:1/3"), Dealt: 4, Log: "orders"}, "commit: dealt 4 is not a number of members from 1 to the size, 3, nor 0 for slots that are not dealt"},
		{commit.Checkpoint{Member: member(t, "pairs:1/3"), Dealt: -1, Log: "orders"}, "commit: dealt -1 is not a number of members from 1 to the size, 3, nor 0 for slots that are not dealt"},
	} {
		key, err := test.checkpoint.Key()
		var typed *commit.Error
		if key != "" || !errors.As(err, &typed) || !errors.Is(err, commit.ErrCheckpoint) || err.Error() != test.want {
			t.Errorf("got %q, %v, want %s", key, err, test.want)
		}
	}
}

// Two checkpoints have one key if and only if they are equal, however their parts are chosen; and
// the key fits everywhere.
func TestCheckpointKeysAreUnambiguous(t *testing.T) {
	safe := regexp.MustCompile(`^[A-Za-z0-9_-]{1,108}$`)
	rules := []string{"subject,id", "id", "subject,id percent", "subject,id bypass=|", "subject,id bypass=a.*,b.>"}
	draw := rapid.Custom(func(t *rapid.T) commit.Checkpoint {
		size := rapid.IntRange(1, 5).Draw(t, "size")
		slots := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 1, size, rapid.ID).Draw(t, "slots")
		m, err := slot.NewSet(rapid.SampledFrom([]string{"a", "a.b", "a_b", "a-0of1", strings.Repeat("x.", 32)}).Draw(t, "group"), size, slots...)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := routing.ParseRule(rapid.SampledFrom(rules).Draw(t, "rule"))
		if err != nil {
			t.Fatal(err)
		}
		log := rapid.OneOf(rapid.SampledFrom([]string{"orders", "a | b", "subject,id | orders", "| ", "é\n"}), rapid.StringN(1, 9, -1)).Draw(t, "log")
		return commit.Checkpoint{Member: m, Dealt: rapid.IntRange(0, size).Draw(t, "dealt"), Rule: rule, Log: log}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if rapid.Bool().Draw(t, "alike") { // equal but for one part, most often
			b = a
			switch rapid.IntRange(0, 4).Draw(t, "part") {
			case 0:
				b.Log = draw.Draw(t, "other").Log
			case 1:
				b.Rule = draw.Draw(t, "other").Rule
			case 2:
				b.Dealt = rapid.IntRange(0, a.Member.Size()).Draw(t, "other")
			}
		}
		keyA, err1 := a.Key()
		keyB, err2 := b.Key()
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if (keyA == keyB) != (a == b) {
			t.Fatalf("%+v and %+v have the keys %s and %s", a, b, keyA, keyB)
		}
		if !safe.MatchString(keyA) {
			t.Fatalf("%+v has the key %q", a, keyA)
		}
	})
}

func ExampleCheckpoint() {
	m, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		panic(err)
	}
	c := commit.Checkpoint{Member: m, Log: "orders"}
	text, _ := c.Text()
	key, _ := c.Key()
	fmt.Println(text)
	fmt.Println(key)
	// Output:
	// pairs:1/3 | 3 | fnv1a32-fmix32 subject,id | orders
	// pairs-1of3-3f4fd2b8b503bfb634a243b8c5f0f0df
}
