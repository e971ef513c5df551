package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/slot/fleet"
)

// A natsStore is a key-value bucket of JetStream. Its time to live is the bucket's, and counts from
// the last put of a key.
type natsStore struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	bucket string
	kv     jetstream.KeyValue
}

func openNATS(ctx context.Context, url, bucket string, o options) (store, error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	nc, err := nats.Connect(url, nats.Timeout(3*time.Second), nats.Name("announce "+o.name))
	if err != nil {
		return nil, fmt.Errorf("no NATS server there: %s", strings.TrimPrefix(err.Error(), "nats: "))
	}
	s := &natsStore{nc: nc, bucket: bucket}
	if s.js, err = jetstream.New(nc); err == nil {
		// Whoever comes first creates it; for the others it is there, with the same settings.
		s.kv, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: bucket, TTL: o.keep(), Storage: jetstream.MemoryStorage, Description: "announcements of members",
		})
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("no bucket %s in JetStream: %w", bucket, err)
	}
	return s, nil
}

func (s *natsStore) put(ctx context.Context, a fleet.Announcement) error {
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	ctx, cancel := limit(ctx)
	defer cancel()
	_, err = s.kv.Put(ctx, a.Incarnation, body)
	return err
}

func (s *natsStore) withdraw(ctx context.Context, incarnation string) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	return s.kv.Delete(ctx, incarnation)
}

func (s *natsStore) watch(ctx context.Context, heard func(string, *fleet.Announcement)) error {
	watcher, err := s.kv.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	fresh := false // the first values were there already, perhaps for a while
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry, ok := <-watcher.Updates():
			switch {
			case !ok:
				return errors.New("the watch on the bucket has ended")
			case entry == nil:
				fresh = true
			case entry.Operation() != jetstream.KeyValuePut:
				heard(entry.Key(), nil)
			default:
				var a fleet.Announcement
				if err := json.Unmarshal(entry.Value(), &a); err != nil {
					return fmt.Errorf("key %s: %w", entry.Key(), err)
				}
				seen := time.Now()
				if !fresh { // by the server's clock: it matters until the member announces again
					seen = entry.Created()
				}
				a = a.SeenAt(seen)
				heard(entry.Key(), &a)
			}
		}
	}
}

func (s *natsStore) destroy(ctx context.Context) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	return s.js.DeleteKeyValue(ctx, s.bucket)
}

func (s *natsStore) close() { s.nc.Close() }
