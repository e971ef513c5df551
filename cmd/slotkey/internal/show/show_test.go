package show

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestTexts(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Key("orders/7"), "orders/7"},
		{Key("Grüße 🌿"), "Grüße 🌿"},
		{Key(""), `""`},
		{Key(" a"), `" a"`},
		{Key("a\r"), `"a\r"`},
		{Key("\xff"), `"\xff"`},
		{Key(`"a"`), `"\"a\""`},
		{Key("a\u202eb"), `"a\u202eb"`}, // would turn the line round
		{Cut("abcdef", 6), "abcdef"},
		{Cut("abcdef", 5), "abcd…"},
		{Cut("日本語日本語", 6), "日本…"},
		{Cut("abcdef", 0), "abcdef"},
		{Wrap("one two three", 7, "> "), "one two\n> three"},
		{Wrap("much-too-long a b", 3, ""), "much-too-long\na b"},
		{Number(9999), "9999"},
		{Number(10000), "10 000"},
		{Number(1234567), "1 234 567"},
		{About(855040), "~ 855 000"},
		{About(999), "~ 999"},
		{About(99999), "~ 100 000"},
		{Percent(0), "0 %"},
		{Percent(0.0833333), "8.33 %"},
		{Percent(0.5), "50 %"},
		{Percent(0.12345), "12.3 %"},
		{Percent(0.000026), "0.0026 %"},
		{Percent(1), "100 %"},
		{Plural(1, "event"), "1 event"},
		{Plural(20000, "event"), "20 000 events"},
		{Bar(0, 10), ""},
		{Bar(0.0001, 10), "▏"},
		{Bar(0.5, 10), "█████"},
		{Bar(1, 3), "███"},
		{Bar(2, 3), "███"},
		{Level(0) + Level(0.001) + Level(0.5) + Level(1), " ▁▄█"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestColoursAndWidths(t *testing.T) {
	lookup := func(pairs ...string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1], true
				}
			}
			return "", false
		}
	}
	if o := NewOut(&bytes.Buffer{}, lookup()); o.Colours || o.Terminal || o.Width != 80 {
		t.Errorf("in a pipe: %+v, want no colours and 80 columns", o)
	}
	for text, want := range map[string]int{"200": 200, "7": 40, "-1": 80, "x": 80} {
		if o := NewOut(&bytes.Buffer{}, lookup("COLUMNS", text)); o.Width != want {
			t.Errorf("COLUMNS=%s: %d columns, want %d", text, o.Width, want)
		}
	}
	plain, painted := &Out{}, &Out{Colours: true}
	if got := plain.Bad("x") + painted.Bad("x") + painted.Bad(""); got != "x\x1b[31mx\x1b[0m" {
		t.Errorf("got %q", got)
	}
}

func TestTableFitsATerminal(t *testing.T) {
	table := Table{Head: []string{"N", "KEY"}, Right: map[int]bool{0: true}}
	table.Add("1", "short")
	table.Add("1000", strings.Repeat("long", 20))
	var out bytes.Buffer
	table.Print(&Out{Writer: &out, Terminal: true, Width: 40})
	want := "   N  KEY\n   1  short\n1000  " + Cut(strings.Repeat("long", 20), 34) + "\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A bar is shown on a terminal only, and only once the work has taken a second.
func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	clock := func() time.Time { return now }
	var pipe, terminal bytes.Buffer
	none := newProgress(&pipe, false, "keys", 100, true, clock)
	some := newProgress(&terminal, true, "keys", 100, true, clock)
	for _, p := range []*Progress{none, some} {
		p.Set(10)
	}
	if terminal.Len() > 0 {
		t.Errorf("at once: %q", &terminal)
	}
	now = now.Add(1500 * time.Millisecond)
	var done int64
	reader := some.Reader(strings.NewReader(strings.Repeat("x", 60)), &done)
	if _, err := reader.Read(make([]byte, 60)); err != nil || done != 60 {
		t.Fatal(done, err)
	}
	none.Set(60)
	if got := terminal.String(); !strings.Contains(got, "keys") || !strings.Contains(got, "60") {
		t.Errorf("after a second: %q, want a bar", got)
	}
	some.Clear()
	length := terminal.Len()
	some.Set(70)
	if terminal.Len() != length {
		t.Error("shown after Clear")
	}
	if pipe.Len() > 0 {
		t.Errorf("in a pipe: %q", &pipe)
	}
}
