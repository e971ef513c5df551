package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

// Exit statuses.
const (
	statusGood  = 0
	statusBad   = 1 // the answer is bad news
	statusWrong = 2 // wrong use, or no answer
)

// errBad says that the answer is bad news. It is written already.
var errBad = errors.New("bad news")

// An app is one run of the tool.
type app struct {
	in     io.Reader
	out    *show.Out
	errs   io.Writer
	asJSON bool
}

// Run runs the command line and returns the exit status.
func Run(args []string, in io.Reader, out, errs io.Writer) int {
	a := &app{in: in, out: show.NewOut(out, os.LookupEnv), errs: errs}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.Execute()
	switch {
	case err == nil:
		return statusGood
	case errors.Is(err, errBad):
		return statusBad
	}
	fmt.Fprintln(errs, "slotkey: "+oneLine(err.Error()))
	return statusWrong
}

// oneLine joins lines. Of what cobra says of an unknown command it keeps what it was and what may have been meant.
func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "\nRun '")
	return strings.Join(strings.Fields(text), " ")
}

const rootLong = `slotkey answers what operators of a group ask, from keys, events and announcements.

Every command reads files, folders (all files below them) and, where - is given, standard input. For people it writes text, in colours on a
terminal unless NO_COLOR is set; with --json one JSON object on one line for each thing it answers.

The exit status is 0, 1 if the answer is bad news (help of each command says what that is), or 2 if it was used wrongly or cannot
work, with one line on standard error.`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "slotkey",
		Short:         "Who owns this key, why was this event dropped, is the load even, what does a resize do, who is missing",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version().Version,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("slotkey {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.PersistentFlags().BoolVar(&a.asJSON, "json", false, "write JSON, an object on each line")
	root.AddCommand(a.slotCommand(), a.explainCommand(), a.balanceCommand(), a.planCommand(), a.auditCommand(), a.conformCommand(), a.vectorsCommand(), a.versionCommand())
	return root
}

// object writes one line of JSON.
func (a *app) object(v any) error {
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// text writes a paragraph in lines that fit.
func (a *app) text(format string, args ...any) {
	fmt.Fprintln(a.out, show.Wrap(fmt.Sprintf(format, args...), a.out.Width, ""))
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
