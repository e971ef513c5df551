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
	Value string // as it stands there; empty if it is missing
	Rule  string // what it breaks, as the rest of a sentence: "has a sign"
	Err   error
}

// Error returns one line: `place: SLOTKEY_GROUP_INDEX "-1" has a sign; …`.
func (e *Error) Error() string {
	if e.Value == "" {
		return "place: " + e.Name + " " + e.Rule
	}
	return "place: " + e.Name + " " + strconv.Quote(e.Value) + " " + e.Rule
}

// Unwrap returns the Err variable of the fault.
func (e *Error) Unwrap() error { return e.Err }
