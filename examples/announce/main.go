// Command announce shows how a fleet watches over itself: members announce their place, an observer collects what they
// announce, and fleet.Audit says who is missing, double or different.
//
// Every member is an operating-system process of its own, this program started as "announce member
// …". Announcements travel through NATS (a key-value bucket of JetStream) and through Redis, first
// one, then the other; both are embedded, or, with -url and -redis, servers that run already.
// Members are then killed, doubled and misconfigured, and each time the program prints what the
// audit finds and PASS or FAIL; the exit status is 1 on any FAIL, and 2 if the command line was
// wrong.
//
// What a host adds stands in three files: member.go announces, observer.go keeps what was heard and
// audits, nats.go and redis.go carry it. What must be right:
//
//   - The key is the incarnation, which is random. Under the worker's name two processes of one
//     name would overwrite each other, and nobody would see that there are two.
//   - Keys have a time to live, so that the store forgets the dead, but a longer one than the audit: only as long as an
//     announcement is there can the audit say whose slots are missing.
//   - A member that ends by plan takes its announcement back. One that is killed cannot, and is found by its age.
//   - Age is measured by the observer's clock. A member's own clock may be wrong; SeenAt takes it out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program, and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	parse, name := parseFleet, "announce"
	if len(args) > 0 && args[0] == "member" {
		args, parse, name = args[1:], parseMember, "announce member"
	}
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v (-h shows how to use it)\n", name, err)
		return 2
	}
	ok := true
	if name == "announce" {
		ok, err = watchOver(ctx, o, stdout)
	} else {
		err = announce(ctx, o, stdin, stdout)
	}
	if ctx.Err() != nil && name == "announce" {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}
