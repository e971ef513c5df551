package conform

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
)

// Each known mistake changes the state of some key here, and is then told from all others by several keys.
func TestMistakesAreTold(t *testing.T) {
	keys := []string{"order-7", "é", "日本", "😀", "A😀é ", " trimmed ", "a\x00b", "\x00", "\x00x", "\xff\xfe", "x\xffé", "Ünï", "ÀB", "\xff", "\xffé", "abc", "\xc3\xa9\x80"}
	for _, m := range mistakes {
		var wrong []badState
		for _, key := range keys {
			if got := m.state([]byte(key)); got != pin.Add(pin.Offset, key) {
				wrong = append(wrong, badState{[]byte(key), got})
			}
		}
		if len(wrong) == 0 {
			t.Errorf("%s: no key shows it", m.cause)
			continue
		}
		stage, cause := wrongState(wrong[0], wrong[1:]...)
		if stage != m.stage || cause != m.cause {
			t.Errorf("got %q, %q; want %q, %q", stage, cause, m.stage, m.cause)
		}
	}
}

// A right answer is none of the mistakes, whatever the vector.
func TestMistakesAreWrong(t *testing.T) {
	requests, err := published()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, r := range requests {
		if r.op() != opHash {
			continue
		}
		key := r.keys()[0]
		for _, m := range mistakes {
			if m.state(key) != pin.Add(pin.Offset, key) {
				shown[m.cause] = true
			}
		}
	}
	for _, m := range mistakes {
		if !shown[m.cause] {
			t.Errorf("no vector shows a port that makes this mistake: %s", m.cause)
		}
	}
}

func TestJudge(t *testing.T) {
	slot := slotRequest("", []byte("foobar"), 1000, 0xbf9cf968, 0x0c0da6dc, 276)
	high := slotRequest("", []byte("a"), 100, 0xe40c292c, 0xfffffff0, 80) // no such key: the sum is what counts
	hash := hashRequest("", []byte("foobar"), 0xbf9cf968, 0x0c0da6dc)
	subject, id, empty := "s", "i", ""
	both := keyRequest("", &subject, &id, &subject)
	emptied := keyRequest("", &empty, &id, &id)
	none := keyRequest("", nil, &empty, nil)
	owns := ownsRequest("", []byte("foobar"), 3, 0, true)
	deals := dealRequest("", 8, 3, "0,0,0,2,1,1,1,2")
	body := jsonRequest("", `{"id":"i","id":"j","ID":"k"}`, &[]string{"j"}[0])
	limit := refused("", "slot\t61\t0")
	for _, c := range []struct {
		request request
		line    string
		kind    Kind
		stage   Stage
		reason  string
	}{
		{hash, "5\tbf9cf968\tbf9cf968", Wrong, StageFinalizer, "there is no finalizer: the hash is the FNV state"},
		{hash, "5\t0c0da6dc\t0c0da6dc", Wrong, StageFNV, "this is the hash: the first field of an answer is the state before the finalizer"},
		{slot, "5\tbf9cf968\t0c0da6dc\t277", Wrong, StageModulo, "slots are counted from 1, want from 0"},
		{slot, "5\tbf9cf968\t0c0da6dc\t47", Wrong, StageModulo, "the hash is scaled to the size: the slot is its remainder"},
		{slot, "5\tbf9cf968\t0c0da6dc\t99999999999999999999", Wrong, StageModulo, "the slot is out of all range"},
		{slot, "5\tbf9cf968\t0c0da6dc\t999", Wrong, StageModulo, ""},
		{high, "5\te40c292c\tfffffff0\t-16", Wrong, StageModulo, "the remainder is signed: the hash must count as unsigned"},
		{high, "5\te40c292c\tfffffff0\t16", Wrong, StageModulo, "the absolute value of a signed number is taken: the hash must count as unsigned"},
		{high, "5\te40c292c\tfffffff0\t84", Wrong, StageModulo, "the hash counts as signed, with a remainder rounded down: it must count as unsigned"},
		{high, "5\te40c292c\tfffffff0\t32", Wrong, StageModulo, "the top bit is cleared: the hash must count as unsigned"},
		{both, "5\t69", Wrong, StageKey, "the id is taken before the subject"},
		{both, "5\t7369", Wrong, StageKey, "subject and id are joined: the subject alone is the key, and the id where there is no subject"},
		{both, "5\t3733", Wrong, StageKey, "the hexadecimal digits are taken for the attribute, not the bytes that they stand for"},
		{emptied, "5\t", Wrong, StageKey, "the empty subject is kept: an empty attribute is absent"},
		{emptied, "5\t-", Wrong, StageKey, "the empty subject counts as no key: an empty attribute is absent, and the id is next"},
		{none, "5\t", Wrong, StageKey, "no key is answered as the empty key: the answer is -"},
		{owns, "5\tfalse", Wrong, StageOwns, ""},
		{owns, "5\tTRUE", Garbage, "", `"TRUE" is neither true nor false`},
		{deals, "5\t0,1,2,0,1,2,0,1", Wrong, StageDeal, "slots are dealt by remainder"},
		{deals, "5\t0,0,0", Wrong, StageDeal, "there must be one holder for each slot"},
		{deals, "5\t0,0,x", Garbage, "", `"x" is not a member in decimal`},
		{body, "5\t69", Wrong, StageJSON, "of several members with one name the first is taken, want the last"},
		{body, "5\t6b", Wrong, StageJSON, "names are compared without regard to case"},
		{body, "5\t6", Garbage, "", `"6" is neither bytes in lower-case hexadecimal nor -`},
		{limit, "5\t0\t0\t0", Garbage, "", `"0" is not a number in 8 lower-case hexadecimal digits`},
		{limit, "5\te40c292c\t1a80b1b3\t0", Wrong, StageLimits, "a value out of range was answered: SPEC 4.4 wants it refused, not wrapped, clamped or replaced"},
		{hash, "4\tbf9cf968\t0c0da6dc", Extra, "", "this is answer 4, a second time or out of order, where answer 5 was due"},
		{hash, "6\tbf9cf968\t0c0da6dc", Missing, "", "this is answer 6 where answer 5 was due"},
		{hash, "05\tbf9cf968\t0c0da6dc", Garbage, "", "an answer begins with the request's number and a tab"},
		{hash, "5", Garbage, "", "an answer begins with the request's number and a tab"},
		{hash, "5\terror\tno", Refused, "", "the port refuses a request that it must answer: no"},
	} {
		fault := judge(&c.request, 5, []byte(c.line))
		if fault == nil {
			t.Errorf("%q: got no fault, want %q", c.line, c.kind)
			continue
		}
		if fault.Kind != c.kind || fault.Stage != c.stage || fault.Reason != c.reason {
			t.Errorf("%q: got %q, %q, %q; want %q, %q, %q", c.line, fault.Kind, fault.Stage, fault.Reason, c.kind, c.stage, c.reason)
		}
	}
	if fault := judge(&limit, 5, []byte("5\terror\tsize 0")); fault != nil {
		t.Errorf("a refusal that is due: got %v, want none", fault)
	}
}

