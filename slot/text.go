package slot

import (
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/internal/number"
)

// The words of a member's text.
const (
	dedicated = "dedicated"
	noSlots   = "none"
)

// String returns the member's text:
//
//	pairs:1/3        index 1 of 3, from 0, in the group "pairs"
//	pairs:0-2,7/360  slots 0, 1, 2 and 7 of 360
//	pairs:none/3     no slot of 3
//	dedicated        no group
//
// Members are == if and only if their texts are equal. [ParseMember] reads it.
func (m Member) String() string {
	if m.Dedicated() {
		return dedicated
	}
	return m.group + ":" + m.slotText() + "/" + strconv.Itoa(m.Size())
}

// slotText returns the slots as rising numbers and ranges.
func (m Member) slotText() string {
	var b []byte
	for first := 0; first < m.Size(); first++ {
		if !m.Holds(first) {
			continue
		}
		last := first
		for m.Holds(last + 1) {
			last++
		}
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(first), 10)
		if last > first {
			b = strconv.AppendInt(append(b, '-'), int64(last), 10)
		}
		first = last
	}
	if len(b) == 0 {
		return noSlots
	}
	return string(b)
}

// MarshalText returns the member's text. It never fails.
func (m Member) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText is [ParseMember], for flags and configuration libraries. On an error m is unchanged.
func (m *Member) UnmarshalText(text []byte) error {
	parsed, err := ParseMember(string(text))
	if err == nil {
		*m = parsed
	}
	return err
}

// ParseMember reads a member's text, as [Member.String] writes it. Slots and ranges may come in any
// order; numbers are decimal, without sign, space or leading zero. The empty text is an error:
// whoever means a dedicated member says so. Every error is an [*Error].
func ParseMember(text string) (Member, error) {
	if text == dedicated {
		return Member{}, nil
	}
	group, rest, hasColon := strings.Cut(text, ":")
	list, sizeText, hasSlash := strings.Cut(rest, "/")
	if !hasColon || !hasSlash {
		return Member{}, textError(text, `is neither "dedicated" nor of the form group:slots/size, such as pairs:1/3`)
	}
	size, ok := number.Parse(sizeText)
	if !ok {
		return Member{}, textError(text, "has the size "+quote(sizeText)+", which is not a plain decimal number")
	}
	if err := checkGroup(group, size); err != nil {
		return Member{}, withValue(err, ErrSize, sizeText)
	}
	slots, err := parseSlots(text, list, size)
	if err != nil {
		return Member{}, err
	}
	return NewSet(group, size, slots...)
}

func parseSlots(text, list string, size int) ([]int, error) {
	if list == noSlots {
		return nil, nil
	}
	var slots []int
	for item := range strings.SplitSeq(list, ",") {
		firstText, lastText, isRange := strings.Cut(item, "-")
		if !isRange {
			lastText = firstText
		}
		first, ok1 := number.Parse(firstText)
		last, ok2 := number.Parse(lastText)
		if !ok1 || !ok2 || isRange && first >= last {
			return nil, textError(text, "has "+quote(item)+" where a slot such as 7 or a rising range such as 0-2 should stand")
		}
		if err := checkIndex("slot", last, size); err != nil {
			return nil, withValue(err, ErrIndex, lastText) // before the range is spelt out
		}
		for s := first; s <= last; s++ {
			slots = append(slots, s)
		}
		if len(slots) > size {
			break // some slot is there twice; NewSet says which
		}
	}
	return slots, nil
}

// withValue puts the number as it was written into an error of kind.
func withValue(err error, kind error, text string) error {
	if e, ok := err.(*Error); ok && e.Err == kind {
		e.Value = text
	}
	return err
}

func textError(text, limit string) error {
	return &Error{"member", quote(text), limit, ErrText}
}
