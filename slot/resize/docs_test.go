package resize_test

import (
	"os"
	"strings"
	"testing"
)

// The figures for operators are those that Simulate computes.
func TestFiguresOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/resize.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		before, after, isChange := strings.Cut(cells[0], " -> ")
		if !isChange || len(cells) != 5 || !strings.HasPrefix(line, "|") {
			continue
		}
		rows++
		c := simulate(t, layout(t, before), layout(t, after))
		unowned, doubled := c.Worst()
		for i, want := range []string{c.Moved.String(), c.Least.String(), unowned.String(), doubled.String()} {
			if got := cells[i+1]; got != want {
				t.Errorf("%s: the page says %s in column %d, want %s", cells[0], got, i+2, want)
			}
		}
	}
	if rows < 10 {
		t.Errorf("found %d changes on the page, want 10 at least", rows)
	}
}
