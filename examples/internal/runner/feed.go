package runner

import (
	"context"
	"fmt"
	"time"
)

// Some brokers drop what a slow consumer does not fetch in time. So the publisher works in windows, and begins the
// next when every member has been through the last. A window ends after a second, so that a loss is seen soon.
const (
	window      = 256     // events
	windowBytes = 4 << 20 // of bodies
	windowTime  = time.Second
)

// A feed says what the publisher takes: its sources over and over, until one of the limits.
type feed struct {
	sources []source
	count   int           // events; 0: no limit
	during  time.Duration // 0: no limit
	rate    float64       // events per second; 0: no limit

	start time.Time
	next  int // events that went out
	// waiting counts those that went out to a member that is away.
	waiting int
	away    *Member
}

func (f *feed) more() bool {
	if f.start.IsZero() {
		f.start = time.Now()
	}
	return (f.count == 0 || f.next < f.count) && (f.during == 0 || time.Since(f.start) < f.during)
}

// due says how long to wait until the next event.
func (f *feed) due() time.Duration {
	if f.rate == 0 {
		return 0
	}
	return time.Until(f.start.Add(time.Duration(float64(f.next) / f.rate * float64(time.Second))))
}

// window publishes until a window is full or the feed ends, and returns how many events went out.
func (s *stage) window(f *feed) (events int, err error) {
	start, bytes := time.Now(), 0
	for f.more() && events < window && bytes < windowBytes && s.interrupt.Err() == nil {
		left := windowTime - time.Since(start)
		wait := f.due()
		if s.pause(min(wait, left)); wait > left {
			break
		}
		if s.interrupt.Err() != nil || !f.more() {
			break
		}
		src := f.sources[f.next%len(f.sources)]
		binary := !s.program.Structured && f.next%2 == 1
		f.next++
		s.mu.Lock()
		e := src.event(s.ledger.Published(src.ID, src.Key()), binary)
		if owner, _ := s.ledger.Owner(src.Key()); f.away != nil && owner == f.away.Name {
			f.waiting++
		}
		s.mu.Unlock()
		if e.Attributes != nil {
			s.binary++
		}
		if err := s.publish(s.Events, e); err != nil {
			return events, fmt.Errorf("%s: %w", src.Origin, err)
		}
		events++
		bytes += len(e.Body)
	}
	return events, s.cause(nil)
}

// pause waits, unless the run ends.
func (s *stage) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.interrupt.Done():
	case <-s.ctx.Done():
	case <-timer.C:
	}
}

func (s *stage) publish(topic string, e Event) error {
	ctx, cancel := context.WithTimeout(s.ctx, timeout)
	defer cancel()
	if err := s.engine.Publish(ctx, topic, e); err != nil {
		return s.cause(fmt.Errorf("publishing to %s: %w", topic, err))
	}
	return nil
}

// flow publishes the feed window by window to members that all run. It ends early where an event
// does not come through. What is missing stands in the ledger.
func (s *stage) flow(f *feed) (published int, err error) {
	for complete := true; complete && f.more() && s.interrupt.Err() == nil; {
		all := s.from(s.Members)
		n, err := s.window(f)
		published += n
		if err != nil {
			return published, err
		}
		if complete, err = s.await(func() bool { return s.ledger.Open() == 0 && s.through(all, n) }); err != nil {
			return published, err
		}
		s.settle()
	}
	return published, nil
}

func (s *stage) settle() {
	s.mu.Lock()
	s.ledger.Settle()
	s.mu.Unlock()
}

// from returns how far members are.
func (s *stage) from(members []*Member) map[*Member]uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := map[*Member]uint64{}
	for _, m := range members {
		at[m] = m.settled()
	}
	return at
}

// through reports whether the members have been through n more events than they had been. The mutex is held.
func (s *stage) through(from map[*Member]uint64, n int) bool {
	for m, settled := range from {
		if !s.program.Routed && m.settled() < settled+uint64(n) {
			return false
		}
	}
	return true
}
