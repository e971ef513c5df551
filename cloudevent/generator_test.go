package cloudevent_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// blank generates white space, mostly none.
func blank() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"", "", "", "", "", "", " ", "\n", "\t\r", "  \n\t "})
}

// right generates the raw inside of a string that is right.
func right() *rapid.Generator[string] {
	return join(rapid.SampledFrom([]string{
		"a", "7", "-", " ", "é", "日", "😀", "{", "}", "[", "]", ":", ",", "/", "subject", "id", `\"subject\":\"no\"`,
		`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\uD83D\ude00`, `\\\\\\`, "\x7f", strings.Repeat("k", 61),
		`\ud800`, `\udc00`, `\ud83d\n`, `\ud800\ud83d\ude00`, `\ud83dxxde00`, "\xff", "\xc3", "\xed\xa0\x80", "\xa2", "\xdc", "\xfb", "\xfd",
	}))
}

// inside generates the raw inside of a string that is often wrong.
func inside() *rapid.Generator[string] {
	return join(rapid.OneOf(
		right(),
		rapid.SampledFrom([]string{
			"a", "7", "\x00", "\n", "\x1f", `\q`, `\u00zz`, `\u12`, `\U0041`,
		}),
	))
}

func join(piece *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(piece, 0, 12), func(pieces []string) string { return strings.Join(pieces, "") })
}

// member generates a member that the default rule needs, right but for other members of its name.
func member() *rapid.Generator[string] {
	name := rapid.SampledFrom([]string{"subject", "subject", "subject", "id", "id", "id", `sub\u006aect`, `\u0069d`, `\u0069\u0064`, `\u0073\u0075bjec\u0074`})
	text := rapid.Map(right(), func(s string) string { return `"` + s + `"` })
	value := rapid.OneOf(text, text, text, rapid.SampledFrom([]string{"null", `""`}))
	return rapid.Custom(func(t *rapid.T) string {
		return `"` + name.Draw(t, "name") + `"` + blank().Draw(t, "blank") + ":" + blank().Draw(t, "blank") + value.Draw(t, "value")
	})
}

// name generates the raw inside of a name.
func name() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"source", "tenant", "TENANT", `Ten\u0041nt`, "data", "time", "data_base64", "traceparent"}),
		rapid.SampledFrom([]string{"subject", "id", "tenant", `sub\u006aect`, `\u0069d`, "source", "tenant", "TENANT", `Ten\u0041nt`, "data", "time"}),
		rapid.SampledFrom([]string{
			"", "Subject", "ID", "subjects", "i", "subjec", `subject\u0000`, `subject\q`, `\ud800`, "specversion", "type",
			strings.Repeat("n", 62), strings.Repeat("n", 63), strings.Repeat("n", 64), strings.Repeat("n", 65), strings.Repeat("subject", 20),
		}),
		inside(),
	)
}

// scalar generates numbers and words, and what only looks like them.
func scalar() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"null", "null", "null", "true", "false", "0", "7", "-1", "2147483647", "2147483648", "-2147483648", "1.5", "1e3", "1E+2", "-0", "1e400",
		"nul", "nulls", "01", "+1", "1.", ".5", "-", "NaN", "1e", "x", "12345678901234567890",
	})
}

// value generates values, with containers down to a depth.
func value(depth int) *rapid.Generator[string] {
	text := rapid.Map(inside(), func(s string) string { return `"` + s + `"` })
	if depth == 0 {
		return rapid.OneOf(text, scalar())
	}
	return rapid.OneOf(text, text, scalar(), container(depth), loose())
}

// container generates objects and arrays.
func container(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "object") {
			return object(t, depth-1)
		}
		items := rapid.SliceOfN(value(depth-1), 0, 6).Draw(t, "items")
		return "[" + strings.Join(items, blank().Draw(t, "blank")+",") + "]"
	})
}

// loose generates containers whose inside is no JSON, and that end where brackets balance.
func loose() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"1", ",", ",,", ":", "x", " ", "\x00", `\`, "'", `""`, `"]"`, `"}"`, `"\""`, `"\\"`, `"\\\""`, "[]", "{]", "[}", "{}", "\xa2", "\xdb", "\xfb", "\xfd", "\xdd", "\xdc",
		strings.Repeat("1", 57), `"` + strings.Repeat("k", 55) + `"`, strings.Repeat(`""`, 20), strings.Repeat("[", 30) + strings.Repeat("}", 30),
		strings.Repeat("[", 70), strings.Repeat("}", 70),
	})
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces")
		return rapid.SampledFrom([]string{"[", "{"}).Draw(t, "open") + strings.Join(pieces, "") + rapid.SampledFrom([]string{"]", "}"}).Draw(t, "close")
	})
}

// object draws an object.
func object(t *rapid.T, depth int) string {
	var b strings.Builder
	gap := func() { b.WriteString(blank().Draw(t, "blank")) }
	b.WriteByte('{')
	gap()
	n := rapid.IntRange(0, 8).Draw(t, "members")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
			gap()
		}
		if rapid.Bool().Draw(t, "needed") {
			b.WriteString(member().Draw(t, "member"))
			gap()
			continue
		}
		fmt.Fprintf(&b, `"%s"`, name().Draw(t, "name"))
		gap()
		b.WriteByte(':')
		gap()
		b.WriteString(value(depth).Draw(t, "value"))
		gap()
	}
	b.WriteByte('}')
	return b.String()
}

// body generates bodies: events, and events with a few bytes changed or cut off.
func body() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		b := []byte(blank().Draw(t, "before") + object(t, 2) + blank().Draw(t, "behind"))
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "damage") {
			place := rapid.IntRange(0, len(b)).Draw(t, "place")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				b = b[:place]
			case 1:
				b = slices.Delete(b, place, min(place+1, len(b)))
			case 2:
				b = slices.Insert(b, place, rapid.SampledFrom([]byte("\"\\{}[]:,x0 \x00\n\xff\xa2\xdc/'")).Draw(t, "byte"))
			case 3:
				b = append(b, b[:place]...)
			}
		}
		return b
	})
}
