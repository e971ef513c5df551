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

	"github.com/slotkey/slotkey/slot/commit"
)

// commitEvery is how often a member commits. What it handled since then is handled again after a kill.
const commitEvery = 200 * time.Millisecond

// A kafkaReader reads all partitions for one group.
type kafkaReader struct {
	*kafka
	group string

	mu        sync.Mutex
	from      [partitions]int64
	frontiers [partitions]*commit.Frontier
	committed [partitions]int64
}

func (c *kafka) consume(ctx context.Context, cursor string, take func(delivery) error, settle func()) error {
	r := &kafkaReader{kafka: c, group: cursor}
	if err := r.begin(ctx); err != nil {
		settle()
		return nil // the process ends
	}
	places := map[int32]kgo.Offset{}
	for p, offset := range r.from {
		places[int32(p)] = kgo.NewOffset().At(offset)
	}
	cl, err := kgo.NewClient(append(c.options, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{eventTopic: places}),
		kgo.FetchMaxWait(500*time.Millisecond), kgo.ConsumeResetOffset(kgo.NoResetOffset()))...)
	if err != nil {
		return err
	}
	defer cl.Close()
	committing, stop := context.WithCancel(ctx)
	var committer sync.WaitGroup
	committer.Go(func() { r.commitAll(committing) })
	err = r.loop(ctx, cl, take)
	settle()
	stop()
	committer.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, ignoreEnd(r.commit(last)))
}

// ignoreEnd is for a last commit that the broker did not take in time: what it held is handled again.
func ignoreEnd(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// begin finds the committed positions.
func (r *kafkaReader) begin(ctx context.Context) error {
	return retry(ctx, "group "+r.group, func(ctx context.Context) error {
		stored, err := r.admin.FetchOffsets(ctx, r.group)
		if err == nil {
			err = stored.Error()
		}
		if err != nil {
			return err
		}
		for p := range r.from {
			o, ok := stored.Lookup(eventTopic, int32(p))
			if !ok || o.At < 0 {
				return fmt.Errorf("no committed position in partition %d", p)
			}
			r.from[p], r.committed[p] = o.At, o.At
			r.frontiers[p] = commit.From(commit.At(uint64(o.At)))
		}
		return nil
	})
}

func (r *kafkaReader) loop(ctx context.Context, cl *kgo.Client, take func(delivery) error) error {
	for {
		fetches := cl.PollRecords(ctx, 64)
		if ctx.Err() != nil || fetches.IsClientClosed() {
			return nil
		}
		for _, failed := range fetches.Errors() {
			if errors.Is(failed.Err, kerr.OffsetOutOfRange) {
				return fmt.Errorf("partition %d: %w", failed.Partition, failed.Err)
			}
		}
		for _, rec := range fetches.Records() {
			position, f := commit.At(uint64(rec.Offset)), r.frontiers[rec.Partition]
			d := delivery{topic: rec.Topic, body: rec.Value, record: record{place: place{int(rec.Partition), position}, From: uint64(r.from[rec.Partition]) + 1}}
			d.begin = func(own bool) (bool, error) {
				if !own {
					return false, f.Skip(position)
				}
				return f.Begin(position)
			}
			d.done = func() error { return f.Done(position) }
			if err := take(d); err != nil {
				return err
			}
		}
	}
}

func (r *kafkaReader) commitAll(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(commitEvery):
			r.commit(ctx)
		}
	}
}

// commit commits what has moved. Kafka's position is the next one to read.
func (r *kafkaReader) commit(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	moved := kadm.Offsets{}
	now := r.committed
	for p, f := range r.frontiers {
		if done, ok := f.Committable(); ok && int64(done.Major)+1 != r.committed[p] {
			now[p] = int64(done.Major) + 1
			moved.AddOffset(eventTopic, int32(p), now[p], -1)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	err := retry(ctx, "commit", func(ctx context.Context) error { return r.admin.CommitAllOffsets(ctx, r.group, moved) })
	if err == nil {
		r.committed = now
	}
	return err
}
