package receiver

import (
	"context"
	"io"
	"math"
	"time"
)

// Limits of [Backoff].
const (
	minBackoff = 10 * time.Millisecond
	maxBackoff = time.Second
)

// Backoff is 10 ms after the first error in a row, doubles with each further one, and is never more
// than a second. After a message it begins anew. Poll goroutines share the count.
func Backoff(failures int) time.Duration {
	wait := minBackoff
	for i := 1; i < failures && wait < maxBackoff; i++ {
		wait *= 2
	}
	return min(wait, maxBackoff)
}

// fail waits, and returns what to tell the client of an error. The client takes io.EOF, and nothing
// else, for the end, and asks again at once after any other error; so once ctx is done every error
// is the end.
func (r *receiver) fail(ctx context.Context, err error) error {
	if err == io.EOF || ctx.Err() != nil {
		return io.EOF
	}
	failures := int(min(r.failures.Add(1), math.MaxInt32))
	timer := time.NewTimer(r.o.Backoff(failures))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return io.EOF
	case <-timer.C:
		return err
	}
}
