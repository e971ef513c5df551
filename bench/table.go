package main

import (
	"fmt"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

// A table compares contenders on several inputs, its columns.
type table struct {
	name   string // for -tables
	title  string
	about  string
	groups func() ([]measure.Group, error)          // makes the inputs, and checks that all contenders are right
	run    func(measure.Settings) ([]column, error) // in place of groups where whole systems run
}

// tables are all there are, in the order in which they are printed.
var tables = []table{keyTable, turnTable, fourTable, messageTable, dataTable, binaryTable, batchTable, localTable, endToEndTable}

// A column is what one input gave.
type column struct {
	Name  string         `json:"input"`
	Costs []measure.Cost `json:"costs"`
}

// A result is a table with its measurements.
type result struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	About   string   `json:"about"`
	Columns []column `json:"columns"`
}

// measured runs a table. Of contenders, only those that want says are run.
func (t *table) measured(s measure.Settings, want func(group, contender string) bool) (result, error) {
	r := result{Name: t.name, Title: t.title, About: t.about}
	if t.run != nil {
		columns, err := t.run(s)
		r.Columns = columns
		return r, err
	}
	groups, err := t.groups()
	if err != nil {
		return r, fmt.Errorf("table %s: %w", t.name, err)
	}
	for _, g := range groups {
		var wanted []measure.Contender
		for _, c := range g.Contenders {
			if want(g.Name, c.Name) {
				wanted = append(wanted, c)
			}
		}
		if len(wanted) > 0 {
			g.Contenders = wanted
			r.Columns = append(r.Columns, column{g.Name, measure.Run(s, g)})
		}
	}
	return r, nil
}

// column returns the column of an input, an empty one if there is none.
func (r *result) column(input string) *column {
	for i := range r.Columns {
		if r.Columns[i].Name == input {
			return &r.Columns[i]
		}
	}
	return new(column)
}

// cost returns what a contender costs on an input.
func (c *column) cost(contender string) (measure.Cost, bool) {
	for _, cost := range c.Costs {
		if cost.Contender == contender {
			return cost, true
		}
	}
	return measure.Cost{}, false
}

// everything is the want of a full run.
func everything(string, string) bool { return true }
