package conform

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Print writes what came out of [Run] for people: who the port is, what it got right, and, in detail, the fault.
func Print(w io.Writer, r *Result, err error) {
	if r.Port.Name != "" {
		can := strings.Join(r.Port.Capabilities, ", ")
		if can == "" {
			can = "none"
		}
		fmt.Fprintf(w, "port: %s %s, capabilities: %s\n", r.Port.Name, r.Port.Version, can)
		fmt.Fprintf(w, "vectors: %s\n", r.Vectors)
		if r.Keys.Sent > 0 {
			fmt.Fprintf(w, "generated keys (seed %d): %s", r.Seed, r.Keys)
			if rate := r.Rate(); rate > 0 {
				fmt.Fprintf(w, ", %s a second", round(rate))
			}
			fmt.Fprintln(w)
		}
	}
	if fault := (*Fault)(nil); errors.As(err, &fault) {
		fmt.Fprintf(w, "FAIL\n%s", fault.Detail())
		return
	}
	if err != nil {
		fmt.Fprintf(w, "FAIL: %v\n", err)
		return
	}
	fmt.Fprintln(w, "PASS")
}

// String returns "17 of 20 right".
func (s Score) String() string { return fmt.Sprintf("%d of %d right", s.Right, s.Sent) }

// round writes a rate in two or three digits: more would be noise.
func round(rate float64) string {
	switch {
	case rate >= 999_500:
		return fmt.Sprintf("%.1f million", rate/1e6)
	case rate >= 1000:
		return fmt.Sprintf("%.0f 000", rate/1000)
	}
	return fmt.Sprintf("%.0f", rate)
}
