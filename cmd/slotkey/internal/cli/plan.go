package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

const planLong = `Plan tells what a change of the number of members does: what share of the keys moves, and, for members that change one after the other, in which order
that is safe, and what it costs at each step; or why no order is safe, and what to do instead.

FROM and TO are layouts: a number of slots with a member each, such as 3, or slots and members, such as 360/12, where the slots are dealt. FROM can also be the
group's plan, such as 3,5@120000.

With --at, a position of the group's log, it prints the text of the plan that makes the change at that position, for all members at once.

The status is 1 if a rolling change in this order (or, without --order, in any) leaves keys without an owner, unless --at is given.`

const planExample = `  $ slotkey plan 3 4
  $ slotkey plan 360/12 360/15

  $ slotkey plan 360/12 360/15 --at 120000 | tail -n 1
  plan  360/12,360/15@120000`

func (a *app) planCommand() *cobra.Command {
	var at string
	var order []int
	c := &cobra.Command{
		Use:               "plan FROM TO",
		Short:             "What a change of the group's size does, and how to make it safely",
		Long:              planLong,
		Example:           planExample,
		ValidArgsFunction: none,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("plan: give two layouts, FROM and TO")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			before, err := resize.ParsePlan(args[0])
			if err != nil {
				return wrong("FROM", err)
			}
			to, err := resize.ParseLayout(args[1])
			if err != nil {
				return wrong("TO", err)
			}
			generations := before.Generations()
			from := generations[len(generations)-1].Layout
			if from == to {
				return fmt.Errorf("plan: from %v to %v nothing changes", from, to)
			}
			p := &planned{app: a, deal: dealOf(from, to)}
			if c.Flags().Changed("order") && len(order) == 0 {
				return errors.New("--order: there is no member in it")
			}
			if p.change, err = resize.Simulate(from, to, order...); err != nil {
				return wrong("--order", err)
			}
			if c.Flags().Changed("at") {
				if p.plan, err = extend(before, to, at); err != nil {
					return wrong("--at", err)
				}
			}
			return p.answer()
		},
	}
	c.Flags().StringVar(&at, "at", "", "print the plan that makes the change at `POSITION`, such as 120000 or 1767225600000-0")
	c.Flags().IntSliceVar(&order, "order", nil, "the `MEMBERS` in the order in which they change, instead of the best one: 3,4,0,1,2")
	complete(c, "at")
	complete(c, "order")
	return c
}

func extend(before resize.Plan, to resize.Layout, at string) (resize.Plan, error) {
	position, err := commit.ParsePosition(at)
	if err != nil {
		return resize.Plan{}, err
	}
	return before.Extend(to, position)
}

// A planned is a change, with what is recommended in its place.
type planned struct {
	*app
	change resize.Change
	plan   resize.Plan // zero without --at
	deal   *resize.Change
}

// dealOf returns the same change with dealt slots, nil if it is that already, or there are too many
// members. 360 divides well; larger numbers are for more members.
func dealOf(from, to resize.Layout) *resize.Change {
	if from.Dealt() && to.Dealt() && from.Size() == to.Size() {
		return nil
	}
	for _, slots := range []int{360, 720, 1024} {
		if slots < 2*max(from.Members(), to.Members()) && slots != 1024 {
			continue
		}
		before, err1 := resize.Deal(slots, from.Members())
		after, err2 := resize.Deal(slots, to.Members())
		if err1 != nil || err2 != nil || before == after {
			return nil
		}
		if c, err := resize.Simulate(before, after); err == nil {
			return &c
		}
	}
	return nil
}

func (p *planned) answer() error {
	var err error
	if p.asJSON {
		err = p.object(p.document())
	} else {
		p.print()
	}
	if err == nil && !p.change.Safe() && p.plan.String() == "" {
		err = errBad
	}
	return err
}

type planDocument struct {
	From    resize.Layout   `json:"from"`
	To      resize.Layout   `json:"to"`
	Moved   resize.Fraction `json:"moved"`
	Least   resize.Fraction `json:"least"`
	Safe    bool            `json:"safe"`
	Unowned resize.Fraction `json:"worst_unowned"`
	Doubled resize.Fraction `json:"worst_doubled"`
	Steps   []stepObject    `json:"steps"`
	Advice  string          `json:"advice"`
	Below   int             `json:"nearest_size_below,omitempty"` // that a rolling change reaches safely
	Above   int             `json:"nearest_size_above,omitempty"`
	Deal    *dealObject     `json:"deal,omitempty"`
	Plan    string          `json:"plan,omitempty"`
}

type stepObject struct {
	Member  int             `json:"member"`
	Action  resize.Action   `json:"action"`
	After   []int           `json:"after"` // members whose start this one has to have committed past
	Unowned resize.Fraction `json:"unowned"`
	Doubled resize.Fraction `json:"doubled"`
}

type dealObject struct {
	From  resize.Layout   `json:"from"`
	To    resize.Layout   `json:"to"`
	Moved resize.Fraction `json:"moved"`
	Safe  bool            `json:"safe"`
}

func (p *planned) document() planDocument {
	c := p.change
	d := planDocument{From: c.From, To: c.To, Moved: c.Moved, Least: c.Least, Safe: c.Safe(), Advice: c.Advice(), Steps: []stepObject{}, Plan: p.plan.String()}
	d.Unowned, d.Doubled = c.Worst()
	for _, s := range c.Steps {
		d.Steps = append(d.Steps, stepObject{s.Member, s.Action, append([]int{}, s.After...), s.Unowned, s.Doubled})
	}
	d.Below, d.Above = p.nearby()
	if p.deal != nil {
		d.Deal = &dealObject{p.deal.From, p.deal.To, p.deal.Moved, p.deal.Safe()}
	}
	return d
}

// nearby returns the sizes that a rolling change can reach safely instead of the one asked for; 0 where there is none.
func (p *planned) nearby() (below, above int) {
	c := p.change
	if c.Safe() || c.From.Dealt() || c.To.Dealt() {
		return 0, 0
	}
	below, above = c.Nearby()
	for _, n := range []*int{&below, &above} {
		if *n == c.From.Size() || *n == c.To.Size() {
			*n = 0
		}
	}
	return below, above
}
