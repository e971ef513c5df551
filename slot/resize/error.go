package resize

import "errors"

// What can be wrong. Each error of this package is an [*Error] that wraps one of them, or comes from package slot or commit
// as it is; tell them apart by [errors.Is].
var (
	ErrSize      = errors.New("bad number of slots")
	ErrMembers   = errors.New("bad number of members")
	ErrMember    = errors.New("no such member")
	ErrText      = errors.New("bad text")
	ErrPosition  = errors.New("positions of a plan must rise")
	ErrSame      = errors.New("a generation changes nothing")
	ErrExtend    = errors.New("plans are append-only")
	ErrLength    = errors.New("too many generations")
	ErrDelivered = errors.New("a switch must lie ahead")
	ErrOrder     = errors.New("bad order of steps")
)

// An Error names the field at fault, its value and what would have been allowed.
type Error struct {
	Field string // "slots", "members", "member", "layout", "plan", "position" or "order"
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
