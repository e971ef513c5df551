package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// wrong is the error of a flag or an argument: its name, then what the library says of the value,
// without the package's prefix.
func wrong(name string, err error) error {
	var (
		s *slot.Error
		r *resize.Error
		p *commit.Error
	)
	switch {
	case errors.As(err, &r):
		return fmt.Errorf("%s: %s", name, join(r.Field, r.Value, r.Limit))
	case errors.As(err, &s):
		return fmt.Errorf("%s: %s", name, join(s.Field, s.Value, s.Limit))
	case errors.As(err, &p):
		return fmt.Errorf("%s: %s", name, join(p.Field, p.Value, p.Limit))
	}
	return fmt.Errorf("%s: %w", name, err)
}

func join(field, value, limit string) string {
	if value == "" {
		return field + " " + limit
	}
	return value + " " + limit
}

// layout is the layout of --size and --members.
func layout(size, members int) (resize.Layout, error) {
	if members == 0 {
		l, err := resize.Plain(size)
		if err != nil {
			return l, wrong("--size", err)
		}
		return l, nil
	}
	l, err := resize.Deal(size, members)
	switch {
	case errors.Is(err, resize.ErrSize):
		return l, wrong("--size", err)
	case err != nil:
		return l, wrong("--members", err)
	}
	return l, nil
}

// flagError is what is wrong with a flag, without the names of functions of Go.
func flagError(err error) error {
	invalid := (*pflag.InvalidValueError)(nil)
	if !errors.As(err, &invalid) {
		return err
	}
	reason := ": " + invalid.Unwrap().Error()
	switch {
	case errors.Is(err, strconv.ErrRange):
		reason = " is too large or too small"
	case errors.Is(err, strconv.ErrSyntax):
		reason = " is no number"
	case invalid.GetFlag().Value.Type() == "duration":
		reason = " is no duration such as 30s"
	}
	return fmt.Errorf("--%s: %q%s", invalid.GetFlag().Name, invalid.GetValue(), reason)
}

// needSize complains where --size was not given.
func needSize(c *cobra.Command) error {
	if !c.Flags().Changed("size") {
		return errors.New(c.Name() + ": give the number of slots, --size")
	}
	return nil
}

const membersHelp = "deal the slots to `M` members; without it each slot has a member of its own"

// A ruleFlag is --rule.
type ruleFlag struct{ routing.Rule }

func (f *ruleFlag) Set(text string) error {
	rule, err := routing.ParseRule(text)
	if e := (*routing.RuleError)(nil); errors.As(err, &e) {
		return fmt.Errorf("at byte %d: %s", e.Offset, e.Reason)
	}
	f.Rule = rule
	return err
}

func (f *ruleFlag) Type() string { return "RULE" }

// eventFlags are those of commands that read events.
type eventFlags struct {
	rule      ruleFlag
	form      string
	transport string
	topic     string
}

func (f *eventFlags) add(c *cobra.Command, forms string) {
	c.Flags().Var(&f.rule, "rule", "the `RULE` of the group, such as \"partitionkey,subject,id\"")
	c.Flags().StringVar(&f.form, "as", string(input.Auto), "read the input as `FORM`: "+forms)
	c.Flags().StringVar(&f.transport, "transport", "", "the `BINDING` by which the events came: http, nats, kafka, amqp, mqtt, pubsub; without it the names of their headers tell")
	c.Flags().StringVar(&f.topic, "topic", "", "the `TOPIC` that delivered the events")
	complete(c, "transport", input.Transports...)
	complete(c, "rule", "subject,id", "partitionkey,subject,id", "source+id", "topic[2]")
	complete(c, "as", "auto", "keys", "json", "ndjson", "batch", "http", "headers")
}

func (f *eventFlags) options() (o input.Options, err error) {
	o.Topic = f.topic
	if o.Form, err = input.ParseForm(f.form); err != nil {
		return o, wrong("--as", err)
	}
	if f.transport != "" {
		if o.Transport, err = input.ParseTransport(f.transport); err != nil {
			return o, wrong("--transport", err)
		}
	}
	return o, nil
}

// complete offers values of a flag in a shell.
func complete(c *cobra.Command, flag string, values ...string) {
	err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

// none is the completion of arguments that are no files.
func none(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}
