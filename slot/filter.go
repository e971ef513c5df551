package slot

import "github.com/slotkey/slotkey/routing"

// emptySum places events without a key: it is hashpin.Sum32 of no bytes (a test compares).
const emptySum uint32 = 0xab3e7c0b

// A Filter decides for one member under one rule. It is immutable, safe for concurrent use, and takes
// no input that makes it fail or panic. Its zero value is the filter of the dedicated member under the default rule.
type Filter struct {
	member Member
	rule   routing.Rule
}

// NewFilter returns the filter of a member under the default rule.
func NewFilter(m Member) *Filter { return &Filter{member: m} }

// WithRule returns a copy of f that decides under r.
func (f *Filter) WithRule(r routing.Rule) *Filter { return &Filter{f.member, r} }

// Member returns the member that f decides for.
func (f *Filter) Member() Member { return f.member }

// Rule returns the rule that f decides under.
func (f *Filter) Rule() routing.Rule { return f.rule }

// Judge returns the verdict on a route, by the first of these that applies: a command is [Bypass];
// in a dedicated member all is [Own]; a route without a key is [Malformed] for the holder of the
// empty key's slot and [Foreign] for all others; any other is Own for the holder of its slot and
// Foreign for all others. It does not allocate.
//
// The route must come from the same rule as the filter's; [Filter.Decide] sees to that.
func (f *Filter) Judge(r routing.Route) Verdict {
	if r.Command() {
		return Verdict{Bypass, -1, 0}
	}
	sum, hasKey := r.Sum()
	ours := Own
	if !hasKey {
		sum, ours = emptySum, Malformed
	}
	if f.member.size == 0 {
		return Verdict{Own, -1, sum}
	}
	slot := sum % f.member.size
	if !f.member.holds(slot) {
		return Verdict{Foreign, int(slot), sum}
	}
	return Verdict{ours, int(slot), sum}
}

// Decide returns the verdict on an event. It does not allocate.
func (f *Filter) Decide(e routing.Event) Verdict { return f.Judge(f.rule.Route(e)) }

// Admit reports whether the event goes on to the handler: whether it is not [Foreign].
func (f *Filter) Admit(e routing.Event) bool { return f.Decide(e).Admit() }
