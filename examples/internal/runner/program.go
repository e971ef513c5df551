// Package runner is what the consumer examples share: flags, events to publish, members, the proof and the output. An
// example adds its broker, an [Engine], and its consumer, which is the part that a user takes home.
//
// Publisher and members run in one process, so that one program sees both ends; everything between
// them goes through the broker.
package runner

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/slotkey/slotkey/examples/internal/events"
	"github.com/slotkey/slotkey/examples/internal/report"
)

// A Program is one example.
type Program struct {
	Name    string  // of the command
	Summary string  // the first line of -h
	Address Address // of a running server or cluster
	// Listen says that members accept connections, and adds the flag -listen.
	Listen bool
	// Open starts the broker in this process, or connects to the one at site.URL.
	Open func(ctx context.Context, site *Site) (Engine, error)
	// Keeps says that the broker keeps events for a member that is away.
	Keeps bool
	// Routed says that the publisher sends each event to its owner only. Otherwise all members receive all events.
	Routed bool
	// Structured says that there is no binary mode: the transport has no headers, or its client does not read them.
	Structured bool
	// Silence is how long nothing may happen before an event that is missing is given up. Zero means ten seconds.
	Silence time.Duration
}

// An Address describes the flag by which a program finds a running server.
type Address struct {
	Flag    string             // "url", "brokers"
	Meaning string             // for -h: "the NATS server or cluster"
	Example string             // "nats://localhost:4222"
	Check   func(string) error // what is wrong with it, without connecting
	// Required says that there is no such broker inside a Go process.
	Required bool
	// PerMember says that there is one address for each member, with commas between.
	PerMember bool
}

// An Engine is an open broker.
type Engine interface {
	// Describe names the broker: "nats-server 2.15.2, embedded in this process".
	Describe() string
	// Publish sends an event, and returns when the broker answers for it. Events published one
	// after the other stay in order.
	Publish(ctx context.Context, topic string, e Event) error
	// Join starts the member's consumer on its topics, and returns when it will receive whatever is
	// published from now on. The returned function stops it, after the events that it has begun;
	// the member may join again later.
	Join(ctx context.Context, m *Member) (leave func() error, err error)
	// Close removes what the run made on the broker, and closes it. All members have left.
	Close() error
}

// A Pender is an engine whose broker remembers, for each member, what it has not yet acknowledged
// or not yet been given.
type Pender interface {
	// Pending returns the number of such events of a member that has joined.
	Pending(ctx context.Context, m *Member) (int, error)
}

// A Stayer is an engine whose members may have to stay: the reason is printed in place of the phase
// in which one is away.
type Stayer interface{ Stays() (reason string) }

// Main runs the program with the arguments and signals of the process, and ends it. A first SIGINT
// or SIGTERM ends publishing, lets the members finish and prints the report; a second one ends the
// process at once.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run is the whole program, and returns its exit status: 0 if all phases passed, 1 if not, 2 for a wrong command line.
func (p Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := p.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, p.usage())
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v (-h shows how to use it)\n", p.Name, err)
		return 2
	}
	ok, err := p.phases(ctx, o, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
	}
	if !ok || err != nil {
		return 1
	}
	return 0
}

// timeout limits one step: opening the broker, joining, publishing one event.
const timeout = 10 * time.Second

// phases runs one phase after the other. An error is what keeps them from being run to the end.
func (p Program) phases(ctx context.Context, o options, stdout io.Writer) (ok bool, err error) {
	sources := events.Sample()
	if o.events != "" {
		if sources, err = events.Load(o.events); err != nil {
			return false, err
		}
	}
	site, err := newSite(ctx, p, o, sources)
	if err != nil {
		return false, err
	}
	defer site.fail(nil)
	opening, cancel := context.WithTimeout(site.ctx, timeout)
	defer cancel()
	engine, err := p.Open(opening, site)
	if err != nil {
		return false, err
	}
	s := &stage{Site: site, engine: engine, report: report.New(stdout), out: stdout}
	fmt.Fprintf(stdout, "broker: %s\n", engine.Describe())
	ok, err = s.play()
	return ok, cmp.Or(site.cause(err), s.end()) // one line: the first thing that went wrong
}
