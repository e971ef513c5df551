package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// ttl is how old an announcement may be until the audit takes its member for dead.
const ttl = 8 * announceEvery

// A life is one process that ran as a member.
type life struct {
	member      int // -1: an intruder
	incarnation string
	start, end  time.Time // end: zero while it runs
	cpu         time.Duration
	process     *process
}

// A crew starts and ends the members' processes, and hears what they announce. All but hear and
// audit is for one goroutine.
type crew struct {
	config  memberConfig // what all members have in common
	members []slot.Member
	lost    func(error)
	running map[int]*life
	lives   []*life // all there ever were, in the order in which they started

	mu        sync.Mutex
	announced map[string]fleet.Announcement // by incarnation
	gone      map[string]bool               // whose announcements no longer count
}

func newCrew(config memberConfig, size int, lost func(error)) (*crew, error) {
	c := &crew{config: config, lost: lost, running: map[int]*life{}, announced: map[string]fleet.Announcement{}, gone: map[string]bool{}}
	for i := range size {
		m, err := slot.New(slot.Config{Group: group, Size: size, Index: i})
		if err != nil {
			return nil, err
		}
		c.members = append(c.members, m)
	}
	return c, nil
}

// hear takes an announcement.
func (c *crew) hear(body []byte) {
	a, err := fleet.ParseCloudEvent(body)
	if err != nil {
		c.lost(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone[a.Incarnation] {
		c.announced[a.Incarnation] = a.SeenAt(time.Now())
	}
}

// audit judges what was heard of the fleet.
func (c *crew) audit() []fleet.Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []fleet.Announcement
	for _, a := range c.announced {
		all = append(all, a)
	}
	return fleet.Audit(time.Now(), ttl, all)
}

// healthy says what keeps the fleet from being whole: every member heard of lately, and nothing found.
func (c *crew) healthy() error {
	for _, f := range c.audit() {
		return errors.New(f.String())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, l := range c.running {
		if a, heard := c.announced[l.incarnation]; !heard || time.Since(a.Seen) > ttl {
			return fmt.Errorf("nothing is heard of member %d", i)
		}
	}
	return nil
}

// until waits for something.
func until(ctx context.Context, limit time.Duration, ok func() error) error {
	deadline := time.Now().Add(limit)
	for {
		err := ok()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("after %v: %w", limit, err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func memberName(i int) string { return fmt.Sprint("member-", i) }

// start starts the process of a member.
func (c *crew) start(i int) error {
	if c.running[i] != nil {
		return fmt.Errorf("member %d runs already", i)
	}
	m := c.members[i]
	cursor, err := cursorOf(m)
	if err != nil {
		return err
	}
	if size := c.config.Spoil.Size; i == 0 && size > 0 {
		if m, err = slot.New(slot.Config{Group: group, Size: size, Index: 0}); err != nil {
			return err
		}
	}
	l, err := c.launch(i, memberName(i), m, cursor)
	if err == nil {
		c.running[i] = l
	}
	return err
}

// intrude starts a process that does not belong to the group as it is. It has a cursor of its own:
// it is to be found because it is there, not because it takes events from another.
func (c *crew) intrude(name string, m slot.Member, cursor string) (*life, error) {
	return c.launch(-1, name, m, cursor)
}

func (c *crew) launch(i int, name string, m slot.Member, cursor string) (*life, error) {
	config := c.config
	config.Name, config.Member, config.Cursor, config.Incarnation = name, m, cursor, rand.Text()[:10]
	l := &life{member: i, incarnation: config.Incarnation, start: time.Now()}
	var err error
	if l.process, err = start(name, childConfig{Member: &config}, c.lost); err != nil {
		return nil, err
	}
	c.lives = append(c.lives, l)
	return l, nil
}

// finish ends the process of a member: by SIGKILL, or by asking it to.
func (c *crew) finish(i int, kill bool) error {
	l := c.running[i]
	if l == nil {
		return fmt.Errorf("member %d does not run", i)
	}
	delete(c.running, i)
	return c.end(l, kill)
}

func (c *crew) end(l *life, kill bool) error {
	how := l.process.stop
	if kill {
		how = l.process.kill
	}
	err := how()
	if l.end = time.Now(); !l.process.running() {
		l.cpu = l.process.cpu()
	}
	return err
}

// forget drops what an intruder has announced, and will have: the broker may hold some of it.
func (c *crew) forget(l *life) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.announced, l.incarnation)
	c.gone[l.incarnation] = true
}

// stopAll asks all members to stop.
func (c *crew) stopAll() error {
	var errs []error
	for i := range c.members {
		if c.running[i] != nil {
			errs = append(errs, c.finish(i, false))
		}
	}
	return errors.Join(errs...)
}

// killAll ends what is left after a failure.
func (c *crew) killAll() {
	for _, l := range c.lives {
		if l.process.running() {
			c.end(l, true)
		}
	}
}
