package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/slot/fleet"
)

// A redisStore is a key for each incarnation, with a time to live. Redis tells nobody of a change,
// so observers look again and again.
type redisStore struct {
	client *redis.Client
	prefix string
	o      options
}

// quiet keeps the client from logging on its own; every error is returned, too.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }

// redisOptions reads a URL without showing its password.
func redisOptions(url string) (*redis.Options, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("-redis has a malformed address; wanted is one like redis://localhost:6379/0")
	}
	o.DialTimeout, o.MaxRetries, o.DialerRetries = 3*time.Second, 1, 1
	return o, nil
}

func openRedis(ctx context.Context, url, space string, o options) (store, error) {
	how, err := redisOptions(url)
	if err != nil {
		return nil, err
	}
	s := &redisStore{redis.NewClient(how), space + ":", o}
	ctx, cancel := limit(ctx)
	defer cancel()
	if err := s.client.Ping(ctx).Err(); err != nil {
		s.close()
		return nil, fmt.Errorf("no Redis server at %s: %w", how.Addr, err)
	}
	return s, nil
}

func (s *redisStore) put(ctx context.Context, a fleet.Announcement) error {
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	ctx, cancel := limit(ctx)
	defer cancel()
	return s.client.Set(ctx, s.prefix+a.Incarnation, body, s.o.keep()).Err()
}

func (s *redisStore) withdraw(ctx context.Context, incarnation string) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	return s.client.Del(ctx, s.prefix+incarnation).Err()
}

func (s *redisStore) watch(ctx context.Context, heard func(string, *fleet.Announcement)) error {
	ticker := time.NewTicker(s.o.interval)
	defer ticker.Stop()
	expires := map[string]time.Time{} // when the keys that were there would run out
	for {
		now, err := s.look(ctx, heard)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for incarnation, at := range expires {
			if _, still := now[incarnation]; !still && time.Now().Before(at) {
				heard(incarnation, nil) // gone before its time: taken back
			}
		}
		expires = now
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// look hears all announcements that are there, and returns when each would run out.
func (s *redisStore) look(ctx context.Context, heard func(string, *fleet.Announcement)) (map[string]time.Time, error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	expires := map[string]time.Time{}
	keys := s.client.Scan(ctx, 0, s.prefix+"*", 1000).Iterator()
	for keys.Next(ctx) {
		pipe := s.client.Pipeline()
		value, left := pipe.Get(ctx, keys.Val()), pipe.PTTL(ctx, keys.Val())
		if _, err := pipe.Exec(ctx); errors.Is(err, redis.Nil) || left.Val() < 0 {
			continue // it ran out in between
		} else if err != nil {
			return nil, err
		}
		var a fleet.Announcement
		if err := json.Unmarshal([]byte(value.Val()), &a); err != nil {
			return nil, fmt.Errorf("key %s: %w", keys.Val(), err)
		}
		// What is left of its time tells how old it is, and needs no clock but ours.
		a = a.SeenAt(time.Now().Add(left.Val() - s.o.keep()))
		incarnation := strings.TrimPrefix(keys.Val(), s.prefix)
		expires[incarnation] = time.Now().Add(left.Val())
		heard(incarnation, &a)
	}
	return expires, keys.Err()
}

func (s *redisStore) destroy(ctx context.Context) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	keys := s.client.Scan(ctx, 0, s.prefix+"*", 1000).Iterator()
	for keys.Next(ctx) {
		if err := s.client.Del(ctx, keys.Val()).Err(); err != nil {
			return err
		}
	}
	return keys.Err()
}

func (s *redisStore) close() { s.client.Close() }
