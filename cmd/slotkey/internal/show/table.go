package show

import (
	"fmt"
	"strings"
)

// A Table is rows of cells under a head. Columns are as wide as their widest cell, two spaces apart.
type Table struct {
	Head  []string
	Right map[int]bool // columns of numbers
	Rows  [][]string
	// Paint, unless nil, colours a cell that is already as wide as its column.
	Paint  func(row, column int, text string) string
	Indent string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Print writes the table. On a terminal the last column is cut so that rows fit.
func (t *Table) Print(o *Out) {
	var widths []int
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	if o.Terminal {
		room := o.Width - Width(t.Indent)
		for _, w := range widths[:len(widths)-1] {
			room -= w + 2
		}
		last := &widths[len(widths)-1]
		*last = min(*last, max(room, 8))
	}
	if t.Head != nil {
		fmt.Fprintln(o, t.Indent+o.Faint(t.line(t.Head, widths, nil)))
	}
	for i, row := range t.Rows {
		fmt.Fprintln(o, t.Indent+t.line(row, widths, func(column int, text string) string {
			if t.Paint == nil {
				return text
			}
			return t.Paint(i, column, text)
		}))
	}
}

func (t *Table) line(cells []string, widths []int, paint func(int, string) string) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
		}
		cell = Cut(cell, widths[i])
		pad := strings.Repeat(" ", widths[i]-Width(cell))
		switch {
		case t.Right[i]:
			cell = pad + cell
		case i < len(cells)-1:
			cell += pad
		}
		if paint != nil {
			cell = paint(i, cell)
		}
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ")
}
