package cli

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

func quoteKey(text string) string { return show.Key(text) }

// printExplanation writes an explanation for people.
func (a *app) printExplanation(x explanation, j judge) {
	wide := 10
	for _, name := range x.names {
		wide = max(wide, len(name))
	}
	line := func(name, format string, args ...any) {
		a.printf("  %s %s\n", a.out.Faint(pad(name, wide)), fmt.Sprintf(format, args...))
	}
	a.printf("%s\n", a.out.Bold(x.Event))
	mode := map[string]string{"structured": "structured JSON", "binary": "binary, attributes in headers"}[x.Mode]
	if mode == "" {
		mode = x.Mode
	}
	if x.Transport != "" {
		mode += ", " + x.Transport
	}
	line("mode", "%s", mode)
	if x.Topic != "" {
		line("topic", "%s", show.Key(x.Topic))
	}
	if x.Fault != nil {
		a.printFault(x, line)
	} else {
		for _, name := range x.names {
			if value, ok := x.Attributes[name]; ok {
				line(name, "%s", show.Cut(show.Key(value), a.room()))
			} else {
				line(name, "%s", a.out.Faint("absent"))
			}
		}
	}
	switch {
	case x.Command:
		line("key", "not asked: the topic is that of a command, which every member takes")
	case x.HasKey:
		line("key", "%s, from %s", show.Cut(show.Key(x.key), a.room()), x.KeyFrom)
		line("hash", "%s (FNV %s)", x.Hash, x.FNV)
	default:
		line("key", "%s", a.out.Bad("none"))
	}
	if x.Slot != nil {
		what := ""
		if !x.HasKey {
			what = ", that of the empty key"
		}
		line("slot", "%d of %d%s", *x.Slot, x.Size, what)
	}
	line("verdict", "%s", a.verdict(x, j))
	if x.Note != "" {
		line("note", "%s", show.Wrap(x.Note, a.out.Width-wide-3, strings.Repeat(" ", wide+3)))
	}
}

// room is how many columns a value may take; 0 is no limit.
func (a *app) room() int {
	if !a.out.Terminal {
		return 0
	}
	return max(20, a.out.Width-14)
}

func (a *app) verdict(x explanation, j judge) string {
	owner := ""
	if x.Owner != nil {
		owner = member(*x.Owner)
	} else if x.Slot != nil {
		owner = fmt.Sprint("the member with slot ", *x.Slot)
	}
	var text string
	switch {
	case x.Member != "":
		text = fmt.Sprintf("%s for %s", a.colour(x.Verdict), x.Member)
		switch x.Verdict {
		case "foreign":
			text += ": dropped there, " + owner + " has it"
			if !x.HasKey {
				text = fmt.Sprintf("%s for %s: dropped there, %s answers for it", a.colour(x.Verdict), x.Member, owner)
			}
		case "malformed":
			text += ": it has no key, and this member answers for it"
		case "bypass":
			text += ": a command, handled by every member"
		case "own":
			text += ": handled there"
			if j.member.Dedicated() {
				text += ", as everything is"
			}
		}
	case x.Command:
		text = a.colour("bypass") + " for every member"
	case x.HasKey:
		text = fmt.Sprintf("%s for %s, foreign for all others", a.colour("own"), owner)
	default:
		text = fmt.Sprintf("%s for %s, which answers for it; foreign for all others", a.colour("malformed"), owner)
	}
	return text
}

func (a *app) colour(verdict string) string {
	switch verdict {
	case "own", "bypass":
		return a.out.Good(verdict)
	case "malformed":
		return a.out.Bad(verdict)
	}
	return verdict
}

// printFault writes what is wrong, and shows the place.
func (a *app) printFault(x explanation, line func(name, format string, args ...any)) {
	f := x.Fault
	switch {
	case f.Offset != nil:
		whole := bytes.TrimRight(x.whole, " \t\r\n") // so that what ends too early is shown at the end of its last line
		place := ""
		if bytes.IndexByte(whole, '\n') >= 0 {
			row, column := position(whole, *f.Offset)
			place = fmt.Sprintf(" (line %d, column %d)", row, column)
		}
		line("fault", "%s", a.out.Bad(fmt.Sprintf("at byte %d%s: %s", *f.Offset, place, f.Reason)))
		text, caret := excerpt(whole, *f.Offset, a.out.Width-13)
		a.printf("             %s\n             %s%s\n", text, strings.Repeat(" ", caret), a.out.Bad("^"))
	case f.Attribute != "":
		line("fault", "%s", a.out.Bad(fmt.Sprintf("%s is %q: %s", f.Attribute, f.Value, f.Reason)))
	default:
		line("fault", "%s", a.out.Bad(f.Reason))
	}
}

// position counts lines and columns, both from 1, columns in characters.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// excerpt returns the part of a line around an offset that fits a width, and the column of the
// offset in it. What is not printable stands as a dot.
func excerpt(text []byte, offset, width int) (line string, caret int) {
	offset = min(offset, len(text))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	start, end = max(start, offset-4*width), min(end, offset+4*width) // no more can be shown
	before, after := printable(text[start:offset]), printable(text[offset:end])
	if most := width * 2 / 3; show.Width(before) > most {
		for show.Width(before) > most-1 {
			_, n := utf8.DecodeRuneInString(before)
			before = before[n:]
		}
		before = "…" + before
	}
	caret = show.Width(before)
	return before + show.Cut(after, width-caret), caret
}

func printable(text []byte) string {
	return strings.Map(func(c rune) rune {
		if c == utf8.RuneError || c < ' ' || c == 0x7f {
			return '.'
		}
		return c
	}, string(text))
}
