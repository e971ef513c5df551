// Command scaling shows workers that divide a stream of CloudEvents without talking to each other.
//
// Everything runs on a real NATS broker: an embedded one, or, with -url, a server or cluster that
// runs already. Each phase prints what happened and PASS or FAIL; the exit status is 1 on any FAIL,
// and 2 if the command line was wrong.
//
//	fan-out      dedicated workers on one topic: each gets every event
//	exactly-one  a topic for each worker, and a publisher that routes
//	group        one topic, every worker receives everything and drops what is not its own
//	command      an event on wrk.<type>.command.<id> reaches every member of the group
//	events       a stream of real events (-events, -repeat) divided among -members
//
// What a consumer adds to its loop stands in worker.go. That an event was handled is never looked
// up in memory: the worker publishes a marker through the broker, and the phases count markers.
//
// NATS core delivers to every subscription, which is the broadcast that the slot rule needs. With QueueSubscribe each
// event would reach one random worker, which would drop it two times in three.
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
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, faults{}))
}
