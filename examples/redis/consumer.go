// Command redis is a consumer on Redis Streams, run as the members of a group.
//
// The consumer is in consumer.go: a loop of XREADGROUP and XACK, with a consumer group for each
// member. The rest of the program shows that it works, on a Redis inside the process or, with -url,
// on your server or cluster.
//
// What to know of this broker:
//
//   - A consumer group for each member is the broadcast; the group has one consumer, whose name
//     never changes. Members that are consumers of one group compete: of n members, (n-1)/n of the
//     events are acknowledged by a member that drops them, and lost.
//   - XACK what is dropped, too, and before the own events of a batch are handled: one of them may
//     fail. Otherwise foreign entries stay in the list of pending ones, for ever, and are read
//     again at each start.
//   - XREADGROUP with ">" never returns an entry twice. What was read and not acknowledged one must
//     ask for, with the id 0, before one goes on: after a start, and after each lost connection,
//     since an answer may have been lost with it. Then it comes in order, in front of what is new.
//     Nobody else may XAUTOCLAIM it but the member itself.
//   - go-redis tries again by itself (MaxRetries, 3 by default; in a cluster MaxRedirects): if an
//     answer to ">" is lost, it reads the next entries, and the lost ones stay pending, behind
//     later ones, until the next start. Switch it off, as connect does. For a publisher, too: an
//     XADD whose answer is lost and that is sent again adds the event twice. Its error says that
//     the event may be there; what the publisher sends again has the same source and id.
//   - A handler that fails ends the consumer, and at the next start the same event comes first, for
//     ever. What no attempt will mend, the handler puts aside, with an XADD to a stream of its own,
//     and returns nil.
//   - XGROUP CREATE decides where a new member begins: "$" is from now on, so make all groups
//     before the first event; "0" is all that the stream has, old commands included, which all
//     members take. BUSYGROUP says that the group is there already: that is fine.
//   - A group has a position, so its name says whose: group and index, "pairs-3", where slots are
//     dealt or the size never changes (docs/resize.md). Where it may, take the key of a
//     commit.Checkpoint, which has the size, the deal and the rule in it: no member goes on from a
//     position of other slots.
//   - XACK does not shorten a stream. Trim it by MAXLEN or MINID, but not above what the slowest
//     member has acknowledged. An entry that is trimmed unread is gone, and nothing says so; one
//     that is trimmed while pending comes, with the id 0, without fields: acknowledge it, and tell
//     the loss.
//   - The group of a member that is gone for good stays, and its lag grows: XGROUP DESTROY it.
//   - Events are kept for a member that is away. After a crash of Redis itself the last ones may be
//     missing, unless appendfsync is "always".
//   - A cluster wants its own kind of client, which knows the nodes: redis.UniversalOptions has two
//     addresses or more, or IsClusterMode. With one address the answer is MOVED. A stream is one
//     key, on one node.
//   - An entry has fields and no headers: put the event into one field in structured mode. Commands
//     have a stream of their own; two streams have no order between them.
//   - miniredis, for tests: the lag that it reports is the length of the stream, and it leaves out
//     pending entries that were trimmed.
package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// field is the field of an entry that has the event.
const field = "event"

// connect returns a client that sends each command once: to repeat one whose answer is lost is for
// its caller. In a cluster that includes commands that met a moved slot.
func connect(o redis.UniversalOptions) redis.UniversalClient {
	o.MaxRetries, o.MaxRedirects = -1, -1
	return redis.NewUniversalClient(&o)
}

// makeGroup makes a member's group, which begins with what is added from now on, unless the group
// is there from the last time.
func makeGroup(ctx context.Context, client redis.UniversalClient, stream, group string) error {
	err := client.XGroupCreateMkStream(ctx, stream, group, "$").Err()
	if redis.HasErrorPrefix(err, "BUSYGROUP") {
		return nil
	}
	return err
}

// A consumer is the loop of one member on one stream.
type consumer struct {
	client              redis.UniversalClient // of connect
	stream, group, name string                // name is that of the group's only consumer: the same at each start
	filter              *slot.Filter
	counter             *slot.Counter
	handle              func(body []byte, verdict slot.Verdict, again bool) error // again: the entry was read before
	failed              func(error)                                               // told of what the consumer gets over, and of losses

	done []string // what is to be acknowledged
}

// run reads until the context ends, and finishes the event that is in its handler; what was read
// beyond it comes again at the next start. It returns the errors of the handler, and those of the
// server that waiting does not mend.
func (c *consumer) run(ctx context.Context) error {
	for from := "0"; ctx.Err() == nil; { // at first what was read and never acknowledged
		entries, err := c.read(ctx, from)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !passes(err):
			return err
		case err != nil:
			c.failed(err)
			from = "0" // entries may have been lost with the answer
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		case len(entries) == 0:
			from = ">"
		default:
			if err := c.take(ctx, entries, from == "0"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *consumer) read(ctx context.Context, from string) ([]redis.XMessage, error) {
	if err := c.acknowledge(ctx); err != nil {
		return nil, err
	}
	streams, err := c.client.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: c.group, Consumer: c.name, Streams: []string{c.stream, from}, Count: 100, Block: 200 * time.Millisecond}).Result()
	if err == redis.Nil || err == nil && len(streams) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return streams[0].Messages, nil
}

// take decides on all entries first, so that foreign ones do not wait for the member's own.
func (c *consumer) take(ctx context.Context, entries []redis.XMessage, again bool) error {
	type event struct {
		id      string
		body    []byte
		verdict slot.Verdict
	}
	var own []event
	for _, entry := range entries {
		if entry.Values == nil {
			c.failed(fmt.Errorf("entry %s of %s is lost: it was trimmed before it was handled", entry.ID, c.stream))
			c.done = append(c.done, entry.ID)
			continue
		}
		text, _ := entry.Values[field].(string)
		body := []byte(text)
		verdict := c.counter.Count(cloudevent.DecideMessage(c.filter, cloudevent.Message{Topic: c.stream, Body: body}))
		if !verdict.Admit() { // another member has it
			c.done = append(c.done, entry.ID)
			continue
		}
		own = append(own, event{entry.ID, body, verdict})
	}
	_ = c.acknowledge(ctx) // read tries again, and tells
	for _, e := range own {
		if ctx.Err() != nil {
			return nil
		}
		if err := c.handle(e.body, e.verdict, again); err != nil {
			return err // it is read again at the next start
		}
		c.done = append(c.done, e.id)
		_ = c.acknowledge(ctx)
	}
	return nil
}

// acknowledge acknowledges what is done, also when the context has ended. What the server did not
// answer for stays, so that it is acknowledged before anything is read again.
func (c *consumer) acknowledge(ctx context.Context) error {
	if len(c.done) == 0 {
		return nil
	}
	err := c.client.XAck(context.WithoutCancel(ctx), c.stream, c.group, c.done...).Err()
	if err == nil {
		c.done = nil
	}
	return err
}

// passes reports whether an error is one to wait out: of the connection, or of a server that
// starts, fails over or moves slots.
func passes(err error) bool {
	var answer redis.Error
	if !errors.As(err, &answer) {
		return !errors.Is(err, redis.ErrClosed)
	}
	return slices.ContainsFunc([]string{
		"LOADING", "READONLY", "MASTERDOWN", "NOREPLICAS", "UNBLOCKED", "max number of clients reached",
		"CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK",
	}, func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) })
}
