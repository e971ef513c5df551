package fleet

import (
	"errors"
	"slices"
	"strconv"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A Worker is what the host runs as a member: a filter and the topics whose events it judges.
//
// Under a plan (resize.Plan) a member has a resize.Switch, which has a filter for each generation. Filter then is
//
//   - in a [Registry], of all workers of the group that of one and the same generation: that of the
//     plan's last. Members of two generations would be in conflict over their size, and as all
//     slots follow from plan and number, one generation speaks for all. If the plan is extended,
//     stop the group's workers, and start them anew with its text and its last generation;
//   - for [Worker.Announce], that of the generation in which the position delivered lies,
//     sw.Filter(delivered), anew for each announcement.
type Worker struct {
	// Name tells the worker apart from all others of the process; any text but the empty one.
	Name string
	// Filter has the member, and the rule under which it decides.
	Filter *slot.Filter
	// Topics are the topics or patterns that the worker receives; at least one. They are written
	// with dots, "*" and ">", those of MQTT too: "ticks.>" and "ticks" for its "ticks/#",
	// "ticks.eu" for "ticks/eu". Its "+" and "#" are refused; a topic with slashes is one token.
	Topics []string
	// Plan is the text of the group's plan of generations, empty where there is none. Texts are compared, not read.
	Plan string
}

// ErrWorker is what is wrong with a Worker in itself, whatever runs beside it: gRPC's INVALID_ARGUMENT, HTTP's 400.
var ErrWorker = errors.New("fleet: bad worker")

// A WorkerError says what is wrong with a [Worker]; it is an [ErrWorker].
type WorkerError struct {
	Worker string // its name
	Fault  string // as the rest of a sentence: "has no filter"
}

// Error returns one line: `fleet: worker "web-0" has no filter`.
func (e *WorkerError) Error() string {
	return "fleet: worker " + strconv.Quote(e.Worker) + " " + e.Fault
}

// Unwrap returns [ErrWorker].
func (e *WorkerError) Unwrap() error { return ErrWorker }

func (w Worker) check() error {
	fail := func(fault string) error { return &WorkerError{w.Name, fault} }
	switch {
	case w.Name == "":
		return fail("has an empty name")
	case w.Filter == nil:
		return fail("has no filter")
	case len(w.Topics) == 0:
		return fail("has no topic")
	}
	for _, topic := range w.Topics {
		if rule := checkTopic(topic); rule != "" {
			return fail("has the topic " + strconv.Quote(topic) + ", which " + rule)
		}
	}
	return nil
}

// clone makes w independent of the caller's slice.
func (w Worker) clone() Worker {
	w.Topics = slices.Clone(w.Topics)
	return w
}

// A Shape is what the members of a group have to agree on. The zero Shape is that of dedicated workers.
type Shape struct {
	Size int
	Rule routing.Rule
	Plan string
}

// Shape returns the worker's.
func (w Worker) Shape() Shape { return Shape{w.Filter.Member().Size(), w.Filter.Rule(), w.Plan} }

// A Transition is a declared change of a group from one shape to another, while members of both
// run: see [Registry.StartDuring].
type Transition struct{ From, To Shape }

func (t Transition) allows(s Shape) bool { return s == t.From || s == t.To }
