// Command kafka is a consumer on Apache Kafka with franz-go, run as the members of a group.
//
// The consumer is in consumer.go: a poll loop as it was, the filter, and a commit.Frontier for each
// partition, which knows what may be committed. The rest of the program shows that it works, on a
// broker inside the process (kfake) or, with -brokers, on your cluster.
//
// What to know of this broker:
//
//   - A consumer group for each member is the broadcast: the group's name has the member's in it.
//     Members of one consumer group share the partitions out: of n members, (n-1)/n of the events
//     are dropped by the member that is given them, and lost. A test of this program shows it.
//     Without a group a member can read all partitions (kgo.ConsumePartitions), from positions that
//     it stores itself.
//   - A position is committed, not a mark on each record. Foreign records must move it, or it
//     sticks where no own event follows, and retention overtakes it. And it must not pass an own
//     event that is not finished, or a crash loses that one; marking each record as it ends would
//     do that, since a mark on n+1 passes an unfinished n. A Frontier sees to both; a test shows
//     it. Commit its position plus 1.
//   - By default franz-go commits what earlier polls have returned, finished or not, and marks do
//     nothing. The options in join are part of the consumer.
//   - A group without a position begins where its client says, at each start until the first
//     commit: at the end it loses what comes before the second start. So join commits where a new
//     group begins, at once. At the end is right for a newcomer; at the start it replays what is
//     kept, old commands included, which all members take.
//   - A group that is away for longer than offsets are kept (offsets.retention.minutes, 7 days) is a new one.
//   - Name a group by group and index, "pairs-3", where slots are dealt or the size never changes
//     (docs/resize.md). Where it may, take the key of a commit.Checkpoint, which has the size, the
//     deal and the rule in it: no member goes on from a position of other slots.
//   - Order is per partition, so all events of a key must go to one: let the record's key be what
//     the slot is made of. Changing the number of partitions moves keys between them, and their
//     order with them. The slot does not change.
//   - A crash rewinds to the committed position: what was finished behind it is handled again. The
//     broker gives partitions to the member's next process only when it takes the old one for dead,
//     after the session timeout: 45 s by default, 10 s here. With kgo.InstanceID(group) it is at
//     once; then a second process of the index throws the first one out.
//   - franz-go heartbeats by itself and has no max.poll.interval: a slow handler loses the
//     partitions only if a rebalance has to wait for it longer than kgo.RebalanceTimeout, a minute.
//     Here that is for the events of one poll, at most 100, beyond those that fit into the inbox.
//     In other clients a loop that does not poll for max.poll.interval.ms, five minutes, is out of
//     the group.
//   - Most errors of a fetch are news, and the client goes on: a lost session, a log that lost records. See ends.
//   - TLS and SASL are options of the client: give join kgo.DialTLSConfig and kgo.SASL, beside kgo.SeedBrokers.
//   - Events are kept for a member that is away, as far as the topic's retention goes.
//   - Headers of CloudEvents are "ce_subject" and so on; of several with one name the last counts.
//   - kfake, for tests, wants a newer franz-go than its go.mod says: name v1.22 or later in yours.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
)

// A consumer is the loop of one member: join, run until its context ends, close.
type consumer struct {
	filter  *slot.Filter
	counter *slot.Counter
	handle  func(*kgo.Record, slot.Verdict)
	failed  func(error) // told of what the consumer gets over

	client    *kgo.Client
	mu        sync.Mutex
	frontiers map[string]map[int32]*commit.Frontier // by topic and partition, since their assignment
}

// inbox is how many own events wait for their handler, before the loop waits for it.
const inbox = 64

// join makes the client, and joins a consumer group of which the member is the only one. If the
// group has no position in a topic yet, it begins at the topic's end, or with replay at its start.
// options are those of the cluster: its addresses, TLS, SASL.
func (c *consumer) join(ctx context.Context, group string, topics []string, replay bool, options ...kgo.Opt) error {
	if err := begin(ctx, group, topics, replay, options); err != nil {
		return fmt.Errorf("where the group %s begins: %w", group, err)
	}
	c.frontiers = map[string]map[int32]*commit.Frontier{}
	var err error
	c.client, err = kgo.NewClient(append(options[:len(options):len(options)],
		kgo.ConsumerGroup(group), kgo.ConsumeTopics(topics...),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), // of partitions that are added later, and where retention has overtaken the group
		kgo.AutoCommitMarks(), kgo.AutoCommitInterval(time.Second), kgo.SessionTimeout(10*time.Second),
		kgo.BlockRebalanceOnPoll(), kgo.OnPartitionsAssigned(c.assigned))...)
	return err
}

