package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

// meaning is for -h.
const meaning = `the Kafka brokers there, with commas between (for TLS
                    and SASL see options in main.go)`

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "kafka",
		Summary: "kafka divides a stream of CloudEvents among consumers of Apache Kafka.",
		Address: runner.Address{Flag: "brokers", Meaning: meaning, Example: "localhost:9092,localhost:9093", Check: check},
		Keeps:   true,
		Open: func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
			return open(ctx, site, func(m *runner.Member) string { return m.Name })
		},
	}
}

func check(brokers string) error {
	for _, address := range addresses(brokers) {
		if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
			return fmt.Errorf("-brokers has %q; wanted is an address like localhost:9092", address)
		}
	}
	return nil
}

func addresses(brokers string) []string {
	list := strings.Split(brokers, ",")
	for i, address := range list {
		list[i] = strings.TrimSpace(address)
	}
	return list
}

// partitions of the stream: more than one, so that positions are kept for each.
const partitions = 4

type engine struct {
	embedded *kfake.Cluster // nil with -brokers
	brokers  []string
	client   *kgo.Client // the publisher's
	admin    *kadm.Client
	site     *runner.Site
	group    func(*runner.Member) string
	name     string
}

func open(ctx context.Context, site *runner.Site, group func(*runner.Member) string) (runner.Engine, error) {
	e := &engine{site: site, group: group, brokers: addresses(site.URL)}
	if site.URL == "" {
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
		if err != nil {
			return nil, fmt.Errorf("embedded Kafka: %w", err)
		}
		e.embedded, e.brokers = cluster, cluster.ListenAddrs()
	}
	if err := e.start(ctx); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

func (e *engine) start(ctx context.Context) (err error) {
	e.client, err = kgo.NewClient(append(e.options("publisher"), kgo.ProducerLinger(0))...)
	if err != nil {
		return err
	}
	e.admin = kadm.NewClient(e.client)
	if e.name, err = e.describe(ctx); err != nil {
		return err
	}
	for topic, n := range map[string]int32{e.site.Events: partitions, e.site.Command(): 1} {
		if _, err := e.admin.CreateTopic(ctx, n, -1, nil, topic); err != nil {
			return fmt.Errorf("%s: the topic %s could not be made: %w", e.name, topic, err)
		}
	}
	return nil
}

const dialTimeout = 3 * time.Second

// options are those of all clients. A cluster with TLS or SASL wants kgo.DialTLSConfig and kgo.SASL here.
func (e *engine) options(name string) []kgo.Opt {
	return []kgo.Opt{kgo.SeedBrokers(e.brokers...), kgo.ClientID(name), kgo.DialTimeout(dialTimeout)}
}

// describe asks the brokers what they are.
func (e *engine) describe(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	where := strings.Join(e.brokers, ",")
	versions, err := e.admin.ApiVersions(ctx)
	if err == nil {
		err = e.client.Ping(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("no Kafka broker at %s: %w", where, err)
	}
	if e.embedded != nil {
		return "kfake, embedded in this process", nil
	}
	for _, v := range versions {
		return "Kafka (" + v.VersionGuess() + ") at " + where, nil
	}
	return "Kafka at " + where, nil
}

func (e *engine) Describe() string { return e.name }

// Publish gives the record the event's key, so that a subject stays in one partition, and in order.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	r := &kgo.Record{Topic: topic, Key: []byte(event.Key), Value: event.Body}
	if event.ContentType != "" {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: "content-type", Value: []byte(event.ContentType)})
	}
	for name, value := range event.Attributes {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: "ce_" + name, Value: []byte(value)})
	}
	return e.client.ProduceSync(ctx, r).FirstErr()
}

func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	c := &consumer{
		filter: m.Filter, counter: &m.Counter, failed: m.Fail,
		handle: func(r *kgo.Record, verdict slot.Verdict) {
			received, err := runner.Read(r.Value, func(attribute string) string { return header(r, "ce_"+attribute) })
			m.Handle(verdict, received, false, err)
		},
	}
	if err := c.join(ctx, e.group(m), m.Topics, false, e.options(m.Name)...); err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var loop sync.WaitGroup
	loop.Go(func() { m.Fail(c.run(running)) })
	return func() error {
		stop()
		loop.Wait()
		return c.close()
	}, nil
}

func header(r *kgo.Record, name string) string {
	for i := len(r.Headers) - 1; i >= 0; i-- {
		if strings.EqualFold(r.Headers[i].Key, name) {
			return string(r.Headers[i].Value)
		}
	}
	return ""
}

// Pending is the lag of the member's group: what lies between its committed positions and the ends of the topics.
func (e *engine) Pending(ctx context.Context, m *runner.Member) (int, error) {
	ends, err := e.admin.ListEndOffsets(ctx, m.Topics...)
	if err != nil {
		return 0, err
	}
	committed, err := e.admin.FetchOffsets(ctx, e.group(m))
	if err != nil {
		return 0, err
	}
	pending := 0
	ends.Each(func(end kadm.ListedOffset) {
		at, _ := committed.Lookup(end.Topic, end.Partition) // zero where nothing was committed
		pending += int(end.Offset - max(at.At, 0))
	})
	return pending, nil
}

// Close deletes the topics and the groups.
func (e *engine) Close() error {
	defer e.stop()
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	if _, err := e.admin.DeleteTopics(ctx, e.site.Events, e.site.Command()); err != nil {
		return fmt.Errorf("the topics could not be deleted: %w", err)
	}
	for _, m := range e.site.Members {
		if _, err := e.admin.DeleteGroup(ctx, e.group(m)); err != nil && !errors.Is(err, kerr.GroupIDNotFound) {
			return fmt.Errorf("the consumer group %s could not be deleted: %w", e.group(m), err)
		}
	}
	return nil
}

func (e *engine) stop() {
	if e.client != nil {
		e.client.Close()
	}
	if e.embedded != nil {
		e.embedded.Close()
	}
}
