package natsbroker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Ready waits until what a subscriber's connection has subscribed to has reached the publisher's
// server: in a cluster that takes longer than the subscriber's own server knows. An answer to a
// request proves it for all that was subscribed before. The subject is the subscriber's own.
func Ready(ctx context.Context, publisher, subscriber *nats.Conn, subject string) error {
	sub, err := subscriber.Subscribe(subject, func(msg *nats.Msg) { msg.Respond(nil) })
	if err != nil {
		return err
	}
	defer sub.Unsubscribe()
	for {
		_, err := publisher.RequestWithContext(ctx, subject, nil)
		if err == nil || !errors.Is(err, nats.ErrNoResponders) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer through the broker: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
