//go:build unix

package measure

import (
	"syscall"
	"time"
)

// Processor returns the processor time that the process has used so far, in user and in system mode.
func Processor() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only for a wrong argument
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
