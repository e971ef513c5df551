package cloudevent_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// The time that a body takes grows with its length and no faster, whatever is in it. Nothing is measured here: of these
// bodies each would take from minutes to hours if some part of it were gone through again for each of its many pieces.

const mega = 1 << 20

// huge is for pieces that a fast search through all the rest would be repeated for. With -short it
// is less, and the tests no more than the laws on long bodies.
func huge() int {
	if testing.Short() {
		return mega
	}
	return 32 * mega
}

// grown returns before, then piece until there are n bytes, then behind.
func grown(n int, before, piece, behind string) []byte {
	var b bytes.Buffer
	b.Grow(n + len(piece) + len(behind))
	b.WriteString(before)
	for b.Len() < n {
		b.WriteString(piece)
	}
	b.WriteString(behind)
	return b.Bytes()
}

var k80 = strings.Repeat("k", 80)

func TestTimeGrowsWithLength(t *testing.T) {
	f := filterOf(t, 3, 1)
	for _, test := range []struct {
		what                  string
		n                     int
		before, piece, behind string
		want                  string // the key, empty for none
	}{
		{"backslashes in a string", mega, `{"id":"i","x":"`, `\\`, `"}`, "i"},
		{"backslashes in a string without end", mega, `{"id":"i","x":"`, `\`, ``, ""},
		{"backslashes in an array", mega, `{"id":"i","x":["`, `\\`, `"]}`, "i"},
		{"backslashes in a name", mega, `{"id":"i","`, `\\`, `":1}`, "i"},
		{"escaped quotes", mega, `{"id":"i","x":"`, `\"`, `"}`, "i"},
		{"escaped quotes in an array", mega, `{"id":"i","x":["`, `\"`, `"]}`, "i"},
		{"escaped quotes in a name", mega, `{"id":"i","`, `\"`, `":1}`, "i"},
		{"quotes", mega, `{"id":"i","x":[`, `"`, `]}`, ""},
		{"pairs of quotes", mega, `{"id":"i","x":[`, `""`, `]}`, "i"},
		{"objects without end", mega, ``, `{"a":`, ``, ""},
		{"objects without end, in data", mega, `{"id":"i","x":`, `{"a":`, ``, ""},
		{"arrays without end", mega, `{"id":"i","x":`, `[`, ``, ""},
		{"arrays that end at once", mega, `{"id":"i","x":[`, `[]`, `]}`, "i"},
		{"strings with an escape", mega, `{"id":"i","x":[`, `"\n",`, `1]}`, "i"},
		{"members with an escape", mega, `{"id":"i",`, `"x":"\n",`, `"y":1}`, "i"},
		{"members with an escaped name", mega, `{"id":"i",`, `"\u0078":1,`, `"y":1}`, "i"},
		{"ids with an escape", mega, `{`, `"id":"\u0069",`, `"y":1}`, "i"},
		{"ids that are null", mega, `{`, `"id":null,`, `"id":"i"}`, "i"},
		{"an id of escapes", mega, `{"subject":"s","id":"`, `\u0069`, `"}`, "s"},
		{"an id of surrogates", mega, `{"subject":"s","id":"`, `\ud800`, `"}`, "s"},
		{"digits", mega, `{"id":"i","x":`, `1`, `}`, "i"},
		{"white space", mega, `{"id":`, " \n", `"i"}`, "i"},
		{"white space before", mega, ``, " ", `{"id":"i"}`, "i"},
		{"commas", mega, `{"id":"i"`, `,`, `}`, ""},
		{"members", huge(), `{"id":"i",`, `"x":1,`, `"y":1}`, "i"},
		{"long strings, an escape at the end", huge(), `{"id":"i",`, `"x":"` + k80 + `",`, `"y":"\n"}`, "i"},
		{"long names, an escape at the end", huge(), `{"id":"i",`, `"` + k80 + `":1,`, `"y":"\n"}`, "i"},
		{"containers without an escape", huge(), `{"id":"i",`, `"x":["` + k80 + `"],`, `"y":1}`, "i"},
		{"an escape, then containers without", huge(), `{"id":"i","x":["\n` + k80 + `"],`, `"x":["` + k80 + `"],`, `"y":1}`, "i"},
		{"containers with an escape", huge(), `{"id":"i",`, `"x":["` + k80 + `\n"],`, `"y":1}`, "i"},
		{"containers with an escape at their beginning", huge(), `{"id":"i",`, `"x":["\n` + k80 + `"],`, `"y":1}`, "i"},
		{"containers, and strings with an escape", huge(), `{"id":"i",`, `"x":["` + k80 + `"],"y":"\n",`, `"y":1}`, "i"},
		{"containers, and names with an escape", huge(), `{"id":"i",`, `"\u0078":["` + k80 + `"],`, `"y":1}`, "i"},
		{"small containers", huge(), `{"id":"i",`, `"x":[],`, `"y":1}`, "i"},
		{"small containers with an escape", mega, `{"id":"i",`, `"x":["\n"],`, `"y":1}`, "i"},
		{"containers inside of one, with an escape", huge(), `{"id":"i","x":[`, `["` + k80 + `\\"],`, `1]}`, "i"},
		{"containers inside of one, without", huge(), `{"id":"i","x":[`, `["` + k80 + `"],`, `1]}`, "i"},
	} {
		body := grown(test.n, test.before, test.piece, test.behind)
		want := f.Decide(routing.Event{ID: test.want})
		if got := cloudevent.Decide(f, "orders", body); got != want {
			t.Errorf("%s: Decide = %v, want %v", test.what, got, want)
		}
		if test.n <= mega {
			if e, err := cloudevent.Peek(body, "source"); (err == nil) != (test.want != "") {
				t.Errorf("%s: Peek = %.60q, %v", test.what, e, err)
			}
		}
	}
}

func TestTimeOfABatchGrowsWithLength(t *testing.T) {
	f := filterOf(t, 3, 1)
	for _, test := range []struct {
		what                  string
		n                     int
		before, piece, behind string
		bad                   bool
	}{
		{"events", mega, `[`, `{"id":"i"},`, `{}]`, false},
		{"events with an escape", mega, `[`, `{"id":"\u0069"},`, `{}]`, false},
		{"long events", huge(), `[`, `{"x":"` + k80 + `"},`, `{}]`, false},
		{"long events with an escape", huge(), `[`, `{"x":"` + k80 + `\n"},`, `{}]`, false},
		{"an escape, then long events without", huge(), `[{"x":"\n` + k80 + `"},`, `{"x":"` + k80 + `"},`, `{}]`, false},
		{"long strings", mega, `[`, `"` + k80 + `",`, `{}]`, false},
		{"strings with an escape", mega, `[`, `"\n",`, `{}]`, false},
		{"backslashes", mega, `["`, `\\`, `"]`, false},
		{"numbers", mega, `[`, `1,`, `1]`, false},
		{"white space", mega, `[`, ` `, `]`, false},
		{"arrays without end", mega, ``, `[`, ``, true},
		{"quotes", mega, `[`, `"`, ``, true},
		{"events without an end of the batch", huge(), `[`, `{"x":"` + k80 + `"},`, ``, true},
		{"no commas", mega, `[`, `1 `, `]`, true},
	} {
		body := grown(test.n, test.before, test.piece, test.behind)
		var last error
		rest := len(body)
		for element, err := range cloudevent.Batch(body) {
			cloudevent.Decide(f, "orders", element)
			rest -= len(element)
			last = err
		}
		if (last != nil) != test.bad || rest < 0 {
			t.Errorf("%s: the last error is %v, and the elements have %d bytes less than the batch", test.what, last, rest)
		}
	}
}

func TestTimeOfHeadersGrowsWithTheirNumber(t *testing.T) {
	f := filterOf(t, 3, 1).WithRule(ruleOf(t, "subject,id percent"))
	list := make([]recordHeader, mega, mega+2)
	for i := range list {
		list[i] = recordHeader{"ce_subjecT-", []byte("no")}
	}
	list = append(list, recordHeader{"ce_specversion", []byte("1.0")}, recordHeader{"ce_id", []byte("e1")})
	values := map[string][]string{"ce-specversion": {"1.0"}, "ce-subject": {strings.Repeat("%41", mega)}, "ce-id": {`"` + strings.Repeat(`\%`, mega) + `"`}}
	for what, test := range map[string]struct {
		header cloudevent.Header
		want   routing.Event
	}{
		"many headers": {cloudevent.Pairs(cloudevent.Kafka, list), routing.Event{ID: "e1"}},
		"a bad id":     {cloudevent.HTTP.Values(values), routing.Event{}},
		"white space":  {cloudevent.Kafka.Lookup(func(name string) (string, bool) { return strings.Repeat(" ", mega), true }), routing.Event{}},
	} {
		if got, want := cloudevent.DecideMessage(f, cloudevent.Message{Header: test.header}), f.Decide(test.want); got != want {
			t.Errorf("%s: DecideMessage = %v, want %v", what, got, want)
		}
	}
}

// However deep a body is nested, it takes neither stack nor heap.
func TestDepthCostsNoMemory(t *testing.T) {
	const depth = 1_000_000
	f := filterOf(t, 1, 0)
	for what, body := range map[string][]byte{
		"objects":             []byte(`{"x":` + strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth) + `,"id":"i"}`),
		"arrays":              []byte(`{"x":` + strings.Repeat(`[`, depth) + strings.Repeat("]", depth) + `,"id":"i"}`),
		"both":                []byte(`{"x":` + strings.Repeat(`[{"\"]":`, depth) + "1" + strings.Repeat("}]", depth) + `,"id":"i"}`),
		"objects without end": []byte(strings.Repeat(`{"a":`, depth)),
		"arrays without end":  []byte(`{"x":` + strings.Repeat(`[`, depth)),
	} {
		want := slot.Own
		if strings.HasSuffix(what, "without end") {
			want = slot.Malformed
		}
		if got := cloudevent.Decide(f, "orders", body); got.Kind != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		if got := testing.AllocsPerRun(1, func() { cloudevent.Decide(f, "orders", body) }); got != 0 {
			t.Errorf("%s: %v allocations", what, got)
		}
	}
}
