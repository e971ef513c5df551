package slot

import (
	"errors"
	"strconv"
)

// What can be wrong with a place in a group. Each error of this package is an [*Error] that
// wraps one of them; tell them apart by [errors.Is].
var (
	ErrGroup      = errors.New("slot: bad group name")
	ErrSize       = errors.New("slot: bad group size")
	ErrIndex      = errors.New("slot: bad index")
	ErrSlotTwice  = errors.New("slot: a slot is given twice")
	ErrIncomplete = errors.New("slot: group, size and index go together")
	ErrText       = errors.New("slot: bad text")
)

// An Error names the field at fault, its value and what would have been allowed.
type Error struct {
	Field string // "group", "group_size", "group_index", "slot", "member", "config", "config name" or "kind"
	Value string // as it would stand in Go source, long texts cut short; empty where there is none
	Limit string // the rule it breaks, as the rest of a sentence: "is above the limit of 1024"
	Err   error  // one of the Err variables
}

// Error returns one line: "slot: group_size 2000 is above the limit of 1024".
func (e *Error) Error() string {
	text := "slot: " + e.Field
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " " + e.Limit
}

// Unwrap returns the Err variable of the fault.
func (e *Error) Unwrap() error { return e.Err }

// quote quotes a text for an error. What is beyond any name or text that could be right is cut off.
func quote(text string) string {
	const most = 100
	if len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}
