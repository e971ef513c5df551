package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const usage = `soak runs a group of members against a real broker while both are killed, paused
and started again, and proves that every event was handled by its one owner.

usage: go -C examples run ./soak [flags]

  -engine NAME   jetstream: a NATS cluster, started by this program (the default)
                 redis: redis-server, which must be installed
                 kafka: kfake, started by this program
  -duration D    publish for so long, 1s to 24h (default 1m)
  -members N     members of the group, 1 to 16 (default 3)
  -rate N        events a second, 10 to 100000; 0: as fast as the broker takes
                 them (default 300)
  -entities N    events are about N entities, 10 to 100000 (default 500)
  -nodes N       jetstream: nodes of the cluster, 1 or 3 (default 3)
  -faults F      all, or none: only publish, handle and prove (default all)
  -seed N        which faults happen when, and which entity each event is about
                 (default: random, and printed)

examples:
  go -C examples run ./soak
  go -C examples run ./soak -engine redis -duration 30m -rate 200
  go -C examples run ./soak -engine kafka -seed 7 -members 5

The exit status is 0 if the proof holds, 1 if not, 2 for a wrong command line.
`

var engines = []string{"jetstream", "redis", "kafka"}

type options struct {
	engine   string
	duration time.Duration
	members  int
	rate     int // 0: as fast as it goes
	entities int
	nodes    int
	faults   bool
	seed     uint64
}

// parse returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.engine, "engine", "jetstream", "")
	flags.DurationVar(&o.duration, "duration", time.Minute, "")
	flags.IntVar(&o.members, "members", 3, "")
	flags.IntVar(&o.rate, "rate", 300, "")
	flags.IntVar(&o.entities, "entities", 500, "")
	flags.IntVar(&o.nodes, "nodes", 3, "")
	faults := flags.String("faults", "all", "")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64N(1_000_000), "")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; there are no other arguments", flags.Arg(0))
	}
	names := strings.Join(engines, ", ")
	switch {
	case !slices.Contains(engines, o.engine):
		return o, fmt.Errorf("-engine %q is none of %s", o.engine, names)
	case o.duration < time.Second || o.duration > 24*time.Hour:
		return o, fmt.Errorf("-duration %v is not from 1s to 24h", o.duration)
	case o.rate != 0 && (o.rate < 10 || o.rate > 100_000):
		return o, fmt.Errorf("-rate %d is not from 10 to 100000, nor 0", o.rate)
	case o.nodes != 1 && o.nodes != 3:
		return o, fmt.Errorf("-nodes %d is neither 1 nor 3", o.nodes)
	case *faults != "all" && *faults != "none":
		return o, fmt.Errorf("-faults %q is neither all nor none", *faults)
	}
	o.faults = *faults == "all"
	for _, limit := range []struct {
		name             string
		value, low, high int
	}{{"members", o.members, 1, 16}, {"entities", o.entities, 10, 100_000}} {
		if limit.value < limit.low || limit.value > limit.high {
			return o, fmt.Errorf("-%s %d is not from %d to %d", limit.name, limit.value, limit.low, limit.high)
		}
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.engine != "jetstream" {
		if given["nodes"] {
			return o, errors.New("-nodes is for -engine jetstream: the other engines run on one server")
		}
		o.nodes = 1
	}
	return o, nil
}

// command is the line that plays a run again.
func (o options) command() string {
	line := fmt.Sprintf("go -C examples run ./soak -engine %s -duration %v -members %d -rate %d -entities %d", o.engine, o.duration, o.members, o.rate, o.entities)
	if o.engine == "jetstream" {
		line += fmt.Sprintf(" -nodes %d", o.nodes)
	}
	if !o.faults {
		line += " -faults none"
	}
	return line + fmt.Sprintf(" -seed %d", o.seed)
}

// check says what this machine lacks.
func (o options) check() error {
	if o.engine == "redis" {
		if _, err := exec.LookPath("redis-server"); err != nil {
			return errors.New("there is no redis-server in the PATH (Debian: apt-get install redis-server)")
		}
	}
	if o.faults && !canPause {
		return errors.New("this system has no SIGSTOP; -faults none runs without")
	}
	return nil
}
