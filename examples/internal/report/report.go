// Package report is how the examples speak: a line for each phase, PASS or FAIL under it, and a verdict at the
// end, the same on a terminal and in a pipe.
package report

import (
	"fmt"
	"io"
	"strings"
)

// A Report prints phases as they end and remembers those that failed. Not safe for concurrent use.
type Report struct {
	out    io.Writer
	phases int
	failed []string
}

// New returns a report that prints to out.
func New(out io.Writer) *Report { return &Report{out: out} }

// Phase prints the line of a phase, "name: what", and under it PASS and what that shows, or FAIL and each problem.
func (r *Report) Phase(name, what, shows string, problems ...string) {
	r.phases++
	fmt.Fprintf(r.out, "%s: %s\n", name, what)
	if len(problems) == 0 {
		fmt.Fprintf(r.out, "  PASS  %s\n", shows)
		return
	}
	r.failed = append(r.failed, name)
	for _, p := range problems {
		fmt.Fprintf(r.out, "  FAIL  %s\n", p)
	}
}

// Note prints a line, or several, that belong to the phase above.
func (r *Report) Note(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(r.out, "        %s\n", strings.TrimRight(line, " \n"))
	}
}

// End prints the verdict on the whole and reports whether all phases passed.
func (r *Report) End() bool {
	if len(r.failed) > 0 {
		fmt.Fprintf(r.out, "FAIL: %s\n", strings.Join(r.failed, ", "))
		return false
	}
	fmt.Fprintf(r.out, "PASS: all %d phases\n", r.phases)
	return r.phases > 0
}
