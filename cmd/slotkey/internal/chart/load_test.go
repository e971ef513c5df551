package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/chart"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
	"github.com/slotkey/slotkey/slot/resize"
)

func TestLoad(t *testing.T) {
	for _, dealt := range []bool{false, true} {
		var layouts []resize.Layout
		for _, text := range []string{"1/1", "12/5", "360/7"} {
			l, err := resize.ParseLayout(text)
			if err != nil {
				t.Fatal(err)
			}
			layouts = append(layouts, l)
		}
		tally := load.New(layouts...)
		if err := tally.Read(strings.NewReader("a\nb\na\n")); err != nil {
			t.Fatal(err)
		}
		var first, second bytes.Buffer
		for _, out := range []*bytes.Buffer{&first, &second} {
			if err := chart.Load(out, tally.Result(10), dealt); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("two pictures of one result differ")
		}
		if got := first.String(); strings.Count(got, "3 events of 2 different keys") != 3 || !strings.Contains(got, "Liberation Sans,Arial,") {
			t.Errorf("got %.2000s", got)
		}
		for decoder := xml.NewDecoder(&first); ; {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}
