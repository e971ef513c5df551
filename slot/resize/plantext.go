package resize

import (
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/slot/commit"
)

// String returns the text of the plan, which [ParsePlan] reads; the empty text for the zero Plan.
func (p Plan) String() string {
	var b strings.Builder
	for i, g := range p.generations {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(g.Layout.String())
		if i > 0 {
			b.WriteByte('@')
			b.WriteString(g.From.String())
		}
	}
	return b.String()
}

// MarshalText returns the text of the plan. The zero Plan has none: it is an error.
func (p Plan) MarshalText() ([]byte, error) {
	if len(p.generations) == 0 {
		return nil, &Error{"plan", "", "has no first generation: NewPlan makes one", ErrText}
	}
	return []byte(p.String()), nil
}

// UnmarshalText is [ParsePlan]. On an error p is unchanged.
func (p *Plan) UnmarshalText(text []byte) error {
	parsed, err := ParsePlan(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

// ParsePlan reads the text of a plan: generations separated by commas, each a layout as
// [ParseLayout] reads it, all but the first followed by "@" and the position from which it holds,
// as [commit.ParsePosition] reads it.
//
//	3                       one generation for the whole log
//	3,5@120000              3 slots, and from position 120000 on 5
//	360/12,360/15@120000    360 slots dealt to 12 members, then to 15
//	3,6@1526919030474-55    a position in a Redis stream
//
// Positions rise strictly. Equal plans have equal texts, but for positions such as 120000-0, which
// is read and written as 120000. The empty text is an error. Every error is an [*Error], or a
// [*commit.Error] for the form of a position.
func ParsePlan(text string) (Plan, error) {
	var p Plan
	for item := range strings.SplitSeq(text, ",") {
		i := len(p.generations)
		layoutText, positionText, hasPosition := strings.Cut(item, "@")
		layout, err := ParseLayout(layoutText)
		switch {
		case i >= MaxGenerations:
			return Plan{}, &Error{"plan", "", "has more than " + strconv.Itoa(MaxGenerations) + " generations, which is the limit", ErrLength}
		case err != nil:
			return Plan{}, err
		case i == 0 && hasPosition:
			return Plan{}, &Error{"plan", strconv.Quote(text), "begins with " + strconv.Quote(item) + ": the first generation holds from the beginning of the log and has no position", ErrText}
		case i == 0:
			p.generations = []Generation{{Layout: layout}}
			continue
		case !hasPosition:
			return Plan{}, &Error{"plan", strconv.Quote(text), "has the generation " + strconv.Quote(item) + " without the position from which it holds, such as " + strconv.Quote(item+"@120000"), ErrText}
		}
		at, err := commit.ParsePosition(positionText)
		if err != nil {
			return Plan{}, err
		}
		if p, err = p.Extend(layout, at); err != nil {
			return Plan{}, err
		}
	}
	return p, nil
}
