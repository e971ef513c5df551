package show

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Key shows a key, or another value, on one line: as it is where that is clear, else quoted as in Go source.
func Key(text string) string {
	if text == "" || !utf8.ValidString(text) || text != strings.TrimSpace(text) || text[0] == '"' || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(text)
	}
	return text
}

// Width returns the columns that a text takes.
func Width(text string) int { return uniseg.StringWidth(text) }

// Cut shortens a text to a width; one of 0 or less is no limit.
func Cut(text string, width int) string {
	if width <= 0 || Width(text) <= width {
		return text
	}
	var b strings.Builder
	left := width - 1
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		if left -= graphemes.Width(); left < 0 {
			break
		}
		b.WriteString(graphemes.Str())
	}
	return b.String() + "…"
}

// Wrap breaks a text between words into lines of a width, the second and further ones behind an
// indent. A word that is too long stays whole.
func Wrap(text string, width int, indent string) string {
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case used == 0:
		case used+1+Width(word) > width:
			b.WriteString("\n" + indent)
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += Width(word)
	}
	return b.String()
}

// Number writes a whole number with spaces between groups of three digits.
func Number[N int | int64 | uint64 | uint32](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// About writes a number of which only three digits are sure: "~ 855 000".
func About(n uint64) string {
	step := uint64(1)
	for n/step >= 1000 {
		step *= 10
	}
	return "~ " + Number((n+step/2)/step*step)
}

// Percent writes a share in about three digits: "8.33 %", "75 %", "0.0026 %".
func Percent(share float64) string {
	p := 100 * share
	digits := 2
	switch {
	case p >= 10:
		digits = 1
	case p < 0.1 && p > 0:
		digits = 1 - int(math.Floor(math.Log10(p)))
	}
	text := strconv.FormatFloat(p, 'f', digits, 64)
	if whole, ok := strings.CutSuffix(text, "."+strings.Repeat("0", digits)); ok {
		text = whole
	}
	return text + " %"
}

// Plural writes a number and a noun, "1 event", "3 events".
func Plural[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}
