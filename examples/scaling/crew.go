package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// A crew is the workers of a phase, and the publisher's ear for what they report.
type crew struct {
	*stage
	base    string // topics of the crew start with it
	marks   *nats.Subscription
	workers []*worker
	running sync.WaitGroup
	halt    context.CancelFunc
}

// A role is a worker's part in a phase: who it is, what it holds, what it listens to.
type role struct {
	id     string
	member slot.Member
	topics []string
}

// assemble starts a worker for each role and returns when all can be reached through the broker. Topics of the crew
// start with base. Disband the crew after use.
func (s *stage) assemble(base string, roles ...role) (*crew, error) {
	ctx, halt := context.WithCancel(s.ctx)
	c := &crew{stage: s, base: base, halt: halt}
	if err := c.start(ctx, roles); err != nil {
		c.disband()
		return nil, c.cause(err)
	}
	return c, nil
}

func (c *crew) start(ctx context.Context, roles []role) (err error) {
	if c.marks, err = c.nc.SubscribeSync(c.base + ".marks.>"); err != nil {
		return err
	}
	if err := c.marks.SetPendingLimits(-1, -1); err != nil {
		return err
	}
	for _, r := range roles {
		if err := c.join(r); err != nil {
			return err
		}
	}
	for _, w := range c.workers {
		c.running.Go(func() { w.run(ctx) })
	}
	for _, w := range c.workers {
		if err := c.ready(c.base + ".ready." + w.id); err != nil {
			return fmt.Errorf("%s cannot be reached through the broker: %w", w.id, err)
		}
	}
	return nil
}

// join opens a worker's connection and subscriptions.
func (c *crew) join(r role) error {
	nc, err := c.broker.Connect(r.id)
	if err != nil {
		return err
	}
	w := &worker{
		id: r.id, filter: slot.NewFilter(r.member), nc: nc, marks: c.base + ".marks.handled", faults: c.faults, fail: c.fail,
		inbox: make(chan *nats.Msg, 2*window), // the publisher never has more than a window under way
	}
	c.workers = append(c.workers, w)
	for _, topic := range r.topics {
		if _, err := nc.ChanSubscribe(topic, w.inbox); err != nil {
			return err
		}
	}
	_, err = nc.Subscribe(c.base+".ready."+r.id, func(msg *nats.Msg) { msg.Respond(nil) })
	return err
}

// ids returns the workers' ids.
func (c *crew) ids() []string {
	var ids []string
	for _, w := range c.workers {
		ids = append(ids, w.id)
	}
	return ids
}

// disband stops the workers and closes their connections.
func (c *crew) disband() {
	c.halt()
	c.running.Wait()
	for _, w := range c.workers {
		w.nc.Close()
	}
	if c.marks != nil {
		c.marks.Unsubscribe()
	}
}

// reply is where workers say how far they have come.
func (c *crew) reply() string { return c.base + ".marks.seen" }

// collect reads what the workers publish until n reports of progress have come. A worker's marks travel the same
// way before its report, so then all marks of what it has seen are in. If workers fall silent the error is a silence.
func (c *crew) collect(n int, handled func(proof.Mark), progress func(seen)) error {
	reports := map[string]int{}
	for came := 0; came < n; {
		msg, err := c.next()
		if errors.Is(err, context.DeadlineExceeded) && c.ctx.Err() == nil {
			return silence(fmt.Sprintf("no word for %v, %d of %d reports came%s", c.faults.wait(), came, n, c.absent(reports)))
		}
		if err != nil {
			return c.cause(err)
		}
		if msg.Subject != c.reply() {
			var m proof.Mark
			if err := json.Unmarshal(msg.Data, &m); err != nil {
				return fmt.Errorf("marker on %s: %w", msg.Subject, err)
			}
			handled(m)
			continue
		}
		var s seen
		if err := json.Unmarshal(msg.Data, &s); err != nil {
			return fmt.Errorf("report on %s: %w", msg.Subject, err)
		}
		came++
		reports[s.Worker]++
		progress(s)
	}
	return nil
}

func (c *crew) next() (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.faults.wait())
	defer cancel()
	return c.marks.NextMsgWithContext(ctx)
}

// absent names those that have not reported at all, a few of them if they are many.
func (c *crew) absent(reports map[string]int) string {
	ids := slices.DeleteFunc(c.ids(), func(id string) bool { return reports[id] > 0 })
	switch {
	case len(ids) == 0:
		return ""
	case len(ids) > 5:
		return fmt.Sprintf("; nothing from %s and %d others", strings.Join(ids[:5], ", "), len(ids)-5)
	}
	return "; nothing from " + strings.Join(ids, ", ")
}

// A silence is a fault of a phase, not of the run: some worker did not report.
type silence string

func (s silence) Error() string { return string(s) }
