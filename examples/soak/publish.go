package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// maxBatch is how many events are on their way to the broker at once.
const maxBatch = 256

// A publisher writes the log, at a steady rate or as fast as the broker takes it.
type publisher struct {
	client   client
	rate     int // 0: as fast as it goes
	entities int
	rng      *rand.Rand
	done     atomic.Bool   // no more events are to be published
	count    atomic.Uint64 // events that the broker has
	log      []string      // the entity of each event, by number from 1: [0] is that of event 1
	elapsed  time.Duration
}

// run publishes until it is told that it is done.
func (p *publisher) run(ctx context.Context) error {
	began := time.Now()
	defer func() { p.elapsed = time.Since(began) }()
	next := p.draw()
	for !p.done.Load() {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		due := maxBatch
		if p.rate > 0 {
			due = int(time.Since(began).Seconds()*float64(p.rate)) - len(p.log)
			if due <= 0 {
				time.Sleep(min(time.Second/time.Duration(p.rate), 5*time.Millisecond))
				continue
			}
		}
		// Events of one entity are never on their way at once, so that to try again cannot change their order.
		var batch []published
		in := map[string]bool{}
		for len(batch) < min(due, maxBatch) && !in[next] {
			in[next] = true
			p.log = append(p.log, next)
			batch = append(batch, published{uint64(len(p.log)), next})
			next = p.draw()
		}
		if err := p.client.publish(ctx, batch); err != nil {
			return err
		}
		p.count.Store(uint64(len(p.log)))
	}
	return nil
}

func (p *publisher) draw() string { return fmt.Sprintf("entity-%05d", p.rng.IntN(p.entities)) }
