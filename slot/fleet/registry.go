package fleet

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
)

// ErrNotRunning says that no worker of that name runs: gRPC's NOT_FOUND, HTTP's 404.
var ErrNotRunning = errors.New("fleet: no such worker runs")

// A Registry keeps the workers that run in one process, and lets none start that would break the
// slot rule with those that run. The zero Registry is ready. It is safe for concurrent use and must
// not be copied after first use.
//
// It starts and stops nothing itself: the host calls Start before it lets a worker run, and Stop
// when that has ended, or could not begin. Incomplete groups may run; what is missing is returned.
type Registry struct {
	mu      sync.Mutex
	running map[string]Worker
}

// Start takes in a worker and returns the coverage of its group, for a dedicated worker none. It
// refuses with an error, and then leaves everything as it was:
//
//   - a [*WorkerError] for a worker without name, filter or topic, or with a bad pattern;
//   - a [*Conflict] where a worker of that name runs, or where a running member of the same group on a shared topic
//     has another size, rule or plan, or holds one of the worker's slots.
//
// A dedicated worker is in no conflict but over its name.
func (r *Registry) Start(w Worker) ([]Coverage, error) {
	return r.start(w, func(Shape) bool { return false })
}

// StartDuring is [Registry.Start] within a declared transition: members of the one shape may run
// beside members of the other. The worker, and every member of its group that runs on a shared
// topic, has one of the two. Slots of one size and rule still have one member each.
//
// What becomes of the events during such a change is for the caller to know: until all members have
// one size and one rule, keys can be without an owner, or have two. A plan avoids both.
func (r *Registry) StartDuring(t Transition, w Worker) ([]Coverage, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if !t.allows(w.Shape()) {
		return nil, &WorkerError{w.Name, "has neither shape of the declared transition"}
	}
	return r.start(w, t.allows)
}

func (r *Registry) start(w Worker, allowed func(Shape) bool) ([]Coverage, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.running[w.Name]; ok {
		return nil, &Conflict{Worker: w.Name, Other: w.Name, Slot: -1, Err: ErrRunning}
	}
	for _, other := range r.sorted() {
		if err := conflict(w, other, allowed); err != nil {
			return nil, err
		}
	}
	if r.running == nil {
		r.running = map[string]Worker{}
	}
	r.running[w.Name] = w.clone()
	return r.coverageBeside(w), nil
}

// Stop takes out the worker of that name, which frees its slots, and returns the coverage that its
// group is left with: none if it was the last. If none of that name runs, the error is
// [ErrNotRunning].
func (r *Registry) Stop(name string) ([]Coverage, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.running[name]
	if !ok {
		return nil, ErrNotRunning
	}
	delete(r.running, name)
	return r.coverageBeside(w), nil
}

// List returns the workers that run, by name. The slice and its topics are the caller's.
func (r *Registry) List() []Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.sorted()
	for i, w := range list {
		list[i] = w.clone()
	}
	return list
}

// Coverage returns the coverage of all groups that have a running member, ordered by group, size,
// rule and topic. A group of which nothing runs is not known here.
func (r *Registry) Coverage() []Coverage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return coverage(r.sorted(), func(Worker) bool { return true })
}

func (r *Registry) coverageBeside(w Worker) []Coverage {
	if w.Filter.Member().Dedicated() {
		return nil
	}
	group := w.Filter.Member().Group()
	return coverage(r.sorted(), func(other Worker) bool { return other.Filter.Member().Group() == group })
}

func (r *Registry) sorted() []Worker {
	return slices.SortedFunc(maps.Values(r.running), func(a, b Worker) int { return strings.Compare(a.Name, b.Name) })
}
