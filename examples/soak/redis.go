package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/slot/commit"
)

// reader is the name of the one consumer in each group: it is the same after a restart, so that what was given to it is its own still.
const reader = "reader"

type redisStream struct {
	*redis.Client
	// published is the number of the last event that the log is known to hold.
	published uint64
}

func connectRedis(address string) client {
	redis.SetLogger(silence{}) // while the broker is down it has much to say that comes back from the calls, too
	return &redisStream{Client: redis.NewClient(&redis.Options{Addr: address, DialTimeout: 2 * time.Second, MaxRetries: -1})}
}

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// create waits until the server answers. A stream begins with its first entry.
func (c *redisStream) create(ctx context.Context) error {
	return retry(ctx, "redis-server", func(ctx context.Context) error { return c.Ping(ctx).Err() })
}

func (c *redisStream) open(ctx context.Context, cursor string, atEnd bool) error {
	from := "0"
	if atEnd {
		from = "$"
	}
	return retry(ctx, "group "+cursor, func(ctx context.Context) error {
		err := c.XGroupCreateMkStream(ctx, eventTopic, cursor, from).Err()
		if err != nil && strings.HasPrefix(err.Error(), "BUSYGROUP") {
			return nil // made by a try whose answer was lost
		}
		return err
	})
}

func (c *redisStream) forget(ctx context.Context, cursor string) error {
	return retry(ctx, "group "+cursor, func(ctx context.Context) error { return c.XGroupDestroy(ctx, eventTopic, cursor).Err() })
}

// publish gives each entry the number of its event as its ID. IDs only rise, so an event that is tried again can be told from one that is missing: there is
// one publisher, and one batch is a transaction.
func (c *redisStream) publish(ctx context.Context, batch []published) error {
	unsure := false
	return retry(ctx, "publish", func(ctx context.Context) error {
		if unsure {
			last, err := c.XRevRangeN(ctx, eventTopic, "+", "-", 1).Result()
			if err != nil {
				return err
			}
			if len(last) > 0 {
				p, err := commit.ParsePosition(last[0].ID)
				if err != nil {
					return err
				}
				c.published = p.Major
			}
		}
		unsure = true
		_, err := c.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			for _, p := range batch {
				body, err := p.body()
				if err != nil {
					return err
				}
				if p.number > c.published {
					pipe.XAdd(ctx, &redis.XAddArgs{Stream: eventTopic, ID: fmt.Sprintf("%d-0", p.number), Values: []any{"event", body}})
				}
			}
			return nil
		})
		if err == nil {
			c.published = batch[len(batch)-1].number
		}
		return err
	})
}

// consume reads first what the group was given and did not acknowledge, then what is new. After a lost connection it begins again: what
// the server sent may not have come.
func (c *redisStream) consume(ctx context.Context, cursor string, take func(delivery) error, settle func()) error {
	defer settle()
	r := &redisReader{c, cursor, sync.Mutex{}, map[string]bool{}}
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
}

// A takeError is what the member says, not the broker.
type takeError struct{ err error }

func (e *takeError) Error() string { return e.err.Error() }

// pass reads until something fails.
func (r *redisReader) pass(ctx context.Context, take func(delivery) error) error {
	for after := "0"; ; {
		entries, err := r.next(ctx, after)
		if err != nil {
			return err
		}
		counts := map[string]uint64{}
		if after != ">" {
			if len(entries) == 0 {
				after = ">"
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
			if r.inFlight[entry.ID] {
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

func (c *redisStream) read(ctx context.Context) ([]logged, error) {
	var all []logged
	for from := "-"; ; {
		var page []redis.XMessage
		err := retry(ctx, "read the log", func(ctx context.Context) (err error) {
			page, err = c.XRangeN(ctx, eventTopic, from, "+", 1000).Result()
			return err
		})
		if err != nil || len(page) == 0 {
			return all, err
		}
		for _, entry := range page {
			position, err := commit.ParsePosition(entry.ID)
			if err != nil {
				return nil, err
			}
			text, _ := entry.Values["event"].(string)
			all = append(all, logged{place{Position: position}, []byte(text)})
		}
		from = "(" + page[len(page)-1].ID
	}
}

func (c *redisStream) behind(ctx context.Context, cursor string) (text string, err error) {
	err = retry(ctx, "group "+cursor, func(ctx context.Context) error {
		stream, err := c.XInfoStream(ctx, eventTopic).Result()
		if err != nil {
			return err
		}
		groups, err := c.XInfoGroups(ctx, eventTopic).Result()
		if err != nil {
			return err
		}
		text = "there is no such group"
		for _, g := range groups {
			if g.Name != cursor {
				continue
			}
			text = ""
			if g.Pending > 0 || g.LastDeliveredID != stream.LastGeneratedID {
				text = fmt.Sprintf("%d not acknowledged, delivered up to %s of %s", g.Pending, g.LastDeliveredID, stream.LastGeneratedID)
			}
		}
		return nil
	})
	return text, err
}

func (c *redisStream) announce(body []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.Publish(ctx, announceTopic, body)
}

func (c *redisStream) listen(ctx context.Context, heard func([]byte)) error {
	sub := c.Subscribe(ctx, announceTopic) // go-redis subscribes again after a lost connection
	go func() {
		for msg := range sub.Channel() {
			heard([]byte(msg.Payload))
		}
	}()
	context.AfterFunc(ctx, func() { sub.Close() })
	return nil
}

func (c *redisStream) close() { c.Client.Close() }
