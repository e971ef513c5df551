package cloudevent_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
)

// The scan takes words of 8 bytes, steps of 40 and blocks of 64. The tests of this file put each
// byte at each place around the borders of those, and hold what Peek says against the reference,
// which takes one byte at a time.

// borders is beyond two blocks.
const borders = 135

// suspects are the bytes that mean something to the scan, and those whose low seven bits do.
var suspects = []byte("\"\\{}[]:, \t\n\x00\x1f\x20\x7f\x80\x9f\xa0\xa2\xdc\xfb\xfd\xdb\xdd\xba\xac\xff")

var everyByte = func() (all []byte) {
	for c := range 256 {
		all = append(all, byte(c))
	}
	return all
}()

// checkPeek compares Peek with the reference.
func checkPeek(t *testing.T, body []byte) {
	t.Helper()
	want, ok := reference(body, "subject", "id")
	e, err := cloudevent.Peek(body)
	if (err == nil) != ok || e.Subject != want["subject"] || e.ID != want["id"] {
		t.Fatalf("%q: Peek = %q, %q, %v, want %q, %t", body, e.Subject, e.ID, err, want, ok)
	}
}

// sandwich returns a body with an inside of n bytes, filled, between two parts; the bytes at the
// places can then be set.
func sandwich(before string, fill byte, n int, behind string) (body, inside []byte) {
	body = slices.Concat([]byte(before), bytes.Repeat([]byte{fill}, n), []byte(behind))
	return body, body[len(before) : len(before)+n]
}

// What one byte may stand in: text before it, what fills the rest, and text behind.
var places = map[string]struct {
	before string
	fill   byte
	behind string
}{
	"an array":                        {`{"id":"i","x":[`, '1', `],"subject":"s"}`},
	"an object":                       {`{"id":"i","x":{`, '1', `},"subject":"s"}`},
	"an array, then another":          {`{"id":"i","x":[`, '1', `],"y":["]"],"subject":"s"}`},
	"a string in an array":            {`{"id":"i","x":["`, 'k', `"],"subject":"s"}`},
	"strings in an array":             {`{"id":"i","x":["]",""["`, 'k', `"]],"subject":"s"}`},
	"arrays in arrays":                {`{"id":"i","x":[[[[`, '1', `]]]],"subject":"s"}`},
	"brackets":                        {`{"id":"i","x":[`, '[', strings.Repeat("]", borders) + `],"subject":"s"}`},
	"an array full of quotes":         {`{"id":"i","x":[`, '"', `],"subject":"s"}`},
	"a string that is skipped":        {`{"id":"i","x":"`, 'k', `","subject":"s"}`},
	"a subject":                       {`{"id":"i","subject":"`, 'k', `","x":1}`},
	"an id, last":                     {`{"subject":"","id":"`, 'k', `"}`},
	"a name":                          {`{"id":"i","`, 'k', `":1,"subject":"s"}`},
	"a name that begins as one":       {`{"id":"i","subject`, 'k', `":"no"}`},
	"backslashes in a string":         {`{"id":"i","x":"k`, '\\', `k","subject":"s"}`},
	"backslashes in an array":         {`{"id":"i","x":["k`, '\\', `k"],"subject":"s"}`},
	"a string, and a space":           {`{"id": "i", "x": "`, 'k', `", "subject": "s"}`},
	"a name, and a space":             {`{"id": "i", "`, 'k', `": "v", "subject": "s"}`},
	"a subject, and a space":          {`{ "id": "i", "subject": "`, 'k', `" }`},
	"space before a colon":            {`{"id"`, ' ', `:"i","subject":"s"}`},
	"space before a comma":            {`{"id":"i"`, ' ', `,"subject":"s"}`},
	"space behind a comma":            {`{"id":"i",`, ' ', `"subject":"s"}`},
	"space before the end":            {`{"id":"i","subject":"s"`, ' ', `}`},
	"white space":                     {`{"id":`, ' ', `"i"}`},
	"digits":                          {`{"id":"i","x":`, '7', `,"subject":"s"}`},
	"white space behind the object":   {`{"id":"i"}`, '\n', ``},
	"white space before the object":   {``, '\t', `{"id":"i"}`},
	"an array that ends with a block": {`{"id":"i","x":["` + strings.Repeat("k", 60) + `"`, '1', `],"subject":"s"}`},
}

