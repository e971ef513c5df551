package commit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot/commit"
)

func TestPositionTexts(t *testing.T) {
	for _, test := range []struct {
		text      string
		want      commit.Position
		canonical string
	}{
		{"0", commit.Position{}, "0"},
		{"120000", commit.At(120000), "120000"},
		{"1526919030474-55", commit.Position{Major: 1526919030474, Minor: 55}, "1526919030474-55"},
		{"1526919030474-0", commit.At(1526919030474), "1526919030474"},
		{"0-1", commit.Position{Minor: 1}, "0-1"},
		{"18446744073709551615-18446744073709551615", commit.Position{Major: math.MaxUint64, Minor: math.MaxUint64}, "18446744073709551615-18446744073709551615"},
	} {
		got, err := commit.ParsePosition(test.text)
		if err != nil || got != test.want || got.String() != test.canonical {
			t.Errorf("%q: got %v, %v, want %v", test.text, got, err, test.canonical)
		}
	}
	for _, text := range []string{"", "-", "-1", "1-", "-1-2", "+1", "1-+2", "01", "00", "1-01", "1-2-3", " 1", "1 ", "1_0", "0x1", "1.0", "18446744073709551616", "1-18446744073709551616", "१"} {
		p := commit.At(7)
		err := p.UnmarshalText([]byte(text))
		want := fmt.Sprintf("commit: position %q is not a number, such as 120000, nor two, such as 1526919030474-55: plain decimals from 0 to 18446744073709551615", text)
		if !errors.Is(err, commit.ErrText) || err.Error() != want || p != commit.At(7) {
			t.Errorf("%q: got %v, %v, want 7 unchanged and %s", text, p, err, want)
		}
	}
	asJSON, err := json.Marshal(map[commit.Position]commit.Position{commit.At(3): {Major: 4, Minor: 5}})
	if string(asJSON) != `{"3":"4-5"}` || err != nil {
		t.Errorf("as JSON: got %s, %v", asJSON, err)
	}
}

func drawPosition(t *rapid.T, name string) commit.Position {
	number := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64(), rapid.Uint64Range(math.MaxUint64-2, math.MaxUint64))
	return commit.Position{Major: number.Draw(t, name), Minor: number.Draw(t, name+" minor")}
}

func TestPositionsAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawPosition(t, "a"), drawPosition(t, "b"), drawPosition(t, "c")
		if back, err := commit.ParsePosition(a.String()); err != nil || back != a {
			t.Fatalf("%v reads back as %v, %v", a, back, err)
		}
		if a.Compare(b) != -b.Compare(a) || (a.Compare(b) == 0) != (a == b) || a.Before(b) != (a.Compare(b) < 0) {
			t.Fatalf("%v and %v: %d, %d", a, b, a.Compare(b), b.Compare(a))
		}
		if a.Before(b) && b.Before(c) && !a.Before(c) {
			t.Fatalf("%v < %v < %v, but not %v < %v", a, b, c, a, c)
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{"", "0", "120000", "1526919030474-55", "5-0", "0-5", "-", "007", "18446744073709551616"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := commit.ParsePosition(text)
		var typed *commit.Error
		switch {
		case err != nil && (!errors.As(err, &typed) || p != commit.Position{}):
			t.Errorf("%q: position %v, error %v", text, p, err)
		case err == nil && p.String() != text && p.String()+"-0" != text:
			t.Errorf("%q reads as %v", text, p)
		}
	})
}
