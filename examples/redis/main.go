package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

// meaning is for -h: how many addresses there are tells a server from a cluster.
const meaning = `the Redis server there, or a cluster by two of its
                    nodes or more, with commas between (if it has one
                    address only, give it twice)`

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "redis",
		Summary: "redis divides a stream of CloudEvents among consumers of Redis Streams.",
		Address: runner.Address{Flag: "url", Meaning: meaning, Example: "redis://localhost:6379", Check: func(url string) error {
			_, err := parse(url)
			return err
		}},
		Keeps:      true,
		Structured: true,
		Open: func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
			return open(ctx, site, func(m *runner.Member) string { return m.Name })
		},
	}
}

type engine struct {
	embedded *miniredis.Miniredis // nil with a url
	options  redis.UniversalOptions
	client   redis.UniversalClient // the publisher's
	site     *runner.Site
	group    func(*runner.Member) string
	name     string
}

func open(ctx context.Context, site *runner.Site, group func(*runner.Member) string) (runner.Engine, error) {
	e := &engine{site: site, group: group}
	url := site.URL
	if url == "" {
		e.embedded = miniredis.NewMiniRedis()
		if err := e.embedded.Start(); err != nil {
			return nil, fmt.Errorf("embedded Redis: %w", err)
		}
		url = "redis://" + e.embedded.Addr()
	}
	var err error
	if e.options, err = parse(url); err != nil {
		return nil, err
	}
	e.client = connect(e.options)
	if e.name, err = e.describe(ctx); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

func (e *engine) Describe() string { return e.name }

// Publish adds an event once. After an error it may be there or not, so the run ends: whoever sends
// it again may add it twice.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	return e.client.XAdd(ctx, &redis.XAddArgs{Stream: topic, Values: []any{field, event.Body}}).Err()
}

// Join makes the member's groups, unless they are there from the last time, and starts a consumer for each stream.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	client := connect(e.options)
	for _, topic := range m.Topics {
		if err := makeGroup(ctx, client, topic, e.group(m)); err != nil {
			client.Close()
			return nil, err
		}
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var consumers sync.WaitGroup
	for _, topic := range m.Topics {
		c := &consumer{
			client: client, stream: topic, group: e.group(m), name: m.Name,
			filter: m.Filter, counter: &m.Counter, failed: m.Fail,
			handle: func(body []byte, verdict slot.Verdict, again bool) error {
				received, err := runner.Read(body, nil)
				m.Handle(verdict, received, again, err)
				return nil
			},
		}
		consumers.Go(func() { m.Fail(c.run(running)) })
	}
	return func() error {
		stop()
		consumers.Wait()
		return client.Close()
	}, nil
}

// Pending is what the groups have not delivered, and what they have delivered and not seen
// acknowledged. The server's own word for the former, lag, is unknown after some deletions, and
// wrong in miniredis.
func (e *engine) Pending(ctx context.Context, m *runner.Member) (int, error) {
	pending := 0
	for _, topic := range m.Topics {
		groups, err := e.client.XInfoGroups(ctx, topic).Result()
		if err != nil {
			return 0, err
		}
		for _, g := range groups {
			if g.Name != e.group(m) {
				continue
			}
			unread, err := e.client.XRangeN(ctx, topic, "("+g.LastDeliveredID, "+", 1000).Result()
			if err != nil {
				return 0, err
			}
			pending += int(g.Pending) + len(unread)
		}
	}
	return pending, nil
}

// Close deletes the streams, and the groups with them.
func (e *engine) Close() error {
	defer e.stop()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for _, topic := range []string{e.site.Events, e.site.Command()} {
		if err := e.client.Del(ctx, topic).Err(); err != nil {
			return fmt.Errorf("the stream %s could not be deleted: %w", topic, err)
		}
	}
	return nil
}

func (e *engine) stop() {
	e.client.Close()
	if e.embedded != nil {
		e.embedded.Close()
	}
}
