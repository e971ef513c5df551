package place

import (
	"errors"
	"strconv"
)

// ErrNotSet says that none of the three variables is there. It is no dedicated member: whoever wants
// one where nothing is set says so, by errors.Is.
var ErrNotSet = errors.New("place: none of " + GroupVar + ", " + SizeVar + " and " + IndexVar + " is set")

// An Error tells which value gives no place, and why. It wraps slot.ErrGroup, slot.ErrSize, slot.ErrIndex
// or slot.ErrIncomplete.
type Error struct {
	Name  string // of the variable; "index" and "name" for what Number and Ordinal are given
	Value string // as it would stand in Go source; empty if it is missing, or is the empty text
	Rule  string // what it breaks, as the rest of a sentence: "has a sign"
	Err   error
}

// Error returns one line: `place: SLOTKEY_GROUP_INDEX "-1" has a sign; …`.
func (e *Error) Error() string {
	text := "place: " + e.Name
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " " + e.Rule
}

// Unwrap returns the Err variable of the fault.
func (e *Error) Unwrap() error { return e.Err }

// quote quotes a value, but for the empty one, of which the rule says what it is.
func quote(value string) string {
	if value == "" {
		return ""
	}
	return strconv.Quote(value)
}
