package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

// A stage is a server, and a member's group on it.
type stage struct {
	*testing.T
	server *miniredis.Miniredis
	client redis.UniversalClient
	ctx    context.Context // ends after a while, so that a test fails rather than hang
	own    []string        // keys of the member
	other  string          // a key of the other one
	got    []string        // what was handled: "new a", "again a", the keys being a, b, c, …
}

func start(t *testing.T) *stage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	s := &stage{T: t, server: miniredis.RunT(t), ctx: ctx, own: slottest.Keys(t, 2, 0, 3), other: slottest.Key(t, 2, 1)}
	s.client = s.connect(s.server.Addr())
	if err := makeGroup(ctx, s.client, "stream", "member-0"); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) connect(address string) redis.UniversalClient {
	s.Helper()
	o, err := parse("redis://" + address)
	if err != nil {
		s.Fatal(err)
	}
	client := connect(o)
	s.Cleanup(func() { client.Close() })
	return client
}

func (s *stage) publish(subjects ...string) {
	s.Helper()
	for _, subject := range subjects {
		body := `{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"` + subject + `"}`
		if err := s.client.XAdd(s.ctx, &redis.XAddArgs{Stream: "stream", Values: []any{field, body}}).Err(); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *stage) pending() int64 {
	s.Helper()
	p, err := s.client.XPending(s.ctx, "stream", "member-0").Result()
	if err != nil {
		s.Fatal(err)
	}
	return p.Count
}

// consumer returns that of the member. Its handler takes down what it is given, and then asks what
// to do about the last one.
func (s *stage) consumer(client redis.UniversalClient, then func(last string) error) *consumer {
	member, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		s.Fatal(err)
	}
	return &consumer{
		client: client, stream: "stream", group: "member-0", name: "member-0",
		filter: slot.NewFilter(member), counter: new(slot.Counter), failed: func(err error) { s.Error(err) },
		handle: func(body []byte, verdict slot.Verdict, again bool) error {
			last := "new "
			if again {
				last = "again "
			}
			if verdict.Kind == slot.Malformed {
				last += "malformed"
			}
			for i, key := range s.own {
				if strings.Contains(string(body), `"`+key+`"`) {
					last += string('a' + rune(i))
				}
			}
			s.got = append(s.got, last)
			return then(last)
		},
	}
}

// run runs a consumer until it has handled the event last, or ends by itself.
func (s *stage) run(client redis.UniversalClient, last string, set ...func(*consumer)) error {
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	c := s.consumer(client, func(got string) error {
		if strings.HasSuffix(got, " "+last) {
			stop()
		}
		return nil
	})
	for _, f := range set {
		f(c)
	}
	return c.run(ctx)
}

// hears lets what a consumer is told be kept in place of failing the test.
func hears(told *[]string) func(*consumer) {
	return func(c *consumer) { c.failed = func(err error) { *told = append(*told, err.Error()) } }
}

func (s *stage) handled(want ...string) {
	s.Helper()
	if !slices.Equal(s.got, want) {
		s.Errorf("handled %q, want %q", s.got, want)
	}
}

// A member that dies with an event in its hands has it again when it is back, before all that is
// new. Foreign events that came with it do not wait for that.
func TestReadsPendingAgain(t *testing.T) {
	s := start(t)
	s.publish(s.own[0], s.other, s.own[1], s.other)
	died := errors.New("died")
	if err := s.consumer(s.client, func(string) error { return died }).run(s.ctx); err != died {
		t.Fatalf("got %v, want %v", err, died)
	}
	if got := s.pending(); got != 2 {
		t.Errorf("%d entries are pending, want the 2 own ones", got)
	}
	s.publish(s.own[2])
	if err := s.run(s.client, "c"); err != nil {
		t.Fatal(err)
	}
	s.handled("new a", "again a", "again b", "new c")
	if got := s.pending(); got != 0 {
		t.Errorf("%d entries are pending in the end", got)
	}
}

