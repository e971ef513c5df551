package load_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/resize"
)

func layoutOf(t testing.TB, text string) resize.Layout {
	t.Helper()
	l, err := resize.ParseLayout(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func read(t testing.TB, tally *load.Tally, text string) {
	t.Helper()
	if err := tally.Read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

// While there are few keys, everything is what counting in maps gives.
func TestFewKeysAreCountedExactly(t *testing.T) {
	layouts := []resize.Layout{layoutOf(t, "7"), layoutOf(t, "12/5")}
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-d]{0,3}`), 1, 300).Draw(t, "keys")
		tally := load.New(layouts...)
		if err := tally.Read(strings.NewReader(strings.Join(keys, "\n") + "\n")); err != nil {
			t.Fatal(err)
		}
		r := tally.Result(1000)
		counts := map[string]uint64{}
		for _, key := range keys {
			counts[key]++
		}
		noKey := counts[""]
		if r.Events != uint64(len(keys)) || r.NoKey != noKey || r.Commands != 0 {
			t.Fatalf("%d events, %d without key, want %d and %d", r.Events, r.NoKey, len(keys), noKey)
		}
		for _, l := range r.Loads {
			events, different, members := make([]uint64, l.Layout.Size()), make([]uint64, l.Layout.Size()), make([]uint64, l.Layout.Members())
			for key, n := range counts {
				slot := hashpin.Sum32String(key) % uint32(l.Layout.Size())
				events[slot] += n
				members[l.Layout.Holder(int(slot))] += n
				if key != "" {
					different[slot]++
				}
			}
			if !slices.Equal(l.Events, events) || !slices.Equal(l.Keys, different) || !slices.Equal(l.Members, members) {
				t.Fatalf("%v: %v %v %v, want %v %v %v", l.Layout, l.Events, l.Keys, l.Members, events, different, members)
			}
		}
		delete(counts, "")
		if len(r.Hottest) != len(counts) || r.Keys != (load.Count{Number: uint64(len(counts)), Exact: true}) {
			t.Fatalf("%d hottest keys of %v, want %d", len(r.Hottest), r.Keys, len(counts))
		}
		for i, k := range r.Hottest {
			if k.Events != counts[k.Key] || !k.Exact || i > 0 && k.Events > r.Hottest[i-1].Events {
				t.Fatalf("key %q is %+v, behind %+v; want %d", k.Key, k, r.Hottest[max(0, i-1)], counts[k.Key])
			}
		}
	})
}

// manyKeys is more different keys than are counted exactly, with keys that are hot from the
// beginning, and one that becomes hot late.
func manyKeys(n int) (text string, counts map[string]uint64) {
	random := rand.New(rand.NewPCG(3, 4))
	counts = map[string]uint64{}
	var b bytes.Buffer
	for i := range n {
		key := fmt.Sprint("key-", random.IntN(n))
		switch {
		case i%10 == 0:
			key = "hot-1"
		case i%25 == 1:
			key = "hot-2"
		case i > n/2 && i%20 == 3:
			key = "late"
		}
		counts[key]++
		b.WriteString(key)
		b.WriteByte('\n')
	}
	return b.String(), counts
}

func TestManyKeysAreEstimated(t *testing.T) {
	text, counts := manyKeys(600_000)
	tally := load.New(layoutOf(t, "12"))
	read(t, tally, text)
	r := tally.Result(3)
	if len(counts) < 3*load.MaxExact {
		t.Fatalf("only %d keys", len(counts))
	}
	near := func(what string, got, want uint64, percent float64) {
		if off := 100 * math.Abs(float64(got)-float64(want)) / float64(want); off > percent {
			t.Errorf("%s: %d is %.1f %% off %d, want %.1f %% at most", what, got, off, want, percent)
		}
	}
	if r.Keys.Exact {
		t.Error("the number of keys is said to be exact")
	}
	near("different keys", r.Keys.Number, uint64(len(counts)), 2)
	bySlot := make([]uint64, 12)
	for key := range counts {
		bySlot[hashpin.Sum32String(key)%12]++
	}
	for slot, want := range bySlot {
		near(fmt.Sprint("different keys of slot ", slot), r.Loads[0].Keys[slot], want, 6)
	}
	for i, want := range []struct {
		key   string
		exact bool
		off   float64
	}{{"hot-1", true, 0}, {"hot-2", true, 0}, {"late", false, 15}} {
		if got := r.Hottest[i]; got.Key != want.key || got.Exact != want.exact {
			t.Errorf("hottest key %d is %+v, want %s", i, got, want.key)
		} else {
			near(want.key, got.Events, counts[want.key], want.off)
		}
	}
	if test := r.Loads[0].KeysTest; test == nil || test.P < 0.001 {
		t.Errorf("keys of the sample: %+v, want an even spread", test)
	}
}

// The same input gives the same result, also where chance has a say.
func TestResultsAreReproducible(t *testing.T) {
	text, _ := manyKeys(200_000)
	var results [2]string
	for i := range results {
		tally := load.New(layoutOf(t, "360"))
		read(t, tally, text)
		results[i] = fmt.Sprintf("%+v", tally.Result(100).Hottest)
	}
	if results[0] != results[1] {
		t.Error("two runs differ")
	}
}

// Long keys do not make the memory grow without bound.
func TestMemoryOfLongKeysIsBounded(t *testing.T) {
	tally := load.New(layoutOf(t, "12"))
	tail := strings.Repeat("x", 100_000) + "\n"
	var lines []io.Reader
	for i := range 1000 {
		lines = append(lines, strings.NewReader(fmt.Sprint(i)), strings.NewReader(tail))
	}
	if err := tally.Read(io.MultiReader(lines...)); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 90<<20 {
		t.Errorf("%d MB are in use, of 100 MB of keys", m.HeapAlloc>>20)
	}
	if r := tally.Result(1); r.Events != 1000 || r.Keys.Exact {
		t.Errorf("%d events, %+v keys; want 1000 and an estimate", r.Events, r.Keys)
	}
}

func TestEventsThatAreNoKeys(t *testing.T) {
	tally := load.New(layoutOf(t, "3"))
	rule := routing.Rule{}
	for _, e := range []routing.Event{{Subject: "a"}, {ID: "b"}, {}, {Topic: "wrk.x.command.y", ID: "c"}} {
		key, _ := rule.Key(e)
		tally.Event(rule.Route(e), key)
	}
	r := tally.Result(10)
	empty := int(hashpin.Sum32String("") % 3)
	if r.Events != 3 || r.NoKey != 1 || r.Commands != 1 || r.Keys.Number != 2 || r.Loads[0].Events[empty] == 0 {
		t.Errorf("got %+v", r)
	}
}

// Values of the distribution from a table: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.4.
func TestChiSquare(t *testing.T) {
	tally := load.New(layoutOf(t, "2"))
	keys := func(slot uint32, n int) {
		for i := 0; n > 0; i++ {
			if key := fmt.Sprint(i); hashpin.Sum32String(key)%2 == slot {
				tally.Event(routing.Hashed(hashpin.Sum32String(key)), key)
				n--
			}
		}
	}
	keys(0, 100)
	keys(1, 128) // (100-114)²/114 + (128-114)²/114 = 3.4386
	r := tally.Result(1)
	got := r.Loads[0].EventsTest
	if got.Degrees != 1 || math.Abs(got.ChiSquare-3.4386) > 0.001 || got.P < 0.05 || got.P > 0.10 {
		t.Errorf("got %+v, want 3.4386 with p between 0.05 (3.841) and 0.10 (2.706)", got)
	}
	if bound := r.SpeedUpBound(); bound != 228 {
		t.Errorf("the bound is %v, want 228", bound)
	}
	if s := r.Loads[0].SpeedUp(); math.Abs(s-228.0/128) > 1e-9 {
		t.Errorf("the speed-up is %v, want 228/128", s)
	}
}

// Beside the bare loop that reads and hashes, as bufio's users write it.
func BenchmarkRead(b *testing.B) {
	inputs := map[string]string{}
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 1, 5_000_000)
	var all, some, skewed bytes.Buffer
	for i := range 1_000_000 {
		fmt.Fprintf(&all, "order-%d\n", i)
		fmt.Fprintf(&some, "device-%d\n", random.IntN(50_000))
		fmt.Fprintf(&skewed, "customer/%d\n", zipf.Uint64())
	}
	inputs["different"], inputs["few"], inputs["skewed"] = all.String(), some.String(), skewed.String()
	for _, name := range []string{"different", "few", "skewed"} {
		text := inputs[name]
		b.Run(name+"/bare", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var slots [12]int
			for b.Loop() {
				lines := bufio.NewScanner(strings.NewReader(text))
				for lines.Scan() {
					slots[hashpin.Sum32(lines.Bytes())%12]++
				}
			}
		})
		b.Run(name+"/tally", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			layout := layoutOf(b, "12")
			for b.Loop() {
				tally := load.New(layout)
				read(b, tally, text)
				tally.Result(10)
			}
		})
	}
}
