package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/slot"
)

// Every table makes its inputs, finds all contenders right, and each of them runs; ours without an allocation.
func TestTables(t *testing.T) {
	for _, table := range tables {
		if table.groups == nil {
			continue // TestEndToEnd
		}
		groups, err := table.groups()
		if err != nil {
			t.Errorf("%s: %v", table.name, err)
		}
		for _, g := range groups {
			if len(g.Contenders) == 0 {
				t.Errorf("%s, %s: no contender", table.name, g.Name)
			}
			for _, c := range g.Contenders {
				if got := testing.AllocsPerRun(5, func() { c.Run(3) }); isOurs(c.Name) && got != 0 {
					t.Errorf("%s, %s, %s: %v allocations, want 0", table.name, g.Name, c.Name, got)
				}
			}
		}
	}
	// What loops leave behind, so that no compiler leaves the loops out.
	if verdict.Kind == 0 || sums == 0 || owner < 0 {
		t.Errorf("contenders left %v, %v, %v, %v", verdict, sums, owner, ours)
	}
}

// Members in one process, on a real server: each event has one owner (or the column is an error), and there are rates.
func TestEndToEnd(t *testing.T) {
	url, stop, err := startServer()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, mode := range []string{"structured", "binary"} {
		c, err := endToEndColumn(url, mode, 3, 1, time.Millisecond)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		for _, name := range []string{discard, decideDrop, decodeDrop} {
			if cost, ok := c.cost(name); !ok || cost.PerSecond <= 0 || cost.Time <= 0 {
				t.Errorf("%s, %s: %v events/s, %v ns", mode, name, cost.PerSecond, cost.Time)
			}
		}
	}
}

func TestWrongPartitionersAreFound(t *testing.T) {
	calls := 0
	for name, slot := range map[string]func(i int) int{
		"out of range":  func(i int) int { return i % 4 },
		"negative":      func(i int) int { return i%3 - 1 },
		"not the same":  func(int) int { calls++; return calls % 3 },
		"one for all":   func(int) int { return 1 },
		"size included": func(i int) int { return i % 2 * 3 },
	} {
		if err := checkPartitioner(partitioner{name: name, slot: slot}, 3); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestWrongDecidersAreFound(t *testing.T) {
	f, e := benchFilter(), payload.New(1, 300, payload.Dense)
	right := ownDeciders[0]
	if err := checkDecider(right, f, e, e.Late()); err != nil {
		t.Error(err)
	}
	wrongKey := decider{"", func(*slot.Filter, []byte) slot.Verdict { return slot.Verdict{} }, true}
	if err := checkDecider(wrongKey, f, e, e.Late()); err == nil {
		t.Error("a decider that finds no key: no error")
	}
	right.last = false
	if err := checkDecider(right, f, e, e.Late()); err == nil {
		t.Error("a decider that says it takes the first subject and takes the last: no error")
	}
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-tables", "four,binary", "-passes", "1", "-pass", "1ms"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Four keys at once", "| " + fourXXHash + " |", "| | HTTP | NATS |", "| `ToEvent` to `DecideMessage`, HTTP | at least 50 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
	out.Reset()
	if err := run([]string{"-tables", "four", "-passes", "1", "-pass", "1ms", "-json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Tables) != 1 || len(got.Tables[0].Columns) != 3 || len(got.Goals) != 2 || got.CPU == "" {
		t.Errorf("JSON has %d tables, %d goals, CPU %q", len(got.Tables), len(got.Goals), got.CPU)
	}
}

// With -guard, only what goals with a guard need is measured.
func TestGuardMeasuresLittle(t *testing.T) {
	var out bytes.Buffer
	// The verdict of a run as short as this is not the test's.
	_ = run([]string{"-guard", "-tables", "local,end-to-end", "-passes", "1", "-pass", "1ms", "-json"}, &out)
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Tables) != 1 || len(got.Tables[0].Columns) != 2 {
		t.Fatalf("tables %+v, want local with the inputs 1 and 1024", got.Tables)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct{ arguments, want string }{
		{"-tables key,nothing", `no table "nothing"`},
		{"-passes 0", "-passes 0: must be 1 or more"},
		{"-pass 1us", "-pass 1µs: must be from 1ms to 1s"},
		{"-pass 2s", "-pass 2s: must be from 1ms to 1s"},
		{"key", `"key" is no flag`},
	} {
		err := run(strings.Fields(c.arguments), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.arguments, err, c.want)
		}
	}
	o, err := parse([]string{"-tables", "local,key"})
	if err != nil || len(o.tables) != 2 || o.tables[0].name != "local" || o.settings != (measure.Settings{Passes: 40, Pass: 10 * time.Millisecond}) {
		t.Errorf("options %+v, %v", o, err)
	}
}
