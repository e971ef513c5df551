package show

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// An Out is where results for people go.
type Out struct {
	io.Writer
	Colours  bool
	Terminal bool
	Width    int // in columns
}

// NewOut looks at what w is. Colours are for terminals only, and never where NO_COLOR is set
// (https://no-color.org) or the terminal is dumb. The width is COLUMNS where that is set, else the
// terminal's, else 80.
func NewOut(w io.Writer, lookup func(string) (string, bool)) *Out {
	o := &Out{Writer: w, Width: 80}
	file, _ := w.(*os.File)
	o.Terminal = file != nil && term.IsTerminal(int(file.Fd()))
	if o.Terminal {
		noColour, _ := lookup("NO_COLOR")
		kind, _ := lookup("TERM")
		o.Colours = noColour == "" && kind != "dumb"
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			o.Width = width
		}
	}
	if text, ok := lookup("COLUMNS"); ok {
		if width, err := strconv.Atoi(text); err == nil && width > 0 {
			o.Width = width
		}
	}
	o.Width = max(o.Width, 40)
	return o
}

// Colours, by their numbers in ANSI escape sequences (ECMA-48, SGR).
const (
	bold  = "1"
	faint = "2"
	red   = "31"
	green = "32"
	blue  = "34"
)

func (o *Out) paint(code, text string) string {
	if !o.Colours || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for headings.
func (o *Out) Bold(text string) string { return o.paint(bold, text) }

// Faint is for what one can do without.
func (o *Out) Faint(text string) string { return o.paint(faint, text) }

// Bad is for bad news.
func (o *Out) Bad(text string) string { return o.paint(red, text) }

// Good is for good news.
func (o *Out) Good(text string) string { return o.paint(green, text) }

// Blue is for bars.
func (o *Out) Blue(text string) string { return o.paint(blue, text) }
