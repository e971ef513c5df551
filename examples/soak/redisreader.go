package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/slot/commit"
)

// consume reads first what the group was given and did not acknowledge, then what is new. After a
// lost connection it begins again: what the server sent may not have come.
func (c *redisStream) consume(ctx context.Context, cursor string, take func(delivery) error, settle func()) error {
	defer settle()
	r := &redisReader{redisStream: c, group: cursor, inFlight: map[string]bool{}}
	for ctx.Err() == nil {
		err := r.pass(ctx, take)
		var failed *takeError
		if errors.As(err, &failed) {
			return failed.err
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// A redisReader reads for one group.
type redisReader struct {
	*redisStream
	group string

	mu       sync.Mutex
	inFlight map[string]bool // given to the member, and not yet acknowledged
	// acked has what was acknowledged while old entries are read, nil at other times: such an entry
	// may have been read just before.
	acked map[string]bool
}

// A takeError is what the member says, not the broker.
type takeError struct{ err error }

func (e *takeError) Error() string { return e.err.Error() }

// pass reads until something fails.
func (r *redisReader) pass(ctx context.Context, take func(delivery) error) error {
	r.remember(map[string]bool{})
	for after := "0"; ; {
		entries, err := r.next(ctx, after)
		if err != nil {
			return err
		}
		counts := map[string]uint64{}
		if after != ">" {
			if len(entries) == 0 {
				after = ">"
				r.remember(nil)
				continue
			}
			first := entries[0].ID
			after = entries[len(entries)-1].ID
			pending, err := r.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: eventTopic, Group: r.group, Start: first, End: after, Count: int64(len(entries)), Consumer: reader}).Result()
			if err != nil {
				return err
			}
			for _, p := range pending {
				counts[p.ID] = uint64(p.RetryCount)
			}
		}
		if err := r.hand(ctx, entries, counts, take); err != nil {
			return err
		}
	}
}

func (r *redisReader) remember(acked map[string]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acked = acked
}

// next reads entries that were given before, after an ID, or, for ">", entries that are new.
func (r *redisReader) next(ctx context.Context, after string) ([]redis.XMessage, error) {
	streams, err := r.XReadGroup(ctx, &redis.XReadGroupArgs{Group: r.group, Consumer: reader, Streams: []string{eventTopic, after}, Count: 64, Block: 500 * time.Millisecond}).Result()
	if errors.Is(err, redis.Nil) || err == nil && len(streams) == 0 {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return streams[0].Messages, nil
}

// hand gives entries to the member, and acknowledges those of others together.
func (r *redisReader) hand(ctx context.Context, entries []redis.XMessage, counts map[string]uint64, take func(delivery) error) error {
	var foreign []string
	for _, entry := range entries {
		position, err := commit.ParsePosition(entry.ID)
		if err != nil {
			return &takeError{err}
		}
		text, _ := entry.Values["event"].(string)
		d := delivery{topic: eventTopic, body: []byte(text), record: record{place: place{Position: position}, Deliveries: max(1, counts[entry.ID])}}
		d.begin = func(own bool) (bool, error) {
			if !own {
				foreign = append(foreign, entry.ID)
				return false, nil
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.inFlight[entry.ID] || r.acked[entry.ID] {
				return false, nil
			}
			r.inFlight[entry.ID] = true
			return true, nil
		}
		d.done = func() error {
			if err := r.ack(ctx, entry.ID); err != nil {
				return nil // the process ends: it comes again after the next start
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			delete(r.inFlight, entry.ID)
			if r.acked != nil {
				r.acked[entry.ID] = true
			}
			return nil
		}
		if err := take(d); err != nil {
			return &takeError{err}
		}
	}
	if len(foreign) == 0 {
		return nil
	}
	return r.ack(ctx, foreign...)
}

// ack acknowledges, also when the process has been asked to end and what it has begun is finished.
func (r *redisReader) ack(ctx context.Context, ids ...string) error {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
	}
	return retry(ctx, "acknowledge", func(ctx context.Context) error { return r.XAck(ctx, eventTopic, r.group, ids...).Err() })
}
