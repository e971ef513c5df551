package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/slot"
)

const usage = `scaling divides a stream of CloudEvents among workers, on a real NATS broker.

usage: go -C examples run ./scaling [flags]

  -events FILE|DIR  publish these CloudEvents: a JSON event, a JSON array of
                    events, NDJSON, or a folder of such files
                    (default: a sample that ships with this example)
  -members N        divide them among N members, 1 to 1024 (default 3)
  -repeat N         publish them N times over (default 1)
  -url URL          use the NATS server or cluster there, such as
                    nats://localhost:4222 (default: one inside the process)

examples:
  go -C examples run ./scaling
  go -C examples run ./scaling -members 7 -repeat 200
  go -C examples run ./scaling -events ~/events.ndjson -url nats://host:4222

With "go -C examples" a relative path starts in the folder examples.
The exit status is 0 if all phases pass, 1 if not, 2 for a wrong command line.
`

// group is the name of all groups here. It is never part of the hash.
const group = "scaling-demo"

// maxRepeat keeps sequences far from where numbers end.
const maxRepeat = 1_000_000_000

type options struct {
	events  string // a path; empty: the sample
	url     string // empty: embedded
	members int
	repeat  int
}

// parse returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("scaling", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.events, "events", "", "")
	flags.StringVar(&o.url, "url", "", "")
	flags.IntVar(&o.members, "members", 3, "")
	flags.IntVar(&o.repeat, "repeat", 1, "")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; there are no other arguments", flags.Arg(0))
	}
	var err error
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = errors.Join(err, fmt.Errorf("-%s is empty", f.Name))
		}
	})
	if err != nil {
		return o, err
	}
	if _, err := slot.NewSet(group, o.members); err != nil { // the library's own limits
		return o, fmt.Errorf("-members %d: %w", o.members, err)
	}
	if o.repeat < 1 || o.repeat > maxRepeat {
		return o, fmt.Errorf("-repeat %d is not between 1 and %d", o.repeat, maxRepeat)
	}
	if o.url != "" {
		err = natsbroker.CheckURL(o.url)
	}
	return o, err
}
