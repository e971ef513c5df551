package inbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/hashpin"
)

type event struct {
	key    int
	number int
}

func sum(key int) uint32 { return hashpin.Sum32String(fmt.Sprint("key-", key)) }

// Each key's events are handled in their order, one at a time, while lanes run at once. The race
// detector sees the handlers write to the keys' own places without a lock.
func TestOrderPerKey(t *testing.T) {
	const keys, events = 50, 20_000
	last, handled := [keys]int{}, [keys]int{}
	box, err := inbox.New(inbox.Config{Lanes: 8, Depth: 16}, func(e event) {
		if e.number <= last[e.key] {
			t.Errorf("key %d: event %d after %d", e.key, e.number, last[e.key])
		}
		last[e.key] = e.number
		handled[e.key]++
	})
	if err != nil {
		t.Fatal(err)
	}
	put := 0
	for n := 1; n <= events; n++ {
		key := n * n % keys
		if n%3 == 0 {
			if !box.Offer(sum(key), event{key, n}) {
				continue
			}
		} else if err := box.Put(t.Context(), sum(key), event{key, n}); err != nil {
			t.Fatal(err)
		}
		put++
		if depth := box.Len(); depth > 16 {
			t.Fatalf("%d events are in an inbox of 16", depth)
		}
	}
	box.Close()
	total := 0
	for _, n := range handled {
		total += n
	}
	if total != put {
		t.Errorf("%d events were handled, %d were put", total, put)
	}
}

// Lanes run at once: as many handlers as there are lanes meet, each waiting for all others.
func TestLanesRunAtOnce(t *testing.T) {
	const lanes = 4
	var meeting sync.WaitGroup
	meeting.Add(lanes)
	box, err := inbox.New(inbox.Config{Lanes: lanes, Depth: lanes}, func(event) {
		meeting.Done()
		meeting.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	busy := map[int]bool{}
	for key := 0; len(busy) < lanes; key++ {
		if lane := inbox.Lane(sum(key), lanes); !busy[lane] {
			busy[lane] = true
			if err := box.Put(t.Context(), sum(key), event{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	box.Close()
}

// A full inbox makes Put wait until there is room, or until ctx ends; it refuses what is of low priority before that.
func TestFull(t *testing.T) {
	release := make(chan struct{})
	var handled []int
	box, err := inbox.New(inbox.Config{Lanes: 1, Depth: 3, Low: 2}, func(e event) {
		<-release
		handled = append(handled, e.number)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, false} {
		if got := box.Offer(7, event{number: i}); got != want {
			t.Errorf("low priority with %d in the inbox: got %v, want %v", i, got, want)
		}
	}
	if err := box.Put(t.Context(), 7, event{number: 3}); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if err := box.Put(ctx, 7, event{number: 4}); err != stop {
		t.Errorf("into a full inbox: %v, want %v", err, stop)
	}
	if got := box.Len(); got != 3 {
		t.Errorf("%d in the inbox, want 3", got)
	}
	release <- struct{}{}
	if err := box.Put(t.Context(), 7, event{number: 5}); err != nil {
		t.Fatal(err)
	}
	close(release)
	box.Close()
	if got, want := fmt.Sprint(handled), "[0 1 3 5]"; got != want {
		t.Errorf("handled %s, want %s", got, want)
	}
}

func TestConfig(t *testing.T) {
	for _, test := range []struct {
		config inbox.Config
		want   string
	}{
		{inbox.Config{}, "inbox: lanes 0 is not from 1 to 1024"},
		{inbox.Config{Lanes: 1025, Depth: 2000}, "inbox: lanes 1025 is not from 1 to 1024"},
		{inbox.Config{Lanes: 4, Depth: 3}, "inbox: depth 3 is not from 4 to 1048576"},
		{inbox.Config{Lanes: 1, Depth: 1<<20 + 1}, "inbox: depth 1048577 is not from 1 to 1048576"},
		{inbox.Config{Lanes: 1, Depth: 10, Low: 11}, "inbox: low 11 is not from 0 to 10"},
		{inbox.Config{Lanes: 1, Depth: 10, Low: -1}, "inbox: low -1 is not from 0 to 10"},
	} {
		if _, err := inbox.New(test.config, func(event) {}); err == nil || err.Error() != test.want {
			t.Errorf("%+v: got %v, want %s", test.config, err, test.want)
		}
	}
}
