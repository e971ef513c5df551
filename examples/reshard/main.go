// Command reshard takes a group from 3 members to 5, and a deal of 360 slots from 3 to 5, while
// events go on arriving: each member is a process of its own, processes start, stop and get killed
// around the switch, and in the end every event was handled by its one owner.
//
// The log is a JetStream stream, on an embedded server or, with -url, on one that runs already.
// Members read it by sequence, each all of it, and keep a position that they commit (package
// commit); a plan (package resize) says from which sequence on the group has its new layout. What a
// consumer adds to its loop stands in member.go.
//
// What was handled is never looked up in memory: members write it to a second stream, and the proof
// reads that. The exit status is 1 if the proof fails, and 2 if the command line was wrong.
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
	if config := os.Getenv(memberVariable); config != "" {
		os.Exit(memberMain(ctx, config, os.Stdin, os.Stderr))
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, faults{}))
}
