//go:build !unix

package measure

import "time"

var start = time.Now()

// Processor returns time on the wall where processor time cannot be had: measure on an idle machine there.
func Processor() time.Duration { return time.Since(start) }
