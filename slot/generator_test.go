package slot_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// member returns the member at one place of a group.
func member(tb rapid.TB, group string, size, index int) slot.Member {
	tb.Helper()
	m, err := slot.New(slot.Config{Group: group, Size: size, Index: index})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// memberOf returns the member with a set of slots.
func memberOf(tb rapid.TB, group string, size int, slots ...int) slot.Member {
	tb.Helper()
	m, err := slot.NewSet(group, size, slots...)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func ruleOf(tb rapid.TB, text string) routing.Rule {
	tb.Helper()
	r, err := routing.ParseRule(text)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

func groupName() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune(nameChars)), 1, slot.MaxNameLen, slot.MaxNameLen)
}

// groupSize prefers small groups, where there is most to see.
func groupSize() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, slot.MaxSize), rapid.SampledFrom([]int{1, 2, 8, 64, 1023, slot.MaxSize}))
}

// anyMember generates members of all kinds: dedicated, of one slot, of several, of none.
func anyMember() *rapid.Generator[slot.Member] {
	return rapid.OneOf(
		rapid.Just(slot.Member{}),
		rapid.Custom(func(t *rapid.T) slot.Member {
			size := groupSize().Draw(t, "size")
			slots := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 0, size, rapid.ID[int]).Draw(t, "slots")
			return memberOf(t, groupName().Draw(t, "group"), size, slots...)
		}),
	)
}

// attribute generates subjects and ids: often absent, sometimes with edges that a careless reader
// trims, folds or replaces.
func attribute() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Just(""),
		rapid.SampledFrom([]string{"EUR/USD", "order-7-7", " a", "a ", "\ta\n", "É", "e\u0301", "😀", "\xff", "\xed\xa0\xbd", "\x00", "\uFEFFa", "\u00a0"}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func anyTopic() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "ticks.eurusd", "wrk.feed.command.7", "wrk.feed.event.7", "wrk..command.7", "wrk.feed.command.7.8"}),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"wrk", "command", "a", ""}), 0, 5), func(tokens []string) string { return strings.Join(tokens, ".") }),
		rapid.String(),
	)
}

func anyEvent() *rapid.Generator[routing.Event] {
	return rapid.Custom(func(t *rapid.T) routing.Event {
		return routing.Event{
			Topic:   anyTopic().Draw(t, "topic"),
			Subject: attribute().Draw(t, "subject"),
			ID:      attribute().Draw(t, "id"),
			Attributes: rapid.OneOf(
				rapid.Just[map[string]string](nil),
				rapid.MapOf(rapid.SampledFrom([]string{"subject", "id", "source", "tenant"}), attribute()),
			).Draw(t, "attributes"),
		}
	})
}
