// Bench measures slotkey beside what else does the same work, and prints tables:
//
//	go -C bench run .                       everything, in about five minutes
//	go -C bench run . -tables key,message   some tables
//	go -C bench run . -json                 the same for programs
//	go -C bench run . -guard                seconds: fails if a ratio has become many times worse
//	go -C bench test -bench .               the raw benchmarks, for benchstat
//
// Before anything is timed, each contender is checked: that it finds the right key, that its slots
// are in range. All of a run stands in one process, and contenders take turns, so ratios within a
// run mean something where times do not. docs/performance.md says what they mean.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	json, guard bool
	tables      []table
	settings    measure.Settings
}

func run(arguments []string, out io.Writer) error {
	o, err := parse(arguments)
	if err != nil {
		return err
	}
	r := newReport(o.settings)
	if !o.json {
		fmt.Fprint(out, r.head())
	}
	for _, t := range o.tables {
		want := everything
		if o.guard {
			want = guarded(t.name)
			if t.run != nil {
				continue // whole systems are too noisy for a guard
			}
		}
		measured, err := t.measured(o.settings, want)
		if err != nil {
			return err
		}
		r.Tables = append(r.Tables, measured)
		if !o.json && len(measured.Columns) > 0 {
			measured.markdown(out)
		}
	}
	r.Goals = outcomes(r.Tables)
	if o.json {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(r)
	} else {
		markdownGoals(out, r.Goals)
	}
	if o.guard {
		err = errors.Join(err, guard(r))
	}
	return err
}

// guard returns an error for each ratio that is out of its wide margin.
func guard(r *report) error {
	err := allocating(r.Tables)
	for _, o := range r.Goals {
		if !o.guarded {
			err = errors.Join(err, fmt.Errorf("%s, %s: %s, which is beyond even %s", o.Goal, o.Input, ratioText(o.Measured), ratioText(o.guard)))
		}
	}
	return err
}

func parse(arguments []string) (*options, error) {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	o := new(options)
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.BoolVar(&o.json, "json", false, "print JSON in place of Markdown")
	flags.BoolVar(&o.guard, "guard", false, "measure briefly, and fail if a ratio is many times worse than its goal")
	wanted := flags.String("tables", strings.Join(names, ","), "the tables to print, separated by commas")
	flags.IntVar(&o.settings.Passes, "passes", 40, "passes of each contender, 1 or more")
	flags.DurationVar(&o.settings.Pass, "pass", 10*time.Millisecond, "processor time of a pass, from 1ms to 1s")
	if err := flags.Parse(arguments); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	if o.settings.Passes < 1 {
		return nil, fmt.Errorf("-passes %d: must be 1 or more", o.settings.Passes)
	}
	if o.settings.Pass < time.Millisecond || o.settings.Pass > time.Second {
		return nil, fmt.Errorf("-pass %v: must be from 1ms to 1s", o.settings.Pass)
	}
	for name := range strings.SplitSeq(*wanted, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("-tables: no table %q, there are %s", name, strings.Join(names, ", "))
		}
		o.tables = append(o.tables, tables[i])
	}
	return o, nil
}
