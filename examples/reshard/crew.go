package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
)

// patience is how long a process may take to start, stop or answer, on a busy machine too.
const patience = 60 * time.Second

// A life is one process that ran as a member.
type life struct {
	member      int
	incarnation string
	start, end  time.Time // end: zero while it runs
	killed      bool
}

// A process is a member that runs.
type process struct {
	life
	cmd   *exec.Cmd
	stdin io.WriteCloser // closed: it is to stop
	ended chan struct{}  // closed when it has
	wait  error          // valid then
}

// A crew starts and ends the processes of a run, and reads what they announce.
type crew struct {
	config  memberConfig
	program string
	stderr  io.Writer
	fail    func(error) // called, from any goroutine, when a process ends that should not

	mu        sync.Mutex
	changed   *sync.Cond
	running   map[int]*process
	lives     []life
	announced map[string]fleet.Announcement // by incarnation
	ended     error
}

func newCrew(ctx context.Context, s *stage, config memberConfig, stderr io.Writer, fail func(error)) (*crew, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &crew{config: config, program: program, stderr: &sharedWriter{w: stderr}, fail: fail, running: map[int]*process{}, announced: map[string]fleet.Announcement{}}
	c.changed = sync.NewCond(&c.mu)
	context.AfterFunc(ctx, func() { c.end(context.Cause(ctx)) })
	return c, s.watch(ctx, announceKey(0)[:len("announce.")]+"*", c.hear)
}

// hear takes an announcement.
func (c *crew) hear(_ string, value []byte) {
	var a fleet.Announcement
	if json.Unmarshal(value, &a) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.announced[a.Incarnation] = a.SeenAt(time.Now())
	c.changed.Broadcast()
}

func (c *crew) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = err
	c.changed.Broadcast()
}

// A sharedWriter takes the errors of all processes.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// start starts a process.
func (c *crew) start(member int) error {
	config := c.config
	config.Member, config.Incarnation = member, rand.Text()[:8]
	body, err := json.Marshal(config)
	if err != nil {
		return err
	}
	p := &process{life: life{member: member, incarnation: config.Incarnation, start: time.Now()}, cmd: exec.Command(c.program), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), memberVariable+"="+string(body))
	p.cmd.Stderr = c.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[member] != nil {
		return fmt.Errorf("member %d runs already", member)
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	c.running[member] = p
	go c.attend(p)
	return nil
}

// attend waits for the end of a process.
func (c *crew) attend(p *process) {
	err := p.cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	p.end, p.wait = time.Now(), err
	delete(c.running, p.member)
	c.lives = append(c.lives, p.life)
	c.changed.Broadcast()
	close(p.ended)
	if err != nil && !p.killed {
		go c.fail(fmt.Errorf("the process of member %d ended: %w", p.member, err))
	}
}

// finish ends a process: by SIGKILL, or by asking it to. It returns when the process has ended.
func (c *crew) finish(member int, kill bool) error {
	c.mu.Lock()
	p := c.running[member]
	if p != nil {
		p.killed = kill
	}
	c.mu.Unlock()
	if p == nil {
		return fmt.Errorf("member %d does not run", member)
	}
	if kill {
		if err := p.cmd.Process.Kill(); err != nil {
			return err
		}
	} else {
		p.stdin.Close()
	}
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.cmd.Process.Kill()
		return fmt.Errorf("member %d does not end", member)
	}
	if kill {
		return nil
	}
	return p.wait
}

// join starts a newcomer to a plan. One that the plan had let go, and that has not left yet, stays
// if it has heard of the plan in time; else it is started again when it has left.
func (c *crew) join(member int, text string) error {
	if err := c.await(fmt.Sprintf("for member %d to stay or to leave", member), func(m int, a fleet.Announcement) bool {
		return m != member || a.Plan == text
	}); err != nil {
		return err
	}
	if slices.Contains(c.members(), member) {
		return nil
	}
	return c.start(member)
}

// await returns when ok says so of every process that runs and of what it announced last.
func (c *crew) await(what string, ok func(member int, a fleet.Announcement) bool) error {
	timer := time.AfterFunc(patience, func() { c.end(fmt.Errorf("waited too long: %s", what)) })
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.ended == nil {
		missing := false
		for member, p := range c.running {
			a, heard := c.announced[p.incarnation]
			missing = missing || !ok(member, a) || !heard
		}
		if !missing {
			return nil
		}
		c.changed.Wait()
	}
	return c.ended
}

// haveText waits until every process that runs has a plan.
func (c *crew) haveText(text string) error {
	return c.await("for members to take up "+text, func(member int, a fleet.Announcement) bool {
		return a.Plan == text || c.config.Faults.deaf(member)
	})
}

// haveCommitted waits until every process that runs has committed up to a position, and those that leave have left.
func (c *crew) haveCommitted(last commit.Position, stay int) error {
	return c.await("for members to commit "+last.String(), func(member int, a fleet.Announcement) bool {
		return member < stay && !a.Committed.Before(last)
	})
}

// audit judges what the processes that run have announced.
func (c *crew) audit() []fleet.Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	var announcements []fleet.Announcement
	for _, p := range c.running {
		announcements = append(announcements, c.announced[p.incarnation])
	}
	return fleet.Audit(time.Now(), patience, announcements)
}

// members returns who runs.
func (c *crew) members() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []int
	for member := range c.running {
		all = append(all, member)
	}
	slices.Sort(all)
	return all
}

// stopAll asks all processes to stop, and waits for them.
func (c *crew) stopAll() error {
	var errs []error
	for _, member := range c.members() {
		errs = append(errs, c.finish(member, false))
	}
	return errors.Join(errs...)
}

// killAll ends what is left after a failure.
func (c *crew) killAll() {
	for _, member := range c.members() {
		c.finish(member, true)
	}
}