// begin commits where a group begins in topics where it has no position. One that has a position in
// some partitions has begun.
func begin(ctx context.Context, group string, topics []string, replay bool, options []kgo.Opt) error {
	client, err := kgo.NewClient(options...)
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	committed, err := admin.FetchOffsets(ctx, group)
	if err == nil {
		err = committed.Error()
	}
	if err != nil && !errors.Is(err, kerr.GroupIDNotFound) {
		return err
	}
	begun := map[string]bool{}
	committed.Each(func(o kadm.OffsetResponse) { begun[o.Topic] = begun[o.Topic] || o.At >= 0 })
	list := admin.ListEndOffsets
	if replay {
		list = admin.ListStartOffsets
	}
	listed, err := list(ctx, topics...)
	if err == nil {
		err = listed.Error()
	}
	if err != nil {
		return err
	}
	start := kadm.Offsets{}
	listed.Each(func(o kadm.ListedOffset) {
		if !begun[o.Topic] {
			start.AddOffset(o.Topic, o.Partition, o.Offset, -1)
		}
	})
	if len(start) == 0 {
		return nil
	}
	return admin.CommitAllOffsets(ctx, group, start)
}

// run polls until the context ends, and finishes the event that is in its handler. What was polled
// beyond it comes again at the next start: the frontiers have not passed it.
func (c *consumer) run(ctx context.Context) error {
	work := make(chan func(), inbox)
	var handler sync.WaitGroup
	handler.Go(func() { // one, so that order is kept
		for job := range work {
			if ctx.Err() == nil { // else it stays unfinished
				job()
			}
		}
	})
	defer handler.Wait()
	defer close(work)
	for {
		fetches := c.client.PollRecords(ctx, 100)
		if ctx.Err() != nil {
			return nil
		}
		var told, end error
		fetches.EachError(func(topic string, partition int32, err error) {
			if err = fmt.Errorf("partition %d of %q: %w", partition, topic, err); ends(err) {
				end = errors.Join(end, err)
				return
			}
			told = err
			c.failed(err)
		})
		for records := fetches.RecordIter(); end == nil && !records.Done() && ctx.Err() == nil; {
			end = c.take(records.Next(), work)
		}
		c.client.AllowRebalance()
		if end != nil {
			return end
		}
		if told != nil && fetches.NumRecords() == 0 { // it may be there again at once
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// ends reports whether an error of a fetch is one that the client does not get over, as the
// documentation of kgo.Fetches.Errors has it: it is closed, it has given a partition up, or the
// broker refuses for good.
func ends(err error) bool {
	var session *kgo.ErrGroupSession
	if errors.As(err, &session) {
		return false // it joins again
	}
	var broker *kerr.Error
	return errors.Is(err, kgo.ErrClientClosed) || errors.Is(err, kgo.ErrMaxDecompress) || errors.As(err, &broker) && !broker.Retriable
}

// take decides on one record, in the order of its partition.
func (c *consumer) take(r *kgo.Record, work chan<- func()) error {
	verdict := c.counter.Count(cloudevent.DecideMessage(c.filter, cloudevent.Message{
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
		if err := frontier.Done(position); err != nil {
			c.failed(err)
		}
		c.mark(r, frontier)
	}
	return nil
}

// mark lets the client commit what is done, unless the partition is being read anew. It commits
// marks in the background, and in close.
func (c *consumer) mark(r *kgo.Record, f *commit.Frontier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if done, ok := f.Committable(); ok && c.frontiers[r.Topic][r.Partition] == f {
		next := kgo.EpochOffset{Epoch: r.LeaderEpoch, Offset: int64(done.Major) + 1}
		c.client.MarkCommitOffsets(map[string]map[int32]kgo.EpochOffset{r.Topic: {r.Partition: next}})
	}
}

// frontier returns that of the record's partition. It starts with the first record after an
// assignment, and anew with a record that is not behind the last one: then the log has lost
// records, or somebody has set the position back.
func (c *consumer) frontier(r *kgo.Record) *commit.Frontier {
	c.mu.Lock()
	defer c.mu.Unlock()
	partitions := c.frontiers[r.Topic]
	if partitions == nil {
		partitions = map[int32]*commit.Frontier{}
		c.frontiers[r.Topic] = partitions
	}
	position := commit.At(uint64(r.Offset))
	if f := partitions[r.Partition]; f != nil {
		if last, ok := f.Delivered(); !ok || last.Before(position) {
			return f
		}
	}
	partitions[r.Partition] = commit.From(position)
	return partitions[r.Partition]
}

// assigned forgets the frontiers of partitions that are read anew, from their committed positions.
// The client calls it while the loop polls, and at no other time.
func (c *consumer) assigned(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for topic, list := range partitions {
		for _, partition := range list {
			delete(c.frontiers[topic], partition)
		}
	}
}

// close commits what is done, when run has returned, and leaves the group.
func (c *consumer) close() error {
	defer c.client.CloseAllowingRebalance()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	return c.client.CommitMarkedOffsets(ctx)
}