// The generated keys are the same on every machine and under every release of Go: whoever reports a seed can be helped.
func TestGeneratorIsPinned(t *testing.T) {
	for _, c := range []struct {
		capabilities []string
		want         string
	}{
		{nil, "5b2fa1eeae504112f32e48690941dff260a0d1f12d5a7fba17980f5fa9abdc09"},
		{[]string{capNUL, capBytes}, "83d97ede0a40acf32ea0215d6baf711657b73fd4c7ceb5d4c20b0df60f087ac1"},
	} {
		digest := sha256.New()
		for r := range newGenerator(1, 2000, Hello{Capabilities: c.capabilities}).requests() {
			digest.Write(r.line)
			digest.Write(r.want)
		}
		if got := hex.EncodeToString(digest.Sum(nil)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.capabilities, got, c.want)
		}
	}
}

// What is generated depends on what the port can take, and covers every length where the number allows.
func TestGeneratorKinds(t *testing.T) {
	for _, c := range []struct {
		nul, bytes bool
		keys       int
	}{{false, false, 1_000_000}, {true, false, 20_000}, {false, true, 20_000}, {true, true, 20_000}} {
		if testing.Short() {
			c.keys = 20_000
		}
		var can []string
		if c.nul {
			can = append(can, capNUL)
		}
		if c.bytes {
			can = append(can, capBytes)
		}
		lengths := map[int]bool{}
		var nul, invalid bool
		for r := range newGenerator(3, c.keys, Hello{Capabilities: can}).requests() {
			key := r.keys()[0]
			lengths[len(key)] = true
			nul = nul || bytes.IndexByte(key, 0) >= 0
			invalid = invalid || !utf8.Valid(key)
		}
		if nul != c.nul || invalid != c.bytes {
			t.Errorf("%+v: got NUL %v and bytes that are no UTF-8 %v", c, nul, invalid)
		}
		if !lengths[0] || !lengths[maxKey] || c.keys == 1_000_000 && len(lengths) != maxKey+1 {
			t.Errorf("%+v: got %d lengths, want %d if the keys suffice, and the first and the last in any case", c, len(lengths), maxKey+1)
		}
	}
}

func TestDealIsPublished(t *testing.T) {
	for _, c := range []struct {
		slots, members int
		want           string
	}{{1, 1, "0"}, {3, 3, "0,2,1"}, {8, 3, "0,0,0,2,1,1,1,2"}, {7, 5, "0,0,3,2,1,1,4"}} {
		if got := deal(c.slots, c.members, true, true); got != c.want {
			t.Errorf("%d slots, %d members: got %s, want %s", c.slots, c.members, got, c.want)
		}
	}
}

func TestDetailIsReadable(t *testing.T) {
	r := hashRequest("hash.v1 #1", []byte("tab\tand\x1b[31m\xff"), 1, 2)
	fault := judge(&r, 1, []byte("1\t"+strings.Repeat("\x1b[2J", 100)))
	for line := range strings.Lines(fault.Detail()) {
		if strings.ContainsAny(line, "\x1b\t") || !utf8.ValidString(line) || len([]rune(line)) > 250 {
			t.Errorf("got %q, want a printable line", line)
		}
	}
}
