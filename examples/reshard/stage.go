package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/slot/commit"
)

// group is the name of the group in all runs.
const group = "reshard"

// A stage is what the processes of one run share on the broker: the log of events, the log of what
// was handled, and a bucket with the plan's text, the members' committed positions and what they
// announce.
type stage struct {
	run string // tells runs on one server apart
	js  jetstream.JetStream
	kv  jetstream.KeyValue
}

func (s *stage) eventStream() string     { return "RESHARD-" + s.run }
func (s *stage) eventTopic() string      { return "reshard." + s.run + ".events" }
func (s *stage) handledStream() string   { return "RESHARD-" + s.run + "-HANDLED" }
func (s *stage) handledTopic() string    { return "reshard." + s.run + ".handled" }
func (s *stage) bucket() string          { return "reshard-" + s.run }
func announceKey(member int) string      { return fmt.Sprintf("announce.%d", member) }
func commitKey(checkpoint string) string { return "commit." + checkpoint }

// planKey is where the plan's text stands.
const planKey = "plan"

// A stored position is the value under a checkpoint's key.
type stored struct {
	Checkpoint string          `json:"checkpoint"` // its text, for people
	Committed  commit.Position `json:"committed"`
	Delivered  commit.Position `json:"delivered"`
	Plan       string          `json:"plan"` // by which the member lived
}

// create makes the streams and the bucket.
func (s *stage) create(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for name, topic := range map[string]string{s.eventStream(): s.eventTopic(), s.handledStream(): s.handledTopic()} {
		if _, err := s.js.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{topic}}); err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	kv, err := s.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: s.bucket()})
	if err != nil {
		return fmt.Errorf("bucket %s: %w", s.bucket(), err)
	}
	s.kv = kv
	return nil
}

// open finds the bucket that another process has made.
func (s *stage) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	kv, err := s.js.KeyValue(ctx, s.bucket())
	s.kv = kv
	return err
}

// remove deletes what create made. It works for a run that was interrupted, too.
func (s *stage) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return errors.Join(s.js.DeleteStream(ctx, s.eventStream()), s.js.DeleteStream(ctx, s.handledStream()), s.js.DeleteKeyValue(ctx, s.bucket()))
}

// put stores a value as JSON.
func (s *stage) put(ctx context.Context, key string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if _, err = s.kv.Put(ctx, key, body); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// get reads a value; ok is false where there is none.
func (s *stage) get(ctx context.Context, key string, value any) (ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	entry, err := s.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(entry.Value(), value)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", key, err)
	}
	return true, nil
}

// watch calls yield with the values there are under a key or pattern, and with each later one, until ctx ends.
func (s *stage) watch(ctx context.Context, pattern string, yield func(key string, value []byte)) error {
	watcher, err := s.kv.Watch(ctx, pattern)
	if err != nil {
		return fmt.Errorf("%s: %w", pattern, err)
	}
	go func() {
		for entry := range watcher.Updates() {
			if entry != nil { // nil: those there are have been given
				yield(entry.Key(), entry.Value())
			}
		}
	}()
	context.AfterFunc(ctx, func() { watcher.Stop() })
	return nil
}

// A record is a line of the handled log.
type record struct {
	Kind        string    `json:"kind"` // "started", "handled", "adopted", "stopped" or "left"
	Member      int       `json:"member"`
	Incarnation string    `json:"incarnation"`
	Time        time.Time `json:"time"`
	// Sequence is that of the event for "handled", that from which the process reads for "started".
	Sequence uint64 `json:"sequence,omitempty"`
	Entity   string `json:"entity,omitempty"`
	Plan     string `json:"plan,omitempty"`
}

// log writes a record, and returns when the broker has it.
func (s *stage) log(ctx context.Context, r record) error {
	r.Time = time.Now()
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if _, err = s.js.Publish(ctx, s.handledTopic(), body); err != nil {
		return fmt.Errorf("%s: %w", s.handledTopic(), err)
	}
	return nil
}

// readLog returns all records so far.
func (s *stage) readLog(ctx context.Context) ([]record, error) {
	ctx, cancel := context.WithTimeout(ctx, 6*timeout)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.handledStream())
	if err != nil {
		return nil, err
	}
	last := stream.CachedInfo().State.LastSeq
	consumer, err := s.js.OrderedConsumer(ctx, s.handledStream(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	var records []record
	for uint64(len(records)) < last {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		var r record
		if err := json.Unmarshal(msg.Data(), &r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}
