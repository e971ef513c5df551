package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotkey/slotkey/examples/internal/natsbroker"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

const usage = `announce shows members that announce their place, and the audit that watches them.

usage: go -C examples run ./announce [flags]

  -url URL        use the NATS server or cluster there, with JetStream, such as
                  nats://localhost:4222 (default: one inside the process)
  -redis URL      use the Redis server there, such as redis://localhost:6379/0
                  (default: one inside the process)
  -interval D     members announce every D, 50ms to 1m (default 200ms); the audit
                  takes one for dead that was not heard of for ten times as long

usage: go -C examples run ./announce member [flags]

  One member, as the above starts them, that announces until it is ended.

  -store URL      nats://… or redis://… (default: $ANNOUNCE_STORE, where
                  others do not read its password)
  -space NAME     the bucket of NATS, or what keys of Redis begin with
  -name NAME      the worker's name
  -member TEXT    its slots, such as pairs:0/3
  -rule TEXT      its rule (default "fnv1a32-fmix32 subject,id")
  -topic TOPIC    what it receives (default ticks)
  -interval D     as above

The exit status is 0 if all phases pass, 1 if not, 2 for a wrong command line.
`

// storeVar is the variable in which members are told their store.
const storeVar = "ANNOUNCE_STORE"

// missed is how many announcements in a row may be missing before a member counts as dead. Three
// are enough in a quiet place; ten do not take a machine under load for a dead member.
const missed = 10

type options struct {
	url, redis string // empty: embedded
	interval   time.Duration

	store, space, name, topic string // of a member
	member                    slot.Member
	rule                      routing.Rule
}

func (o options) ttl() time.Duration { return missed * o.interval }

// parseFleet returns flag.ErrHelp for -h, and an error of one line for what is wrong.
func parseFleet(args []string) (o options, err error) {
	flags := flagSet(&o)
	flags.StringVar(&o.url, "url", "", "")
	flags.StringVar(&o.redis, "redis", "", "")
	if err := parse(flags, args); err != nil {
		return o, err
	}
	if o.url != "" {
		err = natsbroker.CheckURL(o.url)
	}
	if err == nil && o.redis != "" {
		_, err = redisOptions(o.redis)
	}
	return o, errors.Join(err, o.checkInterval())
}

// parseMember does the same for a member.
func parseMember(args []string) (o options, err error) {
	flags := flagSet(&o)
	flags.StringVar(&o.store, "store", os.Getenv(storeVar), "")
	flags.StringVar(&o.space, "space", "", "")
	flags.StringVar(&o.name, "name", "", "")
	flags.StringVar(&o.topic, "topic", "ticks", "")
	flags.TextVar(&o.member, "member", slot.Member{}, "")
	flags.TextVar(&o.rule, "rule", routing.Rule{}, "")
	if err := parse(flags, args); err != nil {
		return o, err
	}
	for _, needed := range []struct{ flag, value string }{{"store", o.store}, {"space", o.space}, {"name", o.name}} {
		if needed.value == "" {
			return o, fmt.Errorf("-%s is missing", needed.flag)
		}
	}
	return o, o.checkInterval()
}

func flagSet(o *options) *flag.FlagSet {
	flags := flag.NewFlagSet("announce", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.DurationVar(&o.interval, "interval", 200*time.Millisecond, "")
	return flags
}

func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag; there are no other arguments", flags.Arg(0))
	}
	var err error
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = errors.Join(err, fmt.Errorf("-%s is empty", f.Name))
		}
	})
	return err
}

func (o options) checkInterval() error {
	if o.interval < 50*time.Millisecond || o.interval > time.Minute {
		return fmt.Errorf("-interval %v is not between 50ms and 1m", o.interval)
	}
	return nil
}
