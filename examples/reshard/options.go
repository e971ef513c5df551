package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/slot/resize"
)

const usage = `reshard changes the number of members of a group while events arrive, on a real
NATS JetStream stream, with members as separate processes, and proves that every
event was handled by its one owner.

usage: go -C examples run ./reshard [flags]

  -layouts A,B,…   the layouts that the group goes through: sizes, or slots dealt
                   to members (default: 3,5 and then 360/3,360/5)
  -entities N      events are about N entities, 10 to 100000 (default 200)
  -events N        publish N events for each change of layout, 1000 to 1000000
                   (default 3000, and as many once more)
  -rate N          events a second, 100 to 100000 (default 1000)
  -seed N          when processes start, stop and get killed, and which entity
                   each event is about (default: random, and printed)
  -pictures DIR    where to write a picture of each run, who handled which
                   sequence when (default: slotkey-reshard in the folder for
                   temporary files)
  -url URL         use the NATS server or cluster there, such as
                   nats://localhost:4222 (default: one inside the process)

examples:
  go -C examples run ./reshard
  go -C examples run ./reshard -layouts 5,3,4 -seed 7
  go -C examples run ./reshard -layouts 360/12,360/15 -url nats://host:4222

With "go -C examples" a relative path starts in the folder examples.
The exit status is 0 if the proof holds, 1 if not, 2 for a wrong command line.
`

// maxMembers limits how many processes run at once.
const maxMembers = 64

type options struct {
	runs     [][]resize.Layout // each run goes through these
	entities int
	events   int // for each layout
	rate     int
	seed     uint64
	pictures string
	url      string // empty: embedded
}

// parse returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("reshard", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	layouts := flags.String("layouts", "", "")
	flags.IntVar(&o.entities, "entities", 200, "")
	flags.IntVar(&o.events, "events", 3000, "")
	flags.IntVar(&o.rate, "rate", 1000, "")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64N(1_000_000), "")
	flags.StringVar(&o.pictures, "pictures", filepath.Join(os.TempDir(), "slotkey-reshard"), "")
	flags.StringVar(&o.url, "url", "", "")
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
	for _, limit := range []struct {
		name             string
		value, low, high int
	}{{"entities", o.entities, 10, 100_000}, {"events", o.events, 1000, 1_000_000}, {"rate", o.rate, 100, 100_000}} {
		if limit.value < limit.low || limit.value > limit.high {
			return o, fmt.Errorf("-%s %d is not from %d to %d", limit.name, limit.value, limit.low, limit.high)
		}
	}
	texts := []string{"3,5", "360/3,360/5"}
	if *layouts != "" {
		texts = []string{*layouts}
	}
	for _, text := range texts {
		run, err := parseLayouts(text)
		if err != nil {
			return o, fmt.Errorf("-layouts %s: %w", text, err)
		}
		o.runs = append(o.runs, run)
	}
	if o.url != "" {
		err = natsbroker.CheckURL(o.url)
	}
	return o, err
}

func parseLayouts(text string) ([]resize.Layout, error) {
	var layouts []resize.Layout
	for item := range strings.SplitSeq(text, ",") {
		l, err := resize.ParseLayout(item)
		switch {
		case err != nil:
			return nil, err
		case l.Members() > maxMembers:
			return nil, fmt.Errorf("%v has %d members, and this example starts at most %d processes", l, l.Members(), maxMembers)
		case len(layouts) > 0 && layouts[len(layouts)-1] == l:
			return nil, fmt.Errorf("%v follows on itself", l)
		}
		layouts = append(layouts, l)
	}
	if len(layouts) < 2 {
		return nil, errors.New("there must be two or more, with commas between")
	}
	if len(layouts) > 10 {
		return nil, fmt.Errorf("there are %d; ten are enough", len(layouts))
	}
	return layouts, nil
}