// When it is to end, a member finishes the event in its hands, and no more of what it has read.
func TestEndsBetweenEvents(t *testing.T) {
	s := start(t)
	s.publish(s.own...)
	if err := s.run(s.client, "a"); err != nil {
		t.Fatal(err)
	}
	s.handled("new a")
	if err := s.run(s.client, "c"); err != nil {
		t.Fatal(err)
	}
	s.handled("new a", "again b", "again c")
}

// The answer to a read is lost. What it had is read again before what came meanwhile.
func TestLostAnswer(t *testing.T) {
	s := start(t)
	p := startProxy(t, s.server.Addr())
	client := s.connect(p.listener.Addr().String())
	s.publish(s.own[:2]...)
	p.once(func(chunk string) bool {
		if !strings.Contains(chunk, "specversion") {
			return false
		}
		s.publish(s.own[2])
		return true
	})
	var told []string
	if err := s.run(client, "c", hears(&told)); err != nil {
		t.Fatal(err)
	}
	s.handled("again a", "again b", "new c")
	if len(told) != 1 {
		t.Errorf("told %q, want the lost connection", told)
	}
}

// An acknowledgement that does not come through is made up for: the event is not handled again.
func TestLostAcknowledgement(t *testing.T) {
	s := start(t)
	p := startProxy(t, s.server.Addr())
	client := s.connect(p.listener.Addr().String())
	s.publish(s.own[:2]...)
	p.once(func(chunk string) bool { return strings.Contains(chunk, "xack") })
	if err := s.run(client, "b"); err != nil {
		t.Fatal(err)
	}
	s.handled("new a", "new b")
	if got := s.pending(); got != 0 {
		t.Errorf("%d entries are pending", got)
	}
}

// The answer to a publisher is lost. The event is there once, and the publisher knows that it does not know.
func TestPublishesOnce(t *testing.T) {
	s := start(t)
	p := startProxy(t, s.server.Addr())
	client := s.connect(p.listener.Addr().String())
	p.once(func(chunk string) bool {
		return strings.HasPrefix(chunk, "$") && s.client.XLen(s.ctx, "stream").Val() > 0
	})
	if err := client.XAdd(s.ctx, &redis.XAddArgs{Stream: "stream", Values: []any{field, "{}"}}).Err(); err == nil {
		t.Error("no error")
	}
	if got := s.client.XLen(s.ctx, "stream").Val(); got != 1 {
		t.Errorf("%d entries, want 1", got)
	}
}

// A server that cannot answer now is waited for; one that says no is not.
func TestServerErrors(t *testing.T) {
	s := start(t)
	s.publish(s.own[0])
	loading := true
	s.server.Server().SetPreHook(func(peer *server.Peer, cmd string, _ ...string) bool {
		if cmd != "XREADGROUP" || !loading {
			return false
		}
		loading = false
		peer.WriteError("LOADING Redis is loading the dataset in memory")
		return true
	})
	var told []string
	if err := s.run(s.client, "a", hears(&told)); err != nil {
		t.Fatal(err)
	}
	s.handled("new a")
	if len(told) != 1 || !strings.HasPrefix(told[0], "LOADING") {
		t.Errorf("told %q", told)
	}
	if err := s.client.XGroupDestroy(s.ctx, "stream", "member-0").Err(); err != nil {
		t.Fatal(err)
	}
	if err := s.run(s.client, "a"); !redis.HasErrorPrefix(err, "NOGROUP") {
		t.Errorf("got %v, want NOGROUP", err)
	}
	s.client.Close()
	if err := s.run(s.client, "a"); !errors.Is(err, redis.ErrClosed) {
		t.Errorf("got %v, want %v", err, redis.ErrClosed)
	}
}

