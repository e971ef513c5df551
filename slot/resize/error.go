package resize

import (
	"errors"

	"github.com/slotkey/slotkey/slot"
)

// What can be wrong. Each error of this package is an [*Error] that wraps one of them, or comes
// from package slot or commit as it is; tell them apart by [errors.Is].
var (
	ErrSize      = slot.ErrSize // the number of slots is the group's size
	ErrMembers   = errors.New("resize: bad number of members")
	ErrMember    = errors.New("resize: no such member")
	ErrText      = errors.New("resize: bad text")
	ErrPosition  = errors.New("resize: positions of a plan must rise")
	ErrSame      = errors.New("resize: a generation changes nothing")
	ErrExtend    = errors.New("resize: plans are append-only")
	ErrLength    = errors.New("resize: too many generations")
	ErrDelivered = errors.New("resize: a switch must lie ahead")
	ErrOrder     = errors.New("resize: bad order of steps")
)

// An Error names the field at fault, its value and what would have been allowed.
type Error struct {
	Field string // "slots", "members", "member", "layout", "plan", "position", "order", "action" or "fraction"
	Value string // as it would stand in Go source; empty where there is none
	Limit string // the rule it breaks, as the rest of a sentence: "is above the limit of 1024"
	Err   error  // one of the Err variables
}

// Error returns one line: "resize: slots 2000 is above the limit of 1024".
func (e *Error) Error() string {
	text := "resize: " + e.Field
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " " + e.Limit
}

// Unwrap returns the Err variable of the fault.
func (e *Error) Unwrap() error { return e.Err }
