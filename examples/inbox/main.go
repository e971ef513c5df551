// Command inbox shows where an event goes once the filter has let it pass: into a bounded inbox,
// from which several handlers work at once, on a real NATS JetStream stream, embedded or, with
// -url, one that runs already.
//
// A member that handles its events one by one is as slow as the slowest, and one that starts a
// goroutine for each loses the order and knows no limit. The inbox (examples/internal/inbox, two
// files to copy) lies between:
//
//   - lanes: events of one key go to one handler, in their order; those of other keys to others.
//     The lane comes from the verdict's sum, so no key is hashed again, by a second pass of the
//     finalizer: the sum itself leaves lanes idle;
//   - it is bounded: a full inbox stops the consumer, and the broker keeps the rest;
//   - events of low priority, if there are any, are refused before that, and given back to the broker for later.
//
// An event that waits in the inbox is not acknowledged: AckWait must be longer than it ever waits,
// and MaxAckPending larger than the inbox. The function config in consumer.go sees to that.
//
// The whole consumer is consumer.go. The exit status is 1 if something is not as it says, and 2 for
// a wrong command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, nil))
}