// An entry that was trimmed before it was acknowledged has no fields any more. It is told,
// acknowledged, and does not stop the member. The server in this process leaves such entries out,
// so the answer is put in its mouth as redis-server gives it.
func TestTrimmedEntry(t *testing.T) {
	s := start(t)
	s.publish(s.own[0])
	died := errors.New("died")
	if err := s.consumer(s.client, func(string) error { return died }).run(s.ctx); err != died {
		t.Fatal(err)
	}
	args := &redis.XPendingExtArgs{Stream: "stream", Group: "member-0", Start: "-", End: "+", Count: 9}
	read, err := s.client.XPendingExt(s.ctx, args).Result()
	if err != nil || len(read) != 1 {
		t.Fatal(read, err)
	}
	if err := s.client.XTrimMaxLen(s.ctx, "stream", 0).Err(); err != nil {
		t.Fatal(err)
	}
	acked := false
	s.server.Server().SetPreHook(func(peer *server.Peer, cmd string, args ...string) bool {
		switch {
		case cmd == "XACK" && slices.Contains(args, read[0].ID):
			acked = true
		case cmd == "XREADGROUP" && args[len(args)-1] == "0" && !acked:
			peer.WriteRaw(fmt.Sprintf("*1\r\n*2\r\n$6\r\nstream\r\n*1\r\n*2\r\n$%d\r\n%s\r\n*-1\r\n", len(read[0].ID), read[0].ID))
			return true
		}
		return false
	})
	s.publish(s.own[1])
	var told []string
	if err := s.run(s.client, "b", hears(&told)); err != nil {
		t.Fatal(err)
	}
	s.handled("new a", "new b")
	want := "entry " + read[0].ID + " of stream is lost: it was trimmed before it was handled"
	if !slices.Equal(told, []string{want}) || !acked {
		t.Errorf("told %q, acknowledged %v, want %q", told, acked, want)
	}
}

// An entry that is not as this program writes it has no key: one member answers for it.
func TestOtherEntries(t *testing.T) {
	s := start(t)
	if err := s.client.XAdd(s.ctx, &redis.XAddArgs{Stream: "stream", Values: []any{"other", "x"}}).Err(); err != nil {
		t.Fatal(err)
	}
	s.publish(s.own[0])
	if err := s.run(s.client, "a"); err != nil {
		t.Fatal(err)
	}
	member := s.consumer(nil, nil).filter.Member()
	want := member.Holds(member.Slot(""))
	if slices.Contains(s.got, "new malformed") != want {
		t.Errorf("handled %q; holds the slot of the empty key: %v", s.got, want)
	}
}

// What another consumer claims is gone for the member: it goes on without it, and the order of its keys is lost.
func TestClaimBreaksOrder(t *testing.T) {
	s := start(t)
	s.publish(s.own[:2]...)
	died := errors.New("died")
	if err := s.consumer(s.client, func(string) error { return died }).run(s.ctx); err != died {
		t.Fatal(err)
	}
	args := &redis.XAutoClaimArgs{Stream: "stream", Group: "member-0", Consumer: "other", Start: "0", Count: 1}
	claimed, _, err := s.client.XAutoClaim(s.ctx, args).Result()
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	if err := s.run(s.client, "b"); err != nil {
		t.Fatal(err)
	}
	s.handled("new a", "again b")
	if got := s.pending(); got != 1 {
		t.Errorf("%d entries are pending, want 1, the one that was claimed", got)
	}
}

// Acknowledging does not shorten a stream, and a member that is gone leaves its group.
func TestStays(t *testing.T) {
	s := start(t)
	s.publish(s.own...)
	if err := s.run(s.client, "c"); err != nil {
		t.Fatal(err)
	}
	s.client.Close()
	s.client = s.connect(s.server.Addr())
	if got := s.client.XLen(s.ctx, "stream").Val(); got != 3 || s.pending() != 0 {
		t.Errorf("%d entries, want 3", got)
	}
	groups, err := s.client.XInfoGroups(s.ctx, "stream").Result()
	if err != nil || len(groups) != 1 || groups[0].Name != "member-0" {
		t.Errorf("got %+v, %v, want the group member-0", groups, err)
	}
}

func TestGroupThatIsThere(t *testing.T) {
	s := start(t)
	if err := makeGroup(s.ctx, s.client, "stream", "member-0"); err != nil {
		t.Error(err)
	}
	if err := s.client.Set(s.ctx, "string", "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := makeGroup(s.ctx, s.client, "string", "member-0"); err == nil {
		t.Error("a group was made on a string")
	}
}
