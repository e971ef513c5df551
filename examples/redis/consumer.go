// Command redis is a consumer on Redis Streams, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a loop of XREADGROUP and XACK, with a consumer group for each member. The rest of
// the program shows that it works, on a Redis inside the process or, with -url, on your server or cluster.
//
// What to know of this broker:
//
//   - A consumer group for each member is the broadcast; the group has one consumer. Members that are consumers of one group compete: of n
//     members, (n-1)/n of the events are acknowledged by a member that drops them, and lost. A test of this program shows it.
//   - XACK what is dropped, too. Otherwise every foreign event stays in the list of pending entries, for ever, and is read again
//     at each start.
//   - XREADGROUP with ">" never returns an entry twice. What a member had read and not acknowledged when it died it must
//     ask for, with the id 0, before it goes on: then it comes in order, in front of what is new. Nobody else may XAUTOCLAIM it but
//     the member itself.
//   - XGROUP CREATE decides where a new member begins: "$" is from now on, so make all groups before the first event; "0" is the whole stream.
//     BUSYGROUP says that the group is there already, which is what one wants.
//   - XACK does not shorten a stream. Trim it by MAXLEN or MINID, but not above what the slowest member has read: a trimmed
//     entry is gone, and nothing says so.
//   - The group of a member that is gone for good stays, and its lag grows: XGROUP DESTROY it.
//   - Events are kept for a member that is away. After a crash of Redis itself the last ones may be missing, unless appendfsync is "always".
//   - An entry has fields and no headers: put the event into one field in structured mode. Commands have a stream of their
//     own; two streams have no order between them.
package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

// field is the field of an entry that has the event.
const field = "event"

// consume reads a stream until the context ends, and finishes what it has read. again is set for entries that were read before the member started. In place of m a
// consumer of yours has its filter, slot.NewFilter(member), and a slot.Counter.
func consume(ctx context.Context, client redis.UniversalClient, stream, group string, m *runner.Member, handle func(body []byte, verdict slot.Verdict, again bool) error) error {
	finish := context.WithoutCancel(ctx)
	for from := "0"; ctx.Err() == nil; { // at first what was read and never acknowledged
		streams, err := client.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: m.Name, Streams: []string{stream, from}, Count: 100, Block: 200 * time.Millisecond}).Result()
		if ctx.Err() != nil {
			return nil // what came with it is read again at the next start
		}
		if err != nil && err != redis.Nil {
			return err
		}
		if from == "0" && (len(streams) == 0 || len(streams[0].Messages) == 0) {
			from = ">"
		}
		for _, s := range streams {
			var foreign []string
			for _, entry := range s.Messages {
				text, _ := entry.Values[field].(string)
				body := []byte(text)
				verdict := m.Counter.Count(cloudevent.DecideMessage(m.Filter, cloudevent.Message{Topic: s.Stream, Body: body}))
				if !verdict.Admit() {
					foreign = append(foreign, entry.ID) // another member has it
					continue
				}
				if err := handle(body, verdict, from == "0"); err != nil {
					return err // it is read again at the next start
				}
				if err := client.XAck(finish, s.Stream, group, entry.ID).Err(); err != nil {
					return err
				}
			}
			if len(foreign) > 0 {
				if err := client.XAck(finish, s.Stream, group, foreign...).Err(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
