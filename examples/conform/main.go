// Command conform compares a port of the slot rule, a program in any language, with this library:
//
//	go -C examples run ./conform -- python3 ports/python/conform.py
//
// docs/conformance.md specifies what the program reads and writes. The exit status is 0 if the port passes, 1 if it does not, 2 if
// conform itself cannot run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/slotkey/slotkey/examples/internal/report"
	"github.com/slotkey/slotkey/internal/conform"
)

func main() { os.Exit(run()) }

func run() int {
	var config conform.Config
	flag.IntVar(&config.Keys, "keys", 1_000_000, "generate `N` keys after the vectors")
	flag.Uint64Var(&config.Seed, "seed", 1, "generate the keys of `SEED`")
	flag.DurationVar(&config.Patience, "patience", conform.DefaultPatience, "give up when the port neither reads nor writes for `DURATION`")
	record := flag.String("record", "", "append the result to `FILE`, as a line of name, version, capabilities, vectors, keys, keys a second")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: conform [flags] -- COMMAND [ARGUMENT…]\n\nCompares a port of the slot rule with this library; docs/conformance.md tells what a port is.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	config.Command = flag.Args()
	if len(config.Command) == 0 {
		flag.Usage()
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	var bar *report.Bar
	config.Progress = func(answered, total int) {
		if bar == nil {
			bar = report.NewBar(os.Stderr, "answers", total)
		}
		bar.Set(answered)
	}
	result, err := conform.Run(ctx, config)
	if bar != nil {
		bar.Clear()
	}
	conform.Print(os.Stdout, result, err)
	if err == nil && *record != "" {
		err = appendLine(*record, result)
		if err != nil {
			fmt.Fprintln(os.Stderr, "conform:", err)
		}
	}
	fault := (*conform.Fault)(nil)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &fault):
		return 1
	}
	return 2
}

func appendLine(name string, r *conform.Result) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	fields := []string{
		r.Port.Name, r.Port.Version, strings.Join(r.Port.Capabilities, " "),
		strconv.Itoa(r.Vectors.Right), strconv.Itoa(r.Keys.Right), strconv.Itoa(int(r.Rate())),
	}
	_, err = fmt.Fprintln(file, strings.Join(fields, "\t"))
	return err
}
