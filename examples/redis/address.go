package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// timeout limits dialling, and closing.
const timeout = 3 * time.Second

// quiet keeps the client from logging on its own; every error is returned, too.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }

// parse reads the address of one server, or two or more with commas between, which the client then
// takes for nodes of a cluster. One that has a single address is named twice. Passwords do not show
// in errors.
func parse(urls string) (redis.UniversalOptions, error) {
	var u redis.UniversalOptions
	for i, url := range strings.Split(urls, ",") {
		o, err := redis.ParseURL(strings.TrimSpace(url))
		if err != nil {
			return u, errors.New("-url has a malformed address; wanted is one like redis://localhost:6379/0")
		}
		if i == 0 {
			u.Username, u.Password, u.DB, u.TLSConfig = o.Username, o.Password, o.DB, o.TLSConfig
		}
		u.Addrs = append(u.Addrs, o.Addr)
	}
	u.DialTimeout = timeout
	u.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return u, nil
}

// describe asks the server what it is.
func (e *engine) describe(ctx context.Context) (string, error) {
	if e.embedded != nil {
		return "miniredis, embedded in this process", nil
	}
	where := strings.Join(e.options.Addrs, ",")
	info, err := e.client.Info(ctx, "server").Result()
	if err != nil {
		return "", fmt.Errorf("no Redis server at %s: %w", where, err)
	}
	for line := range strings.Lines(info) {
		if version, ok := strings.CutPrefix(line, "redis_version:"); ok {
			return "redis-server " + strings.TrimSpace(version) + " at " + where, nil
		}
	}
	return "Redis at " + where, nil
}
