package runner

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/proof"
	"github.com/slotkey/slotkey/slot"
)

// A Site is what an engine is told about the run.
type Site struct {
	URL string // of a running server or cluster; empty: embedded
	// Space is what names on the broker begin with: "demo", and "demo-" with eight more characters
	// on a server that others use, too.
	Space   string
	Events  string // the topic of the stream, tokens separated by dots
	Members []*Member
	Listen  []string // one address for each member, or none

	program   Program
	options   options
	sources   []source
	interrupt context.Context // ends on a signal
	ctx       context.Context // ends when the run cannot go on
	cancel    context.CancelCauseFunc

	mu        sync.Mutex
	ledger    *proof.Ledger
	commanded map[string]int // commands handled, by member
	changed   chan struct{}  // an event has been handled
}

func newSite(ctx context.Context, p Program, o options, list []events.Event) (*Site, error) {
	s := &Site{
		URL: o.url, Space: "demo", Events: "demo.events", Listen: o.listening(), program: p, options: o, interrupt: ctx,
		ledger: proof.NewLedger(), commanded: map[string]int{}, changed: make(chan struct{}, 1),
	}
	suffix := ""
	if o.url != "" {
		run := strings.ToLower(rand.Text()[:8])
		s.Space, s.Events, suffix = "demo-"+run, "demo."+run+".events", "-"+run
	}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	for _, e := range list {
		source, err := newSource(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Origin, err)
		}
		s.sources = append(s.sources, source)
	}
	for i := range o.members {
		member, err := slot.New(slot.Config{Group: group, Size: o.members, Index: i})
		if err != nil {
			return nil, err
		}
		m := &Member{Name: fmt.Sprintf("member-%d%s", i, suffix), Index: i, Filter: slot.NewFilter(member), site: s}
		s.Members = append(s.Members, m)
	}
	command := s.Command()
	for _, m := range s.Members {
		m.Topics = []string{s.Events, command}
	}
	return s, nil
}

// Command is the topic of the command of this run: it addresses the last member, and all members receive it.
func (s *Site) Command() string { return "wrk.demo.command." + s.Members[len(s.Members)-1].Name }

// Fail ends the run: something broke that is no fault of the division. A nil error is none. It may
// be called by any goroutine.
func (s *Site) Fail(err error) {
	if err != nil {
		s.fail(err)
	}
}

func (s *Site) fail(err error) { s.cancel(err) }

// cause returns why the run as a whole ends, if it does; else err.
func (s *Site) cause(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	return err
}

// tell wakes whoever waits for progress.
func (s *Site) tell() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *Site) silence() time.Duration {
	if s.program.Silence > 0 {
		return s.program.Silence
	}
	return 10 * time.Second
}

// progress returns the number of events that all members have dropped or handled. The mutex is held.
func (s *Site) progress() (n uint64) {
	for _, m := range s.Members {
		n += m.settled()
	}
	return n
}

// await returns true when done does. It returns false when nothing has happened for as long as the silence.
func (s *Site) await(done func() bool) (bool, error) {
	dropped := time.NewTicker(2 * time.Millisecond) // of which nobody tells
	defer dropped.Stop()
	moved, last := time.Now(), uint64(0)
	for {
		s.mu.Lock()
		ready, now := done(), s.progress()
		s.mu.Unlock()
		if ready {
			return true, nil
		}
		if now != last {
			moved, last = time.Now(), now
		} else if time.Since(moved) > s.silence() {
			return false, nil
		}
		select {
		case <-s.ctx.Done():
			return false, s.cause(nil)
		case <-s.changed:
		case <-dropped.C:
		}
	}
}
