package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf16"
)

// A field is one name of an event and the JSON text of its value. The text is written by hand, because the sample
// is to have what an encoder would tidy away: other orders of names, other spellings of the same string, space.
type field struct{ name, json string }

// An object is the JSON text of names and values in the order given.
func object(d dice, fields []field) string {
	comma, colon := ",", ":"
	if d.oneIn(5) { // as Python's json.dumps writes it
		comma, colon = ", ", ": "
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteString(comma)
		}
		name := quote(f.name)
		if f.name == "subject" && d.oneIn(40) {
			name = `"sub\u006aect"` // the same name, spelled with an escape
		}
		b.WriteString(name + colon + f.json)
	}
	b.WriteByte('}')
	return b.String()
}

// order puts the fields in one of the orders that producers use.
func order(d dice, fields []field) []field {
	switch d.n(8) {
	case 0, 1: // sorted by name: data comes before id and subject
		slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.name, b.name) })
	case 2: // data first, as from a producer that wraps a payload
		i := slices.IndexFunc(fields, func(f field) bool { return strings.HasPrefix(f.name, "data") })
		if i > 0 {
			f := fields[i]
			fields = slices.Insert(slices.Delete(fields, i, i+1), 0, f)
		}
	case 3: // a hash map
		shuffle(d, fields)
	}
	return fields
}

// spell is a JSON string in one of the spellings that producers use: UTF-8, ASCII with escapes, escaped slashes.
func spell(d dice, s string) string {
	switch d.n(5) {
	case 0:
		return ascii(quote(s))
	case 1:
		return strings.ReplaceAll(quote(s), "/", `\/`)
	}
	return quote(s)
}

// quote is the shortest spelling.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// ascii writes every character outside ASCII as one or two \u escapes.
func ascii(quoted string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, r := range quoted {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[u>>shift&15])
			}
		}
	}
	return b.String()
}
