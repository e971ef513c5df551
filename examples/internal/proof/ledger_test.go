package proof_test

import (
	"strings"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/proof"
)

// stream is four events of two keys; ids repeat, as in real streams.
func stream() *proof.Ledger {
	l := proof.NewLedger()
	for _, key := range []string{"a", "b", "a", "b"} {
		l.Published("1", key)
	}
	return l
}

func mark(worker string, seq uint64, key string) proof.Mark {
	return proof.Mark{Worker: worker, Seq: seq, ID: "1", Subject: key, Verdict: "own"}
}

func TestLedger(t *testing.T) {
	good := []proof.Mark{mark("x", 1, "a"), mark("y", 2, "b"), mark("x", 3, "a"), mark("y", 4, "b")}
	for _, c := range []struct {
		name  string
		marks []proof.Mark
		want  string // the problems, joined; empty: none
	}{
		{"good", good, ""},
		{"keys may interleave", []proof.Mark{good[1], good[3], good[0], good[2]}, ""},
		{"nothing handled", nil, `lost: 4 (first: event 1, "a")`},
		{"one lost", good[:3], `lost: 1 (first: event 4, "b")`},
		{"one twice", append([]proof.Mark{good[0]}, good...), `handled again: 1 (first: event 1, "a", by x)`},
		{"twice by two members", append(good[:4:4], mark("y", 4, "b"), mark("x", 4, "b")), `handled again: 2 (first: event 4, "b", by y)`},
		{"a key with two members", []proof.Mark{good[0], good[1], mark("y", 3, "a"), good[3]}, `keys with two members: 1 (first: "a", by x and by y)`},
		{"out of order", []proof.Mark{good[2], good[1], good[0], good[3]}, `out of order: 1 (first: event 1 after event 3, "a", by x)`},
		{"never published", append([]proof.Mark{mark("x", 5, "a")}, good...), `not as published: 1 (first: x reports event 5, which was not published)`},
		{"sequence zero", append([]proof.Mark{mark("x", 0, "a")}, good...), `not as published: 1 (first: x reports event 0, which was not published)`},
		{"another subject", append([]proof.Mark{mark("x", 1, "b")}, good[1:]...), `not as published: 1 (first: x read event 1 as "b", "1"; published was "a", "1")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := stream()
			for _, m := range c.marks {
				l.Handled(m)
			}
			l.Settle()
			r := l.Result()
			if got := strings.Join(r.Problems(), "; "); got != c.want {
				t.Errorf("problems are %s, want %s", got, c.want)
			}
			if got, want := r.OK(), c.want == ""; got != want {
				t.Errorf("OK() = %v, want %v", got, want)
			}
		})
	}
}

// What is settled stays settled: a late mark is a repeat, and order is kept across settling.
func TestSettle(t *testing.T) {
	l := proof.NewLedger()
	l.Published("1", "a")
	l.Handled(mark("x", 1, "a"))
	l.Settle()
	if got := l.Result(); !got.OK() {
		t.Fatalf("after one event: %q", got.Problems())
	}
	l.Published("1", "a")
	l.Handled(mark("y", 2, "a"))
	l.Handled(mark("x", 1, "a"))
	l.Settle()
	got := strings.Join(l.Result().Problems(), "; ")
	if want := `handled again: 1 (first: event 1, "a", again by x); keys with two members: 1 (first: "a", by x and by y)`; got != want {
		t.Errorf("problems are %s, want %s", got, want)
	}
}

func TestShare(t *testing.T) {
	l := stream()
	for _, m := range []proof.Mark{mark("x", 1, "a"), mark("x", 2, "b"), mark("x", 3, "a")} {
		l.Handled(m)
	}
	if got, want := l.Share("x"), (proof.Share{Handled: 3, Keys: 2}); got != want {
		t.Errorf("Share(x) = %+v, want %+v", got, want)
	}
	if got, want := l.Share("nobody"), (proof.Share{}); got != want {
		t.Errorf("Share(nobody) = %+v, want %+v", got, want)
	}
	if got := l.Result(); got.OK() {
		t.Error("OK before everything was handled")
	}
}

// What a program asks while the stream flows.
func TestQueries(t *testing.T) {
	l := stream()
	l.Handled(mark("x", 1, "a"))
	l.Handled(mark("y", 2, "b"))
	l.Handled(mark("y", 2, "b"))
	if got := l.Open(); got != 2 {
		t.Errorf("Open() = %d, want 2", got)
	}
	for seq, want := range []bool{false, true, true, false, false, false} {
		if got := l.Has(uint64(seq)); got != want {
			t.Errorf("Has(%d) = %v, want %v", seq, got, want)
		}
	}
	if got, ok := l.Owner("a"); got != "x" || !ok {
		t.Errorf("Owner(a) = %q, %v", got, ok)
	}
	if got, ok := l.Owner("c"); ok {
		t.Errorf("Owner(c) = %q", got)
	}
	l.Settle()
	if l.Open() != 0 || !l.Has(4) {
		t.Errorf("after Settle %d are open, and Has(4) = %v", l.Open(), l.Has(4))
	}
}
