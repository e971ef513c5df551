package cloudevent

import (
	"errors"
	"strconv"
)

// What can keep an event's attributes from being read. Tell them apart by [errors.Is]; each
// error of this package is or wraps one of them.
var (
	// ErrMalformed: a structured event that is not a JSON object with attributes of the right
	// types. The error is a [*SyntaxError].
	ErrMalformed = errors.New("cloudevent: malformed event")
	// ErrFormat: a content type that names an event format other than JSON, or a batch. The error names it.
	ErrFormat = errors.New("cloudevent: event format that cannot be read")
	// ErrEncoding: a header value that the rule wants percent-decoded, and that cannot be. The
	// error is a [*HeaderError].
	ErrEncoding = errors.New("cloudevent: bad percent-encoding")
)

// A SyntaxError says where and why a JSON body could not be read.
type SyntaxError struct {
	Offset int // in bytes from the start of the body
	Reason string
}

func (e *SyntaxError) Error() string {
	return "cloudevent: malformed event: at byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

// Is makes every SyntaxError an [ErrMalformed].
func (e *SyntaxError) Is(target error) bool { return target == ErrMalformed }

// A HeaderError says which header value could not be percent-decoded.
type HeaderError struct {
	Attribute string // the attribute's name, without the transport's prefix
	Value     string // as it came
	Reason    string
}

func (e *HeaderError) Error() string {
	return "cloudevent: bad percent-encoding of " + e.Attribute + " " + strconv.Quote(e.Value) + ": " + e.Reason
}

// Is makes every HeaderError an [ErrEncoding].
func (e *HeaderError) Is(target error) bool { return target == ErrEncoding }
