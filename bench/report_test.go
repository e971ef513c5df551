package main

import (
	"strings"
	"testing"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

func TestMarkdown(t *testing.T) {
	r := result{Title: "Title", About: "About.", Columns: []column{
		{"300 B", []measure.Cost{{Contender: "ours", Time: 100, Spread: 1}, {Contender: "theirs", Time: 1850, Allocs: 7, Spread: 30}}},
		{"64 KiB", []measure.Cost{{Contender: "ours", Time: 12345, Spread: 2}}},
	}}
	var out strings.Builder
	r.markdown(&out)
	want := `
## Title

About.

| | 300 B | 64 KiB | allocations |
|---|---:|---:|---:|
| ours | 100 ns | 12.3 µs | 0 |
| theirs | 1.85 µs, ×18.5 |  | 7 |

Spread: the median pass was 2 % above the cheapest in half of the cells, 30 % in the worst.
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdownOfSystems(t *testing.T) {
	r := result{Title: "Title", About: "About.", Columns: []column{{"binary, 8", []measure.Cost{{Contender: "(a)", Time: 1850, PerSecond: 123_456}}}}}
	var out strings.Builder
	r.markdown(&out)
	if got, want := out.String(), "| | binary, 8 |\n|---|---:|\n| (a) | 123k/s, 1.85 µs |\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestMarkdownGoals(t *testing.T) {
	var out strings.Builder
	markdownGoals(&out, []outcome{
		{Goal: "a to b", Want: 18, Measured: 18.44, Input: "300 B", Met: true},
		{Goal: "c to d", Want: 1.1, AtMost: true, Measured: 1.204, Input: "36 B"},
	})
	for _, want := range []string{"| a to b | at least 18 | 18.4 | 300 B | met |\n", "| c to d | at most 1.1 | 1.20 | 36 B | not met |\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestDigits(t *testing.T) {
	for ns, want := range map[float64]string{0.5: "0.50 ns", 9.999: "10.0 ns", 12.34: "12.3 ns", 99.96: "100 ns", 999: "999 ns", 1000: "1.00 µs", 48_612: "48.6 µs", 2.5e6: "2.50 ms", 3e9: "3000 ms"} {
		if got := timeText(ns); got != want {
			t.Errorf("%v ns: %q, want %q", ns, got, want)
		}
	}
}