func TestEveryByteAtEveryPlace(t *testing.T) {
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			set := suspects
			switch name {
			case "an array", "arrays in arrays", "a string in an array", "a subject", "a string that is skipped", "a name":
				set = everyByte
			}
			body, inside := sandwich(place.before, place.fill, borders, place.behind)
			for i := range inside {
				for _, c := range set {
					inside[i] = c
					checkPeek(t, body)
				}
				inside[i] = place.fill
			}
		})
	}
}

func TestEveryLength(t *testing.T) {
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			for n := range borders {
				body, inside := sandwich(place.before, place.fill, n, place.behind)
				checkPeek(t, body)
				if n%8 == 3 {
					for end := range body {
						checkPeek(t, body[:end])
					}
				}
				if n == 0 {
					continue
				}
				for _, c := range suspects {
					inside[n-1] = c
					checkPeek(t, body)
				}
			}
		})
	}
}

// Two bytes of those that mean something, at all places of each other.
func TestEveryPairOfPlaces(t *testing.T) {
	for _, name := range []string{"an array", "a string in an array", "a subject", "a string that is skipped"} {
		place := places[name]
		t.Run(name, func(t *testing.T) {
			body, inside := sandwich(place.before, place.fill, 75, place.behind)
			for _, pair := range []string{`""`, `"]`, `]"`, `[]`, `]]`, `\"`, `\\`, `\]`, "\xdc\""} {
				for i := range inside {
					for j := i + 1; j < len(inside); j++ {
						inside[i], inside[j] = pair[0], pair[1]
						checkPeek(t, body)
						inside[j] = place.fill
					}
					inside[i] = place.fill
				}
			}
		})
	}
}

// Runs of backslashes before a quote, across every border: an odd number escapes it.
func TestBackslashesBeforeAQuote(t *testing.T) {
	for _, place := range []struct{ before, behind string }{
		{`{"id":"i","x":["`, `"]"],"subject":"s"}`},
		{`{"id":"i","x":"`, `","subject":"s"}`},
		{`{"id":"i","subject":"`, `"}`},
		{`{"id":"i","`, `":1,"subject":"s"}`},
	} {
		for before := range 140 {
			for n := range 20 {
				text := strings.Repeat("k", before) + strings.Repeat(`\`, n)
				checkPeek(t, []byte(place.before+text+`"k`+place.behind))
				checkPeek(t, []byte(place.before+text+place.behind))
			}
		}
	}
}

// The place of the scan in memory does not matter, nor what stands behind the body.
func TestAlignment(t *testing.T) {
	room := bytes.Repeat([]byte(`"}],{["\`), 60)
	for name, place := range places {
		for shift := range 8 {
			for _, n := range []int{0, 1, 7, 8, 9, 40, 57, 63, 64, 65} {
				body, inside := sandwich(place.before, place.fill, n, place.behind)
				for _, c := range suspects {
					if n > 0 {
						inside[n/2] = c
					}
					copied := room[shift : shift+copy(room[shift:], body)]
					want, ok := reference(body, "subject", "id")
					e, err := cloudevent.Peek(copied)
					if (err == nil) != ok || e.Subject != want["subject"] || e.ID != want["id"] {
						t.Fatalf("%s, at %d: %q: Peek = %q, %v, want %q, %t", name, shift, body, e, err, want, ok)
					}
				}
			}
		}
	}
}

// Depths around those that one byte can count, and back, wherever words begin.
func TestEveryDepth(t *testing.T) {
	for n := 1; n < 300; n++ {
		for _, inner := range []string{"", `1`, `"]"`, `"\"]"`, `\`, "\xfd\xfb", `[],{}`} {
			pad := strings.Repeat("1", n%8)
			up, down := strings.Repeat("[", n), strings.Repeat("]", n)
			checkPeek(t, []byte(`{"id":"i","x":`+up+pad+inner+down+`,"subject":"s"}`))
			checkPeek(t, []byte(`{"id":"i","x":`+up+inner+pad+down+`]`+`,"subject":"s"}`))
			checkPeek(t, []byte(`{"id":"i","x":[`+pad+up+inner+down[1:]+`,"subject":"s"}`))
			// Down from there and up again, several times.
			for _, m := range []int{1, 7, 8, 63, 64, 65, 127, 128, 129} {
				if m < n {
					zigzag := strings.Repeat(strings.Repeat("}", m)+inner+strings.Repeat("{", m), 3)
					checkPeek(t, []byte(`{"id":"i","x":`+up+pad+zigzag+down+`,"y":"]","subject":"s"}`))
				}
			}
		}
	}
}
