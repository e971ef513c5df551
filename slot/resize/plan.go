package resize

import (
	"slices"
	"strconv"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
)

// MaxGenerations is the largest number of generations in a plan.
const MaxGenerations = 256

// A Plan is the history and the future of a group over one ordered log: generations, each with its
// [Layout] and the position from which it holds. The position of an event picks the generation, and
// so its owner. All members that have the same plan therefore switch at the same event, whenever
// each of them comes to it: no event is handled twice or by nobody, and they need not talk to each
// other at the switch.
//
// Before the switch they do need something, and a Plan is exact only where it is given:
//
//   - The log is one order for all: a JetStream stream, one partition of a topic in Kafka, one
//     Redis stream. Several logs have several plans.
//   - Every member has the text before any member reaches the position of the switch. Comparing the
//     texts that members announce shows it.
//   - Plans are append-only. A text extends the one before or is refused; a switch that any member
//     has passed never moves. See [Plan.Adopt].
//   - A newcomer begins to read at or before [Switch.Start]; a member that leaves goes on until it
//     has committed [Switch.End].
//
// The time of an event switches nothing. A Plan is immutable and safe for concurrent use; plans are
// equal if their texts are. The zero Plan has no generations; [NewPlan] and [ParsePlan] make all
// others.
type Plan struct {
	generations []Generation
}

// A Generation is a layout and the position from which it holds, up to where the next one begins.
type Generation struct {
	Layout Layout
	From   commit.Position // the lowest position, 0, in the first generation
}

// NewPlan returns the plan with one generation, which holds for the whole log. A zero Layout is an [*Error].
func NewPlan(first Layout) (Plan, error) {
	if err := checkSlots(first.Size(), strconv.Itoa(first.Size())); err != nil {
		return Plan{}, err
	}
	return Plan{[]Generation{{Layout: first}}}, nil
}

// Extend returns the plan with one more generation, which holds from a position on. The position
// must be behind that of the generation before, and the layout another; p is not changed. Every
// error is an [*Error].
func (p Plan) Extend(to Layout, at commit.Position) (Plan, error) {
	if len(p.generations) == 0 {
		return Plan{}, &Error{"plan", "", "has no first generation: NewPlan makes one", ErrExtend}
	}
	if len(p.generations) == MaxGenerations {
		return Plan{}, &Error{"plan", "", "has " + strconv.Itoa(MaxGenerations) + " generations already, which is the limit", ErrLength}
	}
	if err := checkSlots(to.Size(), strconv.Itoa(to.Size())); err != nil {
		return Plan{}, err
	}
	switch last := p.generations[len(p.generations)-1]; {
	case !last.From.Before(at):
		return Plan{}, &Error{"position", at.String(), "is not behind " + last.From.String() + ", where the generation " + last.Layout.String() + " begins", ErrPosition}
	case last.Layout == to:
		return Plan{}, &Error{"layout", to.String(), "at position " + at.String() + " is that of the generation before", ErrSame}
	}
	return Plan{append(slices.Clip(p.generations), Generation{to, at})}, nil
}

// Generations returns the generations in order. The slice is the caller's.
func (p Plan) Generations() []Generation { return slices.Clone(p.generations) }

// Members returns the largest number of members that a generation has.
func (p Plan) Members() (n int) {
	for _, g := range p.generations {
		n = max(n, g.Layout.Members())
	}
	return n
}

// At returns the generation that holds at a position; the zero Generation in the zero Plan. It does not allocate.
func (p Plan) At(position commit.Position) Generation {
	if len(p.generations) == 0 {
		return Generation{}
	}
	return p.generations[p.at(position)]
}

// at returns the index of the generation at a position. Mostly that is the last; the others take a
// binary search, of eight steps at most.
func (p Plan) at(position commit.Position) int {
	low, high := 0, len(p.generations)-1
	for mid := high; low < high; mid = (low + high + 1) / 2 {
		if position.Before(p.generations[mid].From) {
			high = mid - 1
		} else {
			low = mid
		}
	}
	return low
}

// Owner returns the member that owns the route of an event at a position. An event without a key is
// that of the member that answers for it; ok is false for a command, which all members take, and in
// the zero Plan. It does not allocate.
func (p Plan) Owner(position commit.Position, route routing.Route) (member int, ok bool) {
	if len(p.generations) == 0 || route.Command() {
		return -1, false
	}
	return p.At(position).Layout.Owner(sumOf(route)), true
}

func sumOf(route routing.Route) uint32 {
	sum, hasKey := route.Sum()
	if !hasKey {
		return hashpin.Sum32(nil)
	}
	return sum
}

// Extends reports whether p is other with further generations, or other itself. Nothing extends the zero Plan.
func (p Plan) Extends(other Plan) bool {
	n := len(other.generations)
	return n > 0 && n <= len(p.generations) && slices.Equal(p.generations[:n], other.generations)
}

// Adopt returns next, for a member that has lived by p and has been delivered the log up to a
// position: the highest that it, or any incarnation of it before, has judged. Refused are a plan
// that does not extend p ([ErrExtend]), and one with a switch at or behind the position
// ([ErrDelivered]): the member has judged events by p that next gives to others. Every error is an
// [*Error], and then the result is p.
//
// Adopt is called where events are judged, between two of them: delivered must not advance before
// the Switch of the result decides. In another goroutine than the loop that judges, the loop may
// pass the switch by p after Adopt has looked at delivered and before the new Switch is in its
// place, and nothing would show it. So hand the text to the loop, or hold the loop for as long.
//
// A member that does not know what it was delivered before, say because it was killed, takes the
// position of the last event in the log.
func (p Plan) Adopt(next Plan, delivered commit.Position) (Plan, error) {
	switch n := len(p.generations); {
	case n == 0:
		return p, &Error{"plan", "", "has no first generation: NewPlan makes one", ErrExtend}
	case !next.Extends(p):
		return p, &Error{"plan", strconv.Quote(next.String()), "does not extend " + strconv.Quote(p.String()) + ": generations are added at the end, and those that are there never change", ErrExtend}
	case n < len(next.generations) && !delivered.Before(next.generations[n].From):
		return p, &Error{"position", next.generations[n].From.String(), "of the switch to " + next.generations[n].Layout.String() + " is not behind " + delivered.String() + ", which has been delivered: events have been judged without it", ErrDelivered}
	}
	return next, nil
}
