package main

import (
	"sync"
	"time"

	"github.com/slotkey/slotkey/slot/fleet"
)

// An observer keeps the last announcement of each incarnation, and judges them.
type observer struct {
	ttl time.Duration

	mu   sync.Mutex
	last map[string]fleet.Announcement
	news chan struct{} // holds a token when something was heard
}

func newObserver(ttl time.Duration) *observer {
	return &observer{ttl: ttl, last: map[string]fleet.Announcement{}, news: make(chan struct{}, 1)}
}

// hear takes in what a store says; nil is for what was taken back.
func (ob *observer) hear(incarnation string, a *fleet.Announcement) {
	ob.mu.Lock()
	defer ob.mu.Unlock()
	if a == nil {
		delete(ob.last, incarnation)
	} else {
		ob.last[incarnation] = *a
	}
	select {
	case ob.news <- struct{}{}:
	default:
	}
}

// audit judges what was heard, and forgets who has been silent for so long that nobody expects it back.
func (ob *observer) audit(now time.Time) (findings []fleet.Finding, heard []fleet.Announcement) {
	ob.mu.Lock()
	defer ob.mu.Unlock()
	for incarnation, a := range ob.last {
		if now.Sub(a.Seen) > 100*ob.ttl {
			delete(ob.last, incarnation)
			continue
		}
		heard = append(heard, a)
	}
	return fleet.Audit(now, ob.ttl, heard), heard
}
