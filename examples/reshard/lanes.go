package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// laneCount is how many events a member handles at once. Events of one entity share a lane, and so keep their order.
const laneCount = 4

// A job is an own event on its way to the handler.
type job struct {
	position commit.Position
	verdict  slot.Verdict
	body     []byte
}

// lanes handle a member's own events.
type lanes struct {
	m      *member
	queues [laneCount]chan job
	failed chan error
	done   sync.WaitGroup

	mu sync.Mutex
	sw *resize.Switch
}

func newLanes(ctx context.Context, m *member) *lanes {
	l := &lanes{m: m, failed: make(chan error, laneCount), sw: m.sw}
	for i := range l.queues {
		l.queues[i] = make(chan job, 4096)
		l.done.Go(func() { l.run(ctx, l.queues[i]) })
	}
	return l
}

// add puts an event into the lane of its entity. The sum is mixed once more: its lowest bits are
// those that chose the slot, and would leave lanes idle.
func (l *lanes) add(j job) { l.queues[j.verdict.Sum*0x9e3779b1>>30] <- j }

// judgeBy tells the lanes of another plan.
func (l *lanes) judgeBy(sw *resize.Switch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sw = sw
}

// run handles the events of one lane. An entity's event waits, here and not in the consumer's loop,
// until the members that had the entity before have committed past their switches: so none of its
// earlier events comes after it.
func (l *lanes) run(ctx context.Context, queue <-chan job) {
	failed := false
	for j := range queue {
		l.mu.Lock()
		sw := l.sw
		l.mu.Unlock()
		if failed || ctx.Err() != nil || !l.m.others.wait(sw, j.position, routing.Hashed(j.verdict.Sum)) {
			continue // the process ends; what is not done is not committed
		}
		if err := l.handle(ctx, j); err != nil {
			l.failed <- err
			failed = true
		}
	}
}

// handle does the work, here by sleeping, and writes into the handled log that it was done.
func (l *lanes) handle(ctx context.Context, j job) error {
	e, err := events.Parse(j.body)
	if err != nil {
		return err
	}
	if l.m.Work > 0 {
		time.Sleep(rand.N(l.m.Work))
	}
	r := record{Kind: "handled", Member: l.m.Member, Incarnation: l.m.Incarnation, Sequence: j.position.Major, Entity: e.Key()}
	if err := l.m.log(context.WithoutCancel(ctx), r); err != nil {
		return err
	}
	return l.m.frontier.Done(j.position)
}

// wait ends the lanes, and returns when the last handler is back.
func (l *lanes) wait() error {
	for _, queue := range l.queues {
		close(queue)
	}
	l.done.Wait()
	select {
	case err := <-l.failed:
		return err
	default:
		return nil
	}
}

// others know what the members of the group have committed.
type others struct {
	mu      sync.Mutex
	changed *sync.Cond
	ended   bool
	keys    []string // by member: the key of its checkpoint
	stored  map[string]commit.Position
}

func newOthers() *others {
	o := &others{stored: map[string]commit.Position{}}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// follow learns under which keys the members of a plan store their positions in a log.
func (o *others) follow(plan resize.Plan, log string) error {
	var keys []string
	for n := range plan.Members() {
		sw, err := plan.Switch(group, n, routing.Rule{})
		if err != nil {
			return err
		}
		key, err := sw.Checkpoint(log).Key()
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keys = keys
	o.changed.Broadcast()
	return nil
}

// update learns a stored position.
func (o *others) update(key string, value []byte) {
	var s stored
	if json.Unmarshal(value, &s) != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stored[strings.TrimPrefix(key, commitKey(""))] = s.Committed
	o.changed.Broadcast()
}

// committed is what resize.Switch.Drained asks. The caller holds mu.
func (o *others) committed(member int) (commit.Position, bool) {
	if member >= len(o.keys) {
		return commit.Position{}, false
	}
	p, ok := o.stored[o.keys[member]]
	return p, ok
}

// wait returns true when the earlier events of a key are done, and false when the process ends before.
func (o *others) wait(sw *resize.Switch, position commit.Position, route routing.Route) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.ended && !sw.Drained(position, route, o.committed) {
		o.changed.Wait()
	}
	return !o.ended
}

// stop ends all waiting.
func (o *others) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.changed.Broadcast()
}
