package conform

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Kind is the way in which a port fails.
type Kind string

const (
	NotStarted Kind = "not started"    // the command cannot be run
	BadHello   Kind = "bad first line" // it does not introduce itself as the protocol wants
	Silent     Kind = "timeout"        // it neither reads nor writes for too long
	Died       Kind = "died"           // it ended with a status other than 0, or by a signal
	Garbage    Kind = "garbage"        // a line has not the form of an answer
	Missing    Kind = "missing line"   // an answer was left out, or the output ended early
	Extra      Kind = "extra line"     // an answer stands there twice, or after the last one
	Refused    Kind = "refused"        // an error is told where an answer was due
	Wrong      Kind = "wrong answer"   // the answer has the right form and another content
	Lingers    Kind = "does not end"   // it does not exit after the end of its input
)

// A Stage is the part of the rule that a wrong answer comes from.
type Stage string

const (
	StageBytes     Stage = "bytes"     // the key's bytes: encoding, sign, trimming
	StageFNV       Stage = "FNV"       // the first stage of the hash
	StageFinalizer Stage = "finalizer" // the second stage of the hash
	StageModulo    Stage = "modulo"    // from hash to slot
	StageOwns      Stage = "owns"      // from slot to member
	StageKey       Stage = "key"       // from attributes to the key
	StageJSON      Stage = "JSON"      // from a body to the key
	StageDeal      Stage = "deal"      // from slots and members to holders
	StageLimits    Stage = "limits"    // a value out of range was answered, not refused
)

// A Fault is what is wrong with a port.
type Fault struct {
	Kind    Kind
	Stage   Stage         // of a wrong answer
	Reason  string        // what is wrong; for a wrong answer the likely cause, empty where none is known
	Got     string        // the port's line, if there is one
	Stages  map[Stage]int // how many vectors are wrong, by stage
	Stderr  string        // the last lines of the port's standard error
	request *request      // at hand, if there is one
	number  int
	states  []badState // of vectors: the wrong FNV states, the first one's included
}

// Error returns one line.
func (f *Fault) Error() string {
	text := "conform: " + string(f.Kind)
	if f.Stage != "" {
		text += ", stage " + string(f.Stage)
	}
	if f.Reason != "" {
		text += ": " + f.Reason
	}
	return text
}

// Detail returns the lines that a port's author needs: the request, the answer that was due, the one that came.
func (f *Fault) Detail() string {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%9s  %s\n", what, fmt.Sprintf(format, args...))
	}
	line("fault", "%s", strings.TrimPrefix(f.Error(), "conform: "))
	if r := f.request; r != nil {
		line("request", "%s", cut(fmt.Sprintf("%d\t%s", f.number, r.line)))
		line("from", "%s", r.origin())
		for _, key := range r.keys() {
			if key != nil {
				line("bytes", "%s", describe(key))
			}
		}
		line("due", "%s", cut(fmt.Sprintf("%d\t%s", f.number, r.want)))
	}
	if f.Got != "" || f.Kind == Garbage {
		line("got", "%s", cut(f.Got))
	}
	if len(f.Stages) > 0 {
		line("vectors", "%s", f.stages())
	}
	if f.Stderr != "" {
		for text := range strings.Lines(f.Stderr) {
			line("stderr", "%s", cut(strings.TrimSuffix(text, "\n")))
		}
	}
	return b.String()
}

// stages tells how many vectors are wrong, most first.
func (f *Fault) stages() string {
	var stages []Stage
	for stage := range f.Stages {
		stages = append(stages, stage)
	}
	slices.SortFunc(stages, func(a, b Stage) int {
		if d := f.Stages[b] - f.Stages[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	})
	var texts []string
	for _, stage := range stages {
		name := string(stage)
		if stage == "" {
			name = "refused"
		}
		texts = append(texts, fmt.Sprintf("%d %s", f.Stages[stage], name))
	}
	return "wrong in all: " + strings.Join(texts, ", ")
}

func (r *request) origin() string {
	if r.from == "" {
		return "generated key"
	}
	return r.from
}

// describe shows bytes as text where they are, and their number.
func describe(b []byte) string {
	if utf8.Valid(b) {
		return fmt.Sprintf("%d: %s", len(b), cut(fmt.Sprintf("%+q", b)))
	}
	return fmt.Sprintf("%d, no valid UTF-8: %s", len(b), cut(fmt.Sprintf("% x", b)))
}

// cut shows a line: tabs as such, control characters escaped, not longer than a screen's line or two.
func cut(s string) string {
	const most = 160
	s = strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c == 0x7f {
			return '�'
		}
		return c
	}, strings.ToValidUTF8(s, "�"))
	s = strings.ReplaceAll(s, "\t", "⇥")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + fmt.Sprintf("… (%d in all)", len(runes))
	}
	return s
}
