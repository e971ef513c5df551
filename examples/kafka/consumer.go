// Command kafka is a consumer on Apache Kafka with franz-go, run as the members of a group.
//
// The consumer is in consumer.go: a poll loop as it was, the filter, and a commit.Frontier for each partition, which knows what may be
// committed. The rest of the program shows that it works, on a broker inside the process (kfake) or, with -brokers, on your cluster.
//
// What to know of this broker:
//
//   - A consumer group for each member is the broadcast: the group's name has the member's in it. Members of one consumer group share
//     the partitions out: of n members, (n-1)/n of the events are dropped by the member that is given them, and lost. A test
//     of this program shows it.
//   - A position is committed, not a mark on each record. Foreign records must move it, or it sticks where no own event follows, and
//     retention overtakes it. And it must not pass an own event that is not finished, or a crash loses that one; marking each record as
//     it ends would do that, since a mark on n+1 passes an unfinished n. A Frontier sees to both; a test shows it. Commit its
//     position plus 1.
//   - Where a new group begins is for the client to say: at the end ("latest") it misses what is published before its first
//     fetch, at the start it replays what is kept. The same holds for a member that was away for longer than offsets are
//     kept (offsets.retention.minutes, 7 days).
//   - Order is per partition, so all events of a key must go to one: let the record's key be what the slot is made of. Changing
//     the number of partitions moves keys between them, and their order with them. The slot does not change.
//   - A crash rewinds to the committed position: what was finished behind it is handled again.
//   - A slow handler holds the poll loop up, and after max.poll.interval or the rebalance timeout the group takes the partitions away. Here the inbox is
//     bounded and holds the loop; kgo keeps the session alive meanwhile.
//   - Events are kept for a member that is away, as far as the topic's retention goes.
//   - Headers of CloudEvents are "ce_subject" and so on; of several with one name the last counts.
package main

import (
	"context"
	"errors"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
)

// A consumer is the loop of one member. In place of m a consumer of yours has its filter, slot.NewFilter(member), and a slot.Counter.
type consumer struct {
	client    *kgo.Client
	m         *runner.Member
	handle    func(*kgo.Record, slot.Verdict)
	frontiers map[string]map[int32]*commit.Frontier // by topic and partition, since their assignment
}

// inbox is how many own events wait for their handler, before the loop waits for it.
const inbox = 64

// run polls until the context ends, and finishes what is in the inbox.
func (c *consumer) run(ctx context.Context) error {
	work := make(chan func(), inbox)
	var handler sync.WaitGroup
	handler.Go(func() { // one, so that order is kept
		for job := range work {
			job()
		}
	})
	defer handler.Wait()
	defer close(work)
	for {
		fetches := c.client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil
		}
		var err error
		fetches.EachError(func(_ string, _ int32, e error) { err = errors.Join(err, e) })
		fetches.EachRecord(func(r *kgo.Record) { err = errors.Join(err, c.take(r, work)) })
		c.client.AllowRebalance()
		if err != nil {
			return err
		}
	}
}

// take decides on one record, in the order of its partition.
func (c *consumer) take(r *kgo.Record, work chan<- func()) error {
	verdict := c.m.Counter.Count(cloudevent.DecideMessage(c.m.Filter, cloudevent.Message{
		Topic: r.Topic, Header: cloudevent.Pairs(cloudevent.Kafka, r.Headers), Body: r.Value}))
	frontier, position := c.frontier(r), commit.At(uint64(r.Offset))
	if !verdict.Admit() { // another member has it
		err := frontier.Skip(position)
		c.mark(r, frontier)
		return err
	}
	if fresh, err := frontier.Begin(position); !fresh {
		return err
	}
	work <- func() {
		c.handle(r, verdict)
		c.m.Fail(frontier.Done(position))
		c.mark(r, frontier)
	}
	return nil
}

// mark lets the client commit what is done. It commits marks in the background, and with CommitMarkedOffsets.
func (c *consumer) mark(r *kgo.Record, f *commit.Frontier) {
	if done, ok := f.Committable(); ok {
		next := kgo.EpochOffset{Epoch: r.LeaderEpoch, Offset: int64(done.Major) + 1}
		c.client.MarkCommitOffsets(map[string]map[int32]kgo.EpochOffset{r.Topic: {r.Partition: next}})
	}
}

// frontier returns that of the record's partition; the first record after an assignment is where it starts.
func (c *consumer) frontier(r *kgo.Record) *commit.Frontier {
	partitions := c.frontiers[r.Topic]
	if partitions == nil {
		partitions = map[int32]*commit.Frontier{}
		c.frontiers[r.Topic] = partitions
	}
	if partitions[r.Partition] == nil {
		partitions[r.Partition] = commit.From(commit.At(uint64(r.Offset)))
	}
	return partitions[r.Partition]
}

// assigned forgets the frontiers of partitions that are read anew, from their committed positions. The client calls it while the
// loop polls, and at no other time.
func (c *consumer) assigned(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	for topic, list := range partitions {
		for _, partition := range list {
			delete(c.frontiers[topic], partition)
		}
	}
}
