package commit

import "errors"

// What can be wrong. Each error of this package is an [*Error] that wraps one of them; tell them apart by [errors.Is].
var (
	ErrText       = errors.New("commit: bad text of a position")
	ErrNotStarted = errors.New("commit: not started")
	ErrOrder      = errors.New("commit: out of order")
	ErrBatch      = errors.New("commit: bad batch")
	ErrCheckpoint = errors.New("commit: bad checkpoint")
)

// An Error names the field at fault, its value and what would have been allowed.
type Error struct {
	Field string // "position", "events", "event", "frontier", "member", "dealt" or "log"
	Value string // as it would stand in Go source; empty where there is none
	Limit string // the rule it breaks, as the rest of a sentence: "is not below the batch's 3 events"
	Err   error  // one of the Err variables
}

// Error returns one line: "commit: position 5 was never reported, although 6 was".
func (e *Error) Error() string {
	text := "commit: " + e.Field
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " " + e.Limit
}

// Unwrap returns the Err variable of the fault.
func (e *Error) Unwrap() error { return e.Err }
