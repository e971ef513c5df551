package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/slot/commit"
)

const streamName = "SOAK"

type jetStream struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	nodes int
	// ackWait is that of the consumers that it makes.
	ackWait time.Duration
}

func connectJetStream(addresses []string, name string, ackWait time.Duration) (client, error) {
	nc, err := nats.Connect(strings.Join(addresses, ","), nats.Name(name), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(100*time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 0), nats.Timeout(2*time.Second),
		nats.PingInterval(2*time.Second), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // errors come back from the calls, too
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(1024), jetstream.WithPublishAsyncTimeout(3*time.Second))
	return &jetStream{nc, js, len(addresses), ackWait}, err
}

func (c *jetStream) create(ctx context.Context) error {
	return retry(ctx, "stream "+streamName, func(ctx context.Context) error {
		_, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: streamName, Subjects: []string{eventTopic}, Storage: jetstream.FileStorage, Replicas: c.nodes, Duplicates: 5 * time.Minute,
		})
		return err
	})
}

func (c *jetStream) open(ctx context.Context, cursor string, atEnd bool) error {
	config := jetstream.ConsumerConfig{Durable: cursor, AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.ackWait, DeliverPolicy: jetstream.DeliverAllPolicy}
	if atEnd {
		config.DeliverPolicy = jetstream.DeliverNewPolicy
	}
	return retry(ctx, "consumer "+cursor, func(ctx context.Context) error {
		_, err := c.js.CreateConsumer(ctx, streamName, config)
		return err
	})
}

func (c *jetStream) forget(ctx context.Context, cursor string) error {
	return retry(ctx, "consumer "+cursor, func(ctx context.Context) error {
		err := c.js.DeleteConsumer(ctx, streamName, cursor)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			return nil
		}
		return err
	})
}

// publish tries the whole batch again if a part of it fails: the broker knows each event by its id, and takes it once.
func (c *jetStream) publish(ctx context.Context, batch []published) error {
	return retry(ctx, "publish", func(ctx context.Context) error {
		var acks []jetstream.PubAckFuture
		for _, p := range batch {
			body, err := p.body()
			if err != nil {
				return err
			}
			ack, err := c.js.PublishAsync(eventTopic, body, jetstream.WithMsgID(p.id()), jetstream.WithStallWait(time.Second))
			if err != nil {
				return err
			}
			acks = append(acks, ack)
		}
		for _, ack := range acks {
			select {
			case <-ack.Ok():
			case err := <-ack.Err():
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
}

func (c *jetStream) consume(ctx context.Context, cursor string, take func(delivery) error, settle func()) error {
	defer c.nc.FlushTimeout(5 * time.Second) // the last acknowledgements
	defer settle()
	var count deliveries
	for ctx.Err() == nil {
		var consumer jetstream.Consumer
		err := retry(ctx, "consumer "+cursor, func(ctx context.Context) (err error) {
			consumer, err = c.js.Consumer(ctx, streamName, cursor)
			return err
		})
		if err == nil {
			err = c.deliver(ctx, consumer, &count, take)
		}
		if ctx.Err() == nil && err != nil {
			return err
		}
	}
	return nil
}

// deliveries is what a process saw of the broker's count of deliveries to its consumer. A server
// that is killed can forget what it delivered last, together with the count of how often: then a
// message comes again as if for the first time. But the count of all deliveries has fallen.
type deliveries struct {
	first, last uint64
	falls       int
}

func (d *deliveries) see(cursor uint64) {
	if d.first == 0 {
		d.first = cursor
	} else if cursor <= d.last {
		d.first = cursor
		d.falls++
	}
	d.last = cursor
}

// deliver takes from a consumer until ctx ends or the iterator closes. An error of take is returned, all others pass.
func (c *jetStream) deliver(ctx context.Context, consumer jetstream.Consumer, count *deliveries, take func(delivery) error) error {
	messages, err := consumer.Messages(jetstream.PullMaxMessages(64), jetstream.PullExpiry(4*time.Second), jetstream.PullHeartbeat(time.Second))
	if err != nil {
		return nil
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil, errors.Is(err, jetstream.ErrMsgIteratorClosed):
			return nil
		case err != nil: // the broker is down, or elects a leader
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		count.see(meta.Sequence.Consumer)
		d := delivery{topic: msg.Subject(), body: msg.Data(), record: record{
			place: place{Position: commit.At(meta.Sequence.Stream)}, Deliveries: meta.NumDelivered,
			Cursor: count.last, First: count.first, Falls: count.falls,
		}}
		d.begin = func(own bool) (bool, error) {
			if !own {
				msg.Ack() // if it is lost, the message comes again
			}
			return own, nil
		}
		d.done = func() error {
			msg.Ack()
			return nil
		}
		if err := take(d); err != nil {
			return err
		}
	}
}

// read goes on where it was after whatever interrupts it.
func (c *jetStream) read(ctx context.Context) ([]logged, error) {
	var all []logged
	err := retry(ctx, "read the log", func(ctx context.Context) error {
		stream, err := c.js.Stream(ctx, streamName)
		if err != nil {
			return err
		}
		state := stream.CachedInfo().State
		if state.Msgs != state.LastSeq {
			return fmt.Errorf("the stream has %d messages and sequences up to %d", state.Msgs, state.LastSeq)
		}
		consumer, err := c.js.OrderedConsumer(ctx, streamName, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: uint64(len(all)) + 1,
		})
		if err != nil {
			return err
		}
		messages, err := consumer.Messages()
		if err != nil {
			return err
		}
		defer messages.Stop()
		for uint64(len(all)) < state.LastSeq {
			msg, err := messages.Next(jetstream.NextContext(ctx))
			if err != nil {
				return err
			}
			meta, err := msg.Metadata()
			if err != nil {
				return err
			}
			if meta.Sequence.Stream != uint64(len(all))+1 {
				return fmt.Errorf("sequence %d follows on %d", meta.Sequence.Stream, len(all))
			}
			all = append(all, logged{place{Position: commit.At(meta.Sequence.Stream)}, msg.Data()})
		}
		return nil
	})
	return all, err
}

func (c *jetStream) behind(ctx context.Context, cursor string) (text string, err error) {
	err = retry(ctx, "consumer "+cursor, func(ctx context.Context) error {
		stream, err := c.js.Stream(ctx, streamName)
		if err != nil {
			return err
		}
		consumer, err := stream.Consumer(ctx, cursor)
		if err != nil {
			return err
		}
		info, last := consumer.CachedInfo(), stream.CachedInfo().State.LastSeq
		text = ""
		if info.NumPending > 0 || info.NumAckPending > 0 || info.AckFloor.Stream < last {
			text = fmt.Sprintf("%d to be delivered, %d not acknowledged, acknowledged up to %d of %d", info.NumPending, info.NumAckPending, info.AckFloor.Stream, last)
		}
		return nil
	})
	return text, err
}

func (c *jetStream) announce(body []byte) { c.nc.Publish(announceTopic, body) }

func (c *jetStream) listen(ctx context.Context, heard func([]byte)) error {
	sub, err := c.nc.Subscribe(announceTopic, func(msg *nats.Msg) { heard(msg.Data) })
	if err == nil {
		context.AfterFunc(ctx, func() { sub.Unsubscribe() })
	}
	return err
}

func (c *jetStream) close() { c.nc.Close() }
