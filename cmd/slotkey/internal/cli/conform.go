package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/internal/conform"
)

const conformLong = `Conform compares a port of the slot rule, a program in any language, with this library: first on the published vectors, then on
generated keys. docs/conformance.md tells what the program reads and writes.

The status is 1 if the port is at fault. The report then names the first wrong answer, the part of the rule that it comes
from, and the likely mistake.`

// A conformLine is the result as JSON.
type conformLine struct {
	Pass         bool                  `json:"pass"`
	Name         string                `json:"name"`
	Version      string                `json:"version"`
	Capabilities []string              `json:"capabilities"`
	Vectors      score                 `json:"vectors"`
	Keys         score                 `json:"keys"`
	Seed         uint64                `json:"seed"`
	Rate         int                   `json:"keys_per_second"`
	Kind         conform.Kind          `json:"fault,omitempty"`
	Stage        conform.Stage         `json:"stage,omitempty"`
	Reason       string                `json:"reason,omitempty"`
	Stages       map[conform.Stage]int `json:"wrong_by_stage,omitempty"`
	Detail       string                `json:"detail,omitempty"`
}

type score struct {
	Right int `json:"right"`
	Sent  int `json:"sent"`
}

func (a *app) conformCommand() *cobra.Command {
	var config conform.Config
	var record string
	c := &cobra.Command{
		Use:   "conform -- COMMAND [ARGUMENT…]",
		Short: "Test a port of the rule in another language",
		Long:  conformLong,
		Example: `  $ slotkey conform --keys 10000 -- python3 conform.py
  $ slotkey conform --json -- ./my-port`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, command []string) error {
			if len(command) == 0 {
				return errors.New("conform: give the port's command behind --")
			}
			config.Command = command
			return a.conform(c.Context(), config, record)
		},
	}
	c.Flags().IntVar(&config.Keys, "keys", 1_000_000, "generate `N` keys after the vectors")
	c.Flags().Uint64Var(&config.Seed, "seed", 1, "generate the keys of `SEED`")
	c.Flags().DurationVar(&config.Patience, "patience", conform.DefaultPatience, "give up when the port neither reads nor writes for `DURATION`")
	c.Flags().StringVar(&record, "record", "", "append the result to `FILE`, as a line of name, version, capabilities, vectors, keys, keys a second")
	return c
}

func (a *app) conform(ctx context.Context, config conform.Config, record string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var progress *show.Progress
	config.Progress = func(answered, total int) {
		if progress == nil {
			progress = show.NewSteps(a.errs, "answers", total)
		}
		progress.Set(int64(answered))
	}
	result, err := conform.Run(ctx, config)
	if progress != nil {
		progress.Clear()
	}
	fault := (*conform.Fault)(nil)
	if err != nil && !errors.As(err, &fault) {
		return err
	}
	if a.asJSON {
		if err := a.object(lineOf(result, fault)); err != nil {
			return err
		}
	} else {
		conform.Print(a.out, result, err)
	}
	if fault != nil {
		return errBad
	}
	if record != "" {
		return appendRecord(record, result)
	}
	return nil
}

func lineOf(r *conform.Result, fault *conform.Fault) conformLine {
	line := conformLine{
		Pass: fault == nil, Name: r.Port.Name, Version: r.Port.Version, Capabilities: append([]string{}, r.Port.Capabilities...),
		Vectors: score(r.Vectors), Keys: score(r.Keys), Seed: r.Seed, Rate: int(r.Rate()),
	}
	if fault != nil {
		line.Kind, line.Stage, line.Reason, line.Stages, line.Detail = fault.Kind, fault.Stage, fault.Reason, fault.Stages, fault.Detail()
	}
	return line
}

func appendRecord(name string, r *conform.Result) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fields := []string{
		r.Port.Name, r.Port.Version, strings.Join(r.Port.Capabilities, " "),
		strconv.Itoa(r.Vectors.Right), strconv.Itoa(r.Keys.Right), strconv.Itoa(int(r.Rate())),
	}
	_, err = fmt.Fprintln(file, strings.Join(fields, "\t"))
	return errors.Join(err, file.Close())
}
