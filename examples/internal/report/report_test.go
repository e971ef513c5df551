package report_test

import (
	"bytes"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/report"
)

func TestReport(t *testing.T) {
	var out bytes.Buffer
	r := report.New(&out)
	r.Phase("one", "1 event", "all is well")
	r.Note("a table\n  of two lines  \n")
	r.Phase("two", "2 events", "all is well", "1 lost", "1 late")
	ok := r.End()
	want := `one: 1 event
  PASS  all is well
        a table
          of two lines
two: 2 events
  FAIL  1 lost
  FAIL  1 late
FAIL: two
`
	if got := out.String(); got != want || ok {
		t.Errorf("got %v and\n%s\nwant false and\n%s", ok, got, want)
	}
}

func TestReportPasses(t *testing.T) {
	var out bytes.Buffer
	r := report.New(&out)
	r.Phase("one", "1 event", "all is well")
	if !r.End() || !bytes.HasSuffix(out.Bytes(), []byte("\nPASS: all 1 phases\n")) {
		t.Errorf("got %s", &out)
	}
	if report.New(&out).End() {
		t.Error("a report without a phase passes")
	}
}

// In a pipe or a file a bar leaves nothing, however long it takes.
func TestBarOnNoTerminal(t *testing.T) {
	var out bytes.Buffer
	b := report.NewBar(&out, "events", 10)
	b.Set(5)
	b.Clear()
	b.Set(10)
	b.Clear()
	if out.Len() != 0 {
		t.Errorf("wrote %q", &out)
	}
}
