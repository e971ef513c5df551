package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/slot/commit"
)

type kafka struct {
	*kgo.Client
	admin   *kadm.Client
	options []kgo.Opt
}

func connectKafka(address, name string) (client, error) {
	options := []kgo.Opt{
		kgo.SeedBrokers(address), kgo.ClientID(name), kgo.RetryBackoffFn(func(int) time.Duration { return 100 * time.Millisecond }),
		kgo.MetadataMinAge(100 * time.Millisecond), kgo.DialTimeout(2 * time.Second), kgo.ProducerLinger(0),
	}
	cl, err := kgo.NewClient(options...)
	if err != nil {
		return nil, err
	}
	return &kafka{cl, kadm.NewClient(cl), options}, nil
}

func (c *kafka) create(ctx context.Context) error {
	for topic, n := range map[string]int32{eventTopic: partitions, announceTopic: 1} {
		err := retry(ctx, "topic "+topic, func(ctx context.Context) error {
			_, err := c.admin.CreateTopic(ctx, n, 1, nil, topic)
			if errors.Is(err, kerr.TopicAlreadyExists) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// open commits where the reader is to begin: a new one without a committed position would begin
// where its client's settings say.
func (c *kafka) open(ctx context.Context, cursor string, atEnd bool) error {
	return retry(ctx, "group "+cursor, func(ctx context.Context) error {
		start := kadm.Offsets{}
		listed, err := c.admin.ListEndOffsets(ctx, eventTopic)
		if err == nil {
			err = listed.Error()
		}
		if err != nil {
			return err
		}
		listed.Each(func(l kadm.ListedOffset) {
			if !atEnd {
				l.Offset = 0
			}
			start.AddOffset(l.Topic, l.Partition, l.Offset, -1)
		})
		return c.admin.CommitAllOffsets(ctx, cursor, start)
	})
}

func (c *kafka) forget(ctx context.Context, cursor string) error {
	return retry(ctx, "group "+cursor, func(ctx context.Context) error {
		_, err := c.admin.DeleteGroup(ctx, cursor)
		if errors.Is(err, kerr.GroupIDNotFound) {
			return nil
		}
		return err
	})
}

// publish leaves trying again to the client, which numbers what it sends, so that the broker takes
// it once: to give up on a record and send it anew would be another number.
func (c *kafka) publish(ctx context.Context, batch []published) error {
	var records []*kgo.Record
	for _, p := range batch {
		body, err := p.body()
		if err != nil {
			return err
		}
		records = append(records, &kgo.Record{Topic: eventTopic, Key: []byte(p.entity), Value: body})
	}
	if err := c.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func (c *kafka) ends(ctx context.Context) (ends [partitions]int64, err error) {
	err = retry(ctx, "ends of "+eventTopic, func(ctx context.Context) error {
		listed, err := c.admin.ListEndOffsets(ctx, eventTopic)
		if err == nil {
			err = listed.Error()
		}
		if err != nil {
			return err
		}
		for p := range ends {
			o, ok := listed.Lookup(eventTopic, int32(p))
			if !ok {
				return fmt.Errorf("no partition %d", p)
			}
			ends[p] = o.Offset
		}
		return nil
	})
	return ends, err
}

func (c *kafka) read(ctx context.Context) ([]logged, error) {
	ends, err := c.ends(ctx)
	if err != nil {
		return nil, err
	}
	left := int64(0)
	for _, end := range ends {
		left += end
	}
	cl, err := kgo.NewClient(append(c.options, kgo.ConsumeTopics(eventTopic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	var all []logged
	for int64(len(all)) < left {
		fetches := cl.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read the log: %d of %d records: %w", len(all), left, context.Cause(ctx))
		}
		for _, rec := range fetches.Records() {
			all = append(all, logged{place{int(rec.Partition), commit.At(uint64(rec.Offset))}, rec.Value})
		}
	}
	return all, nil
}

func (c *kafka) behind(ctx context.Context, cursor string) (string, error) {
	ends, err := c.ends(ctx)
	if err != nil {
		return "", err
	}
	r := &kafkaReader{kafka: c, group: cursor}
	if err := r.begin(ctx); err != nil {
		return "", err
	}
	var lines []string
	for p, end := range ends {
		if r.committed[p] != end {
			lines = append(lines, fmt.Sprintf("committed %d of %d in partition %d", r.committed[p], end, p))
		}
	}
	return strings.Join(lines, ", "), nil
}

func (c *kafka) announce(body []byte) {
	c.TryProduce(context.Background(), &kgo.Record{Topic: announceTopic, Value: body}, nil)
}

func (c *kafka) listen(ctx context.Context, heard func([]byte)) error {
	cl, err := kgo.NewClient(append(c.options, kgo.ConsumeTopics(announceTopic), kgo.ConsumeResetOffset(kgo.NewOffset().AtEnd()), kgo.FetchMaxWait(500*time.Millisecond))...)
	if err != nil {
		return err
	}
	go func() {
		defer cl.Close()
		for ctx.Err() == nil {
			for _, rec := range cl.PollFetches(ctx).Records() {
				heard(rec.Value)
			}
		}
	}()
	return nil
}

func (c *kafka) close() { c.Client.Close() }
