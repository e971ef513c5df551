package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: miniredis, embedded", "324 events (0 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it", "cursors: 3 member(s)\n  PASS")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Members of one consumer group compete.
func TestSharedGroupLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
		return open(ctx, site, func(*runner.Member) string { return "shared" })
	}
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// start returns a client of a server with a group for one member of two.
func start(t *testing.T) (redis.UniversalClient, *runner.Member) {
	srv := miniredis.RunT(t)
	o, err := parse("redis://" + srv.Addr())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewUniversalClient(o)
	t.Cleanup(func() { client.Close() })
	if err := makeGroup(t.Context(), client, "stream", "member-0"); err != nil {
		t.Fatal(err)
	}
	member, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		t.Fatal(err)
	}
	return client, runner.NewMember("member-0", slot.NewFilter(member), func(err error) { t.Error(err) })
}

func publish(t *testing.T, client redis.UniversalClient, subjects ...string) {
	t.Helper()
	for _, subject := range subjects {
		body := `{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"` + subject + `"}`
		if err := client.XAdd(t.Context(), &redis.XAddArgs{Stream: "stream", Values: []any{field, body}}).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func pending(t *testing.T, client redis.UniversalClient) int64 {
	t.Helper()
	p, err := client.XPending(t.Context(), "stream", "member-0").Result()
	if err != nil {
		t.Fatal(err)
	}
	return p.Count
}

// A member that dies with an event in its hands has it again when it is back, before all that is new.
func TestReadsPendingAgain(t *testing.T) {
	client, m := start(t)
	own, foreign := slottest.Keys(t, 2, 0, 3), slottest.Key(t, 2, 1)
	publish(t, client, own[0], foreign, own[1])
	died := errors.New("died")
	var got []string
	see := func(body []byte, again bool) {
		text := "new "
		if again {
			text = "again "
		}
		for i, key := range own {
			if strings.Contains(string(body), `"`+key+`"`) {
				got = append(got, text+string('a'+rune(i)))
			}
		}
	}
	err := consume(t.Context(), client, "stream", "member-0", m, func(body []byte, _ slot.Verdict, again bool) error {
		see(body, again)
		return died
	})
	if err != died {
		t.Fatalf("got %v, want %v", err, died)
	}
	if got := pending(t, client); got != 3 { // the batch had all three
		t.Errorf("%d entries are pending, want 3", got)
	}
	publish(t, client, own[2])
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := consume(ctx, client, "stream", "member-0", m, func(body []byte, _ slot.Verdict, again bool) error {
		if see(body, again); len(got) == 4 {
			defer stop()
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"new a", "again a", "again b", "new c"}; !slices.Equal(got, want) {
		t.Errorf("handled %q, want %q", got, want)
	}
}

// An entry that is not as this program writes it has no key: one member answers for it.
func TestOtherEntries(t *testing.T) {
	client, m := start(t)
	if err := client.XAdd(t.Context(), &redis.XAddArgs{Stream: "stream", Values: []any{"other", "x"}}).Err(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	want := m.Filter.Member().Holds(m.Filter.Member().Slot(""))
	publish(t, client, slottest.Key(t, 2, 0)) // the end
	var got []slot.Kind
	if err := consume(ctx, client, "stream", "member-0", m, func(_ []byte, verdict slot.Verdict, _ bool) error {
		if got = append(got, verdict.Kind); verdict.Kind == slot.Own {
			stop()
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(got, slot.Malformed) != want {
		t.Errorf("verdicts %v; holds the slot of the empty key: %v", got, want)
	}
}

func TestGroupThatIsThere(t *testing.T) {
	client, _ := start(t)
	if err := makeGroup(t.Context(), client, "stream", "member-0"); err != nil {
		t.Error(err)
	}
	if err := client.Set(t.Context(), "string", "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := makeGroup(t.Context(), client, "string", "member-0"); err == nil {
		t.Error("a group was made on a string")
	}
}

func TestAddresses(t *testing.T) {
	runnertest.Dead(t, program(), "redis://127.0.0.1:1", "no Redis server at 127.0.0.1:1")
	for _, url := range []string{"http://127.0.0.1", "redis://user:secret@host:x", "redis://a,kafka://b"} {
		runnertest.Refuses(t, program(), "-url has a malformed address", "-url", url)
	}
}
