package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/slotkey/slotkey/slot"
)

// group is the name of the members' group. It is no part of the hash.
const group = "demo"

type options struct {
	events   string // a path; empty: the sample
	url      string // empty: embedded
	listen   string // addresses with commas between; empty: free ports of the loopback interface
	members  int
	rate     float64 // events per second; 0: as fast as the members go
	duration time.Duration
}

const usageHead = `%s

usage: go -C examples run ./%s [flags]

  -%-16s use %s, such as
                    %s
                    %s
`

const usageListen = `  -listen ADDRESSES the members listen there: host:port for each member, with
                    commas between (default: free ports of 127.0.0.1)
`

const usageTail = `  -events FILE|DIR  publish these CloudEvents: a JSON event, a JSON array of
                    events, NDJSON, or a folder of such files
                    (default: a sample that ships with the examples)
  -rate N           publish N events in a second (default: as many as go)
  -duration D       publish for so long, over and over, such as 30s
                    (default: each event once)
  -members N        divide them among N members, 1 to 1024 (default 3)

The consumer is in examples/%s/consumer.go, for you to take.

With "go -C examples" a relative path starts in the folder examples. A signal
(SIGINT, SIGTERM) ends publishing; members finish, and the report is printed.
The exit status is 0 if all phases pass, 1 if not, 2 for a wrong command line.
`

func (p Program) usage() string {
	otherwise := "(default: one inside the process)"
	switch {
	case p.Address.Required:
		otherwise = "(there is none inside the process)"
	case p.Address.PerMember:
		otherwise = "(default: all inside the process)"
	}
	text := fmt.Sprintf(usageHead, p.Summary, p.Name, p.Address.Flag+" ADDRESS", p.Address.Meaning, p.Address.Example, otherwise)
	if p.Listen {
		text += usageListen
	}
	return text + fmt.Sprintf(usageTail, p.Name)
}

// parse returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func (p Program) parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.url, p.Address.Flag, "", "")
	if p.Listen {
		flags.StringVar(&o.listen, "listen", "", "")
	}
	flags.StringVar(&o.events, "events", "", "")
	flags.Float64Var(&o.rate, "rate", 0, "")
	flags.DurationVar(&o.duration, "duration", 0, "")
	flags.IntVar(&o.members, "members", 3, "")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; there are no other arguments", flags.Arg(0))
	}
	var err error
	flags.Visit(func(f *flag.Flag) {
		switch {
		case f.Value.String() == "":
			err = errors.Join(err, fmt.Errorf("-%s is empty", f.Name))
		case f.Name == "rate" && !(o.rate > 0 && o.rate <= 1e9): // NaN as well
			err = errors.Join(err, fmt.Errorf("-rate %v is not between 0 and 1e9", o.rate))
		case f.Name == "duration" && o.duration <= 0:
			err = errors.Join(err, fmt.Errorf("-duration %v is not above 0", o.duration))
		}
	})
	if err != nil {
		return o, err
	}
	if _, err := slot.NewSet(group, o.members); err != nil { // the library's own limits
		return o, fmt.Errorf("-members %d: %w", o.members, err)
	}
	if n := len(o.listening()); n > 0 && n != o.members {
		return o, fmt.Errorf("-listen has %d addresses for %d members", n, o.members)
	}
	if o.url == "" && p.Address.Required {
		return o, fmt.Errorf("-%s is missing: there is no such broker inside the process; name %s, such as %s", p.Address.Flag, p.Address.Meaning, p.Address.Example)
	}
	if o.url == "" {
		return o, nil
	}
	if n := strings.Count(o.url, ",") + 1; p.Address.PerMember && n != o.members {
		return o, fmt.Errorf("-%s has %d addresses for %d members", p.Address.Flag, n, o.members)
	}
	if p.Address.PerMember && p.Listen && o.listen == "" {
		return o, fmt.Errorf("-%s needs -listen, which says where the members listen", p.Address.Flag)
	}
	return o, p.Address.Check(o.url)
}

func (o options) listening() []string {
	if o.listen == "" {
		return nil
	}
	return strings.Split(o.listen, ",")
}
