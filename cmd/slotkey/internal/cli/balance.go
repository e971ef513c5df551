package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/chart"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
	"github.com/slotkey/slotkey/slot/resize"
)

var balanceLong = fmt.Sprintf(`Balance counts how keys or events load the slots and members of a group, and names the hottest keys.

The input is keys, one on each line, or events as explain reads them; its beginning tells, or --as does. With several sizes,
--size 8,12,360, it compares them.

Up to %d different keys every number is exact. Beyond that memory stays bounded: events by slot, and the events of the keys that were
hottest by then, are still exact; the number of different keys is estimated from a sample of them, and keys that become hot later by
a sketch. Such numbers stand behind "~", and have three digits.

Chi-square tells whether a spread is as even as chance makes it: p is the probability that chance alone is as uneven or more. Keys should pass that test; events
do not where keys have many events each. No number of members makes the group faster than its hottest key allows.

The status is 1 if --fail-above is given, and the fullest member has more than so many times the mean.`, load.MaxExact)

const balanceExample = `  $ slotkey balance --size 12 keys.txt
  $ slotkey balance --size 360 --members 5 --fail-above 3 events.ndjson
  $ slotkey balance --size 8,12,360 --svg load.svg keys.txt`

// A balanceRun is one run of the command balance.
type balanceRun struct {
	*app
	layouts []resize.Layout
	dealt   bool
	top     int
	limit   float64
	svg     string
}

func (a *app) balanceCommand() *cobra.Command {
	var sizes []int
	var members int
	var flags eventFlags
	run := &balanceRun{app: a}
	c := &cobra.Command{
		Use:     "balance --size N FILE…",
		Short:   "Whether the load is even, and which keys are hot",
		Long:    balanceLong,
		Example: balanceExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, files []string) error {
			if err := needSize(c); err != nil {
				return err
			}
			options, err := flags.options()
			if err != nil {
				return err
			}
			options.KeysFirst = true
			for _, size := range sizes {
				l, err := layout(size, members)
				if err != nil {
					return err
				}
				run.layouts = append(run.layouts, l)
			}
			run.dealt = members > 0
			switch {
			case len(run.layouts) == 0:
				return errors.New("--size: there is none")
			case run.top < 1:
				return fmt.Errorf("--top: %d is below 1", run.top)
			case c.Flags().Changed("fail-above") && !(run.limit >= 1):
				return fmt.Errorf("--fail-above: %v is below 1", run.limit)
			case len(files) == 0:
				return errors.New("balance: give files of keys or events, or - for standard input")
			}
			return run.all(flags.rule, options, files)
		},
	}
	c.Flags().IntSliceVar(&sizes, "size", nil, "the group's number of slots, `N`, or several to compare: 8,12,360")
	c.Flags().IntVar(&members, "members", 0, membersHelp)
	c.Flags().IntVar(&run.top, "top", 10, "list the `K` hottest keys")
	c.Flags().StringVar(&run.svg, "svg", "", "draw the load into `FILE`, as SVG")
	c.Flags().Float64Var(&run.limit, "fail-above", 0, "end with status 1 if the fullest member has more than `X` times the mean")
	flags.add(c, "auto, keys, json, ndjson, batch, http, headers")
	return c
}

func (r *balanceRun) all(rule ruleFlag, options input.Options, files []string) error {
	tally := load.New(r.layouts...)
	err := r.each("reading", files, func(path string, file io.Reader) error {
		reader := input.NewReader(file)
		form := options.FormOf(path, reader)
		if form == input.Keys {
			return tally.Read(reader)
		}
		return options.Events(path, form, reader, func(e input.Event) error {
			route := cloudevent.Route(rule.Rule, e.Message)
			seen, _ := cloudevent.PeekMessage(rule.Rule, e.Message)
			key, _ := rule.Key(seen)
			tally.Event(route, key)
			return nil
		})
	})
	if err != nil {
		return err
	}
	result := tally.Result(max(r.top, 1))
	if result.Events+result.Commands == 0 {
		return errors.New("balance: there is no key and no event in the input")
	}
	if r.svg != "" {
		if err := r.draw(result); err != nil {
			return err
		}
	}
	if r.asJSON {
		err = r.object(r.document(result))
	} else {
		r.print(result)
	}
	if err == nil && r.tooUneven(result) {
		err = errBad
	}
	return err
}

func (r *balanceRun) tooUneven(result *load.Result) bool {
	for _, l := range result.Loads {
		if r.limit > 0 && l.Unevenness() > r.limit {
			return true
		}
	}
	return false
}

func (r *balanceRun) draw(result *load.Result) error {
	var picture bytes.Buffer
	if err := chart.Load(&picture, result, r.dealt); err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	if err := os.WriteFile(r.svg, picture.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	return nil
}
