package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/resize"
)

const explainLong = `Explain tells for each event how it gets its slot: in which mode it came, which attributes were found, which of them gave the key, its
hash, its slot, and what the members do with it. Of an event that cannot be read it tells where and why, and which member answers for it.

An EVENT is a file, a folder, - for standard input, or the event itself if it begins with { or [. What is in it is told by its beginning:

  a JSON object         an event in structured JSON
  lines of them         NDJSON, an event on each line
  a JSON array          a batch
  an HTTP message       first line, headers, empty line, body: what curl -i prints
  headers               "name: value" or "name=value" on each line, then an empty line and the body, if any; names tell the
                        transport (ce- is HTTP, ce_ Kafka, cloudEvents_ AMQP, none MQTT), or --transport does

Without --members each slot is taken to have a member of its own. Of a --member that holds several, or none, only the slots are known then; with
--members it must be one of those to whom the slots are dealt.

The status is 1 if an event has no key.`

const explainExample = `  $ slotkey explain --size 12 '{"specversion":"1.0","id":"7","source":"/shop","subject":"orders/7","type":"placed"}'

  $ slotkey explain --member pairs:3/12 --topic orders events.ndjson
  $ curl -si https://shop.example.com/events/7 | slotkey explain --size 360 --members 12 -`

// A judge is what explain knows of the group.
type judge struct {
	size   int           // 0: no group
	layout resize.Layout // zero where it is not known who holds what
	rule   ruleFlag
	member *slot.Member // nil: all members
}

func (a *app) explainCommand() *cobra.Command {
	var size, members int
	var memberText string
	var flags eventFlags
	c := &cobra.Command{
		Use:     "explain --size N EVENT…",
		Short:   "Why an event goes where it goes, or what is wrong with it",
		Long:    explainLong,
		Example: explainExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, events []string) error {
			options, err := flags.options()
			if err != nil {
				return err
			}
			if options.Form == input.Keys {
				return errors.New("--as: keys are no events; see slotkey slot")
			}
			j := judge{rule: flags.rule}
			if memberText != "" {
				m, err := slot.ParseMember(memberText)
				if err != nil {
					return wrong("--member", err)
				}
				j.member = &m
				if !c.Flags().Changed("size") {
					size = m.Size()
				}
				if !m.Dedicated() && m.Size() != size {
					return fmt.Errorf("--member: %s has %d slots, and --size is %d", m, m.Size(), size)
				}
			}
			if size == 0 && !c.Flags().Changed("size") && j.member == nil {
				return errors.New("explain: give --size or --member")
			}
			if err := j.place(size, members); err != nil {
				return err
			}
			if len(events) == 0 {
				return errors.New("explain: give events, files of them, or - for standard input")
			}
			return a.explain(j, options, events)
		},
	}
	c.Flags().IntVar(&size, "size", 0, "the group's number of slots, `N`")
	c.Flags().IntVar(&members, "members", 0, membersHelp)
	c.Flags().StringVar(&memberText, "member", "", "the `MEMBER` whose verdict is asked for, such as pairs:3/12 or pairs:0-2,7/360")
	flags.add(c, "auto, json, ndjson, batch, http, headers")
	return c
}

// place sets the size and the layout. Without members each slot is taken to have a member of its
// own, which a member that holds another number of slots contradicts: then only the slots are
// known.
func (j *judge) place(size, members int) (err error) {
	j.size = size
	m := j.member
	switch {
	case size == 0 && m != nil:
		return nil
	case m != nil && !m.Dedicated() && members == 0 && len(m.Slots()) != 1:
		return nil
	}
	if j.layout, err = layout(size, members); err != nil || m == nil || m.Dedicated() {
		return err
	}
	if slots := m.Slots(); len(slots) == 0 || !slices.Equal(slots, j.layout.Slots(j.layout.Holder(slots[0]))) {
		return fmt.Errorf("--member: %s is none of the members of %s, by --size and --members", m, j.layout)
	}
	return nil
}

func (a *app) explain(j judge, options input.Options, events []string) error {
	count, bad := 0, 0
	one := func(e input.Event) error {
		x := j.explain(e)
		if count++; !x.HasKey && !x.Command {
			bad++
		}
		if a.asJSON {
			return a.object(x)
		}
		if count > 1 {
			a.printf("\n")
		}
		a.printExplanation(x, j)
		return nil
	}
	for i, event := range events {
		var err error
		if text := strings.TrimLeft(event, " \t\r\n"); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			err = options.Literal(fmt.Sprintf("event %d", i+1), event, one)
		} else {
			err = a.each("events", []string{event}, func(path string, file io.Reader) error {
				r := input.NewReader(file)
				return options.Events(path, options.FormOf(path, r), r, one)
			})
		}
		if err != nil {
			return err
		}
	}
	switch {
	case count == 0:
		return errors.New("explain: there is no event in the input")
	case bad > 0:
		return errBad
	}
	return nil
}
