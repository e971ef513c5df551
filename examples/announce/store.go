package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slotkey/slotkey/slot/fleet"
)

// A store carries announcements from members to observers. Each announcement has the key of its
// incarnation and is forgotten when it was not renewed for the time to live.
type store interface {
	// put says or renews what an incarnation announces.
	put(ctx context.Context, a fleet.Announcement) error
	// withdraw takes it back.
	withdraw(ctx context.Context, incarnation string) error
	// watch calls heard with every announcement, stamped by the observer's clock, and with nil for
	// one that was taken back, until ctx ends or the store fails.
	watch(ctx context.Context, heard func(incarnation string, a *fleet.Announcement)) error
	// destroy removes all that the store holds.
	destroy(ctx context.Context) error
	close()
}

// keep is how long a store keeps an announcement: longer than the audit calls it fresh, so that the
// audit can say who is missing.
func (o options) keep() time.Duration { return 3 * o.ttl() }

// openStore opens the store at a URL; space keeps those of different runs on one server apart.
func openStore(ctx context.Context, url, space string, o options) (store, error) {
	if strings.HasPrefix(url, "redis://") || strings.HasPrefix(url, "rediss://") || strings.HasPrefix(url, "unix://") {
		return openRedis(ctx, url, space, o)
	}
	return openNATS(ctx, url, space, o)
}

// limit bounds a single exchange with a server.
func limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, 5*time.Second, fmt.Errorf("no answer for 5s"))
}
