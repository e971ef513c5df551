package resize_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

type dealTest struct {
	vectors.Test
	Slots        int    `json:"slots"`
	Holders      int    `json:"holders"`
	SHA256       string `json:"sha256"`
	HolderOfSlot []int  `json:"holder_of_slot"`
}

func TestDealVectors(t *testing.T) {
	for _, test := range vectors.Load[dealTest](t, "deal.v1", nil) {
		got := holders(deal(t, test.Slots, test.Holders))
		if test.HolderOfSlot != nil && !slices.Equal(got, test.HolderOfSlot) {
			t.Errorf("%v: got %v, want %v", test, got, test.HolderOfSlot)
		}
		texts := make([]string, len(got))
		for s, m := range got {
			texts[s] = strconv.Itoa(m)
		}
		sum := sha256.Sum256([]byte(strings.Join(texts, ",")))
		if got := hex.EncodeToString(sum[:]); got != test.SHA256 {
			t.Errorf("%v: digest %s, want %s", test, got, test.SHA256)
		}
	}
}

type planTest struct {
	vectors.Test
	Text         *string        `json:"text"`
	TextHex      vectors.Bytes  `json:"text_hex"`
	Result       string         `json:"result"`
	Error        string         `json:"error"`
	Canonical    *string        `json:"canonical"`
	CanonicalHex *vectors.Bytes `json:"canonical_hex"`
	Members      *int           `json:"members"`
	Lives        []struct {
		Member int              `json:"member"`
		Start  commit.Position  `json:"start"`
		End    *commit.Position `json:"end"`
	} `json:"lives"`
	Events []struct {
		Position commit.Position `json:"position"`
		Hash     string          `json:"hash"`
		Member   int             `json:"member"`
	} `json:"events"`
	Next      *string          `json:"next"`
	NextHex   *vectors.Bytes   `json:"next_hex"`
	Delivered *commit.Position `json:"delivered"`
	Adopt     string           `json:"adopt"`
	Drain     *struct {
		Member    int                     `json:"member"`
		Hash      string                  `json:"hash"`
		Position  commit.Position         `json:"position"`
		Committed map[int]commit.Position `json:"committed"`
		Drained   bool                    `json:"drained"`
	} `json:"drain"`
}

var planErrors = map[string][]error{
	"text":     {resize.ErrText, commit.ErrText},
	"slots":    {resize.ErrSize},
	"members":  {resize.ErrMembers},
	"position": {resize.ErrPosition},
	"same":     {resize.ErrSame},
	"length":   {resize.ErrLength},
}

func TestPlanVectors(t *testing.T) {
	for _, test := range vectors.Load[planTest](t, "plan.v1", nil) {
		p, err := resize.ParsePlan(string(test.TextHex))
		if test.Result != "valid" {
			if !slices.ContainsFunc(planErrors[test.Error], func(want error) bool { return errors.Is(err, want) }) {
				t.Errorf("%v: got the error %v, want the class %q", test, err, test.Error)
			}
			continue
		}
		if err != nil || p.String() != string(*test.CanonicalHex) {
			t.Errorf("%v: got %v, %v, want %s", test, p, err, *test.CanonicalHex)
			continue
		}
		if test.Members != nil && p.Members() != *test.Members {
			t.Errorf("%v: got %d members, want %d", test, p.Members(), *test.Members)
		}
		test.checkLives(t, p)
		test.checkEvents(t, p)
		test.checkAdopt(t, p)
		test.checkDrain(t, p)
	}
}

func (test planTest) checkLives(t *testing.T, p resize.Plan) {
	for _, want := range test.Lives {
		s := switchOf(t, p, want.Member)
		end, ends := s.End()
		if s.Start() != want.Start || ends != (want.End != nil) || ends && end != *want.End {
			t.Errorf("%v: member %d: got %v to %v, %v, want %v to %v", test, want.Member, s.Start(), end, ends, want.Start, want.End)
		}
	}
}

func (test planTest) checkEvents(t *testing.T, p resize.Plan) {
	for _, want := range test.Events {
		route := routing.Hashed(parseHash(t, want.Hash))
		got, ok := p.Owner(want.Position, route)
		if !ok || got != want.Member || !switchOf(t, p, want.Member).Filter(want.Position).Judge(route).Admit() {
			t.Errorf("%v: hash %s at %v: got member %d, %v, want %d", test, want.Hash, want.Position, got, ok, want.Member)
		}
	}
}

func (test planTest) checkAdopt(t *testing.T, p resize.Plan) {
	if test.NextHex == nil {
		return
	}
	_, err := p.Adopt(plan(t, string(*test.NextHex)), *test.Delivered)
	want := map[string]error{"adopted": nil, "extend": resize.ErrExtend, "delivered": resize.ErrDelivered}[test.Adopt]
	if !errors.Is(err, want) || (err == nil) != (test.Adopt == "adopted") {
		t.Errorf("%v: got %v, want %s", test, err, test.Adopt)
	}
}

func (test planTest) checkDrain(t *testing.T, p resize.Plan) {
	if test.Drain == nil {
		return
	}
	committed := func(member int) (commit.Position, bool) {
		done, ok := test.Drain.Committed[member]
		return done, ok
	}
	got := switchOf(t, p, test.Drain.Member).Drained(test.Drain.Position, routing.Hashed(parseHash(t, test.Drain.Hash)), committed)
	if got != test.Drain.Drained {
		t.Errorf("%v: got %v, want %v", test, got, test.Drain.Drained)
	}
}

func switchOf(tb testing.TB, p resize.Plan, member int) *resize.Switch {
	tb.Helper()
	s, err := p.Switch("pairs", member, routing.Rule{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func parseHash(tb testing.TB, text string) uint32 {
	tb.Helper()
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil {
		tb.Fatal(err)
	}
	return uint32(n)
}

type simulateTest struct {
	vectors.Test
	From  resize.Layout `json:"from"`
	To    resize.Layout `json:"to"`
	Order []int         `json:"order"`
	Moved string        `json:"moved"`
	Least string        `json:"least"`
	Safe  bool          `json:"safe"`
	Steps []struct {
		Member  int    `json:"member"`
		Action  string `json:"action"`
		After   []int  `json:"after"`
		Unowned string `json:"unowned"`
		Doubled string `json:"doubled"`
	} `json:"steps"`
}

func TestSimulateVectors(t *testing.T) {
	for _, test := range vectors.Load[simulateTest](t, "simulate.v1", nil) {
		c := simulate(t, test.From, test.To, test.Order...)
		got, want := []string{fmt.Sprint(c.Moved, c.Least, c.Safe())}, []string{fmt.Sprint(test.Moved, " ", test.Least, " ", test.Safe)}
		for _, s := range c.Steps {
			got = append(got, fmt.Sprint(s.Member, s.Action, s.After, s.Unowned, s.Doubled))
		}
		for _, s := range test.Steps {
			want = append(want, fmt.Sprint(s.Member, " ", s.Action, " ", s.After, " ", s.Unowned, " ", s.Doubled))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test, diff)
		}
	}
}
