package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
)

const usage = `inbox gives each member of a group a bounded inbox with lanes, on a real NATS
JetStream stream, and shows order, back-pressure and refusal.

usage: go -C examples run ./inbox [flags]

  -members N   members of the group, 1 to 64 (default 4)
  -lanes N     handlers of each member that run at once, 1 to 64 (default 4)
  -depth N     events in an inbox at most, 32 to 10000, and not below the number
               of lanes (default 64)
  -events N    events, up to 1000000, and enough to fill all inboxes and to keep
               all lanes at work: 4 x members x depth, 30 x members x lanes
               (default: so many, but not below 4000)
  -url URL     use the NATS server or cluster there, such as
               nats://localhost:4222 (default: one inside the process)

examples:
  go -C examples run ./inbox
  go -C examples run ./inbox -members 6 -lanes 4
  go -C examples run ./inbox -url nats://host:4222

The exit status is 0 if all phases pass, 1 if not, 2 for a wrong command line.
`

type options struct {
	members, lanes, depth, events int
	url                           string // empty: embedded
}

// low is from how many events on an inbox refuses those of low priority.
func (o options) low() int { return o.depth / 4 }

// entities is what the events are about. Their names do not depend on chance, and there are so many
// that every lane of every member has two at least, and no member much less than its share: a test
// tries it.
func (o options) entities() int { return 20 * o.members * max(o.lanes, 2) }

func entityName(number int) string { return fmt.Sprintf("entity-%04d", number) }

// fewest is how many events are needed: to fill each inbox and leave something to the broker, and
// for one round of entities, of which half come twice.
func (o options) fewest() int { return max(4*o.members*o.depth, 3*o.entities()/2) }

const (
	defaultEvents = 4000
	maxEvents     = 1_000_000
)

// parse returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("inbox", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&o.members, "members", 4, "")
	flags.IntVar(&o.lanes, "lanes", 4, "")
	flags.IntVar(&o.depth, "depth", 64, "")
	flags.IntVar(&o.events, "events", -1, "")
	flags.StringVar(&o.url, "url", "", "")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; there are no other arguments", flags.Arg(0))
	}
	var empty error
	byDefault := true
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			empty = errors.Join(empty, fmt.Errorf("-%s is empty", f.Name))
		}
		byDefault = byDefault && f.Name != "events"
	})
	if empty != nil {
		return o, empty
	}
	for _, limit := range []struct {
		name             string
		value, low, high int
	}{{"members", o.members, 1, 64}, {"lanes", o.lanes, 1, 64}, {"depth", o.depth, max(32, o.lanes), 10_000}} {
		if limit.value < limit.low || limit.value > limit.high {
			return o, fmt.Errorf("-%s %d is not from %d to %d", limit.name, limit.value, limit.low, limit.high)
		}
	}
	size := fmt.Sprintf("-members %d, -lanes %d and -depth %d need %d events", o.members, o.lanes, o.depth, o.fewest())
	if byDefault {
		o.events = max(defaultEvents, o.fewest())
	}
	switch {
	case o.fewest() > maxEvents:
		return o, fmt.Errorf("%s, and there are %d at most", size, maxEvents)
	case o.events < o.fewest():
		return o, fmt.Errorf("-events %d is too few: %s", o.events, size)
	case o.events > maxEvents:
		return o, fmt.Errorf("-events %d is above %d", o.events, maxEvents)
	}
	if o.url != "" {
		return o, natsbroker.CheckURL(o.url)
	}
	return o, nil
}
