// Command soak shows what a group survives. Members are separate processes that read one log from a
// real broker, which runs in processes of its own, too; on a schedule drawn from a seed members are
// killed, stopped, paused and slowed down, the broker is killed and started again, and intruders
// join the group. In the end every event was handled by its one owner, and whatever was handled
// again shows that it was delivered again.
//
// Three engines keep three kinds of books on what a reader has done, and each is read here the way its users read it:
//
//   - jetstream: NATS JetStream with file storage, on a cluster of three nodes; each member has a
//     durable pull consumer and acknowledges each message;
//   - redis: a Redis stream with appendfsync always; each member has a consumer group, acknowledges
//     each entry, and after each start and each lost connection reads first what it was given and
//     did not acknowledge;
//   - kafka: a topic of three partitions on kfake, a Kafka broker in memory that also writes all to
//     disk; each member reads every partition and commits, in a group of its own, the position up
//     to which all is done (package commit). What kfake cannot do: after SIGKILL it does not know
//     what its producer sent last, so an event can stand in the log twice. It is counted, and
//     handled at both places.
//
// Before a member acknowledges, it appends a line to a file of its own: a write that has returned
// survives a SIGKILL of the process, and does not depend on the broker that is being killed as
// well. The proof reads those files, and nothing that a member remembers.
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
	if config := os.Getenv(childVariable); config != "" {
		signal.Ignore(os.Interrupt) // a terminal sends it to children, too, who are to end when we say so
		os.Exit(childMain(ctx, config, os.Stdin, os.Stderr))
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, spoil{}))
}
