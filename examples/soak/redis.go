package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/slot/commit"
)

// reader is the name of the one consumer in each group: it is the same after a restart, so that
// what was given to it is its own still.
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

// publish gives each entry the number of its event as its ID. IDs only rise, so an event that is
// tried again can be told from one that is missing: there is one publisher, and one batch is a
// transaction.
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
