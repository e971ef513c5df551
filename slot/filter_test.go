package slot_test

import (
	"testing"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// The empty key's hash is 0xab3e7c0b: slot 2 of 3.
const emptyKeySum uint32 = 0xab3e7c0b
const emptyKeySlot = 2

func TestEmptyKeySum(t *testing.T) {
	if got := hashpin.Sum32(nil); got != emptyKeySum || got%3 != emptyKeySlot {
		t.Fatalf("got %#08x, slot %d of 3", got, got%3)
	}
	v := slot.NewFilter(member(t, "pairs", 3, emptyKeySlot)).Judge(routing.Route{})
	if got, want := v, (slot.Verdict{Kind: slot.Malformed, Slot: emptyKeySlot, Sum: emptyKeySum}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The first row that applies decides (SPEC 7.1). EUR/USD is in slot 1 of 3, USD/JPY in slot 0.
func TestPrecedence(t *testing.T) {
	const command = "wrk.feed.command.7"
	holder := member(t, "pairs", 3, 1)
	other := member(t, "pairs", 3, 0)
	answers := member(t, "pairs", 3, emptyKeySlot)
	none := memberOf(t, "pairs", 3)
	all := memberOf(t, "pairs", 3, 0, 1, 2)
	var dedicated slot.Member
	tick := routing.Event{Topic: "ticks", Subject: "EUR/USD", ID: "1"}
	byID := routing.Event{Topic: "ticks", ID: "EUR/USD"}
	keyless := routing.Event{Topic: "ticks"}
	eur := hashpin.Sum32String("EUR/USD")

	for _, test := range []struct {
		name   string
		member slot.Member
		event  routing.Event
		want   slot.Verdict
		admit  bool
	}{
		{"a command, to a holder", holder, routing.Event{Topic: command, Subject: "EUR/USD"}, slot.Verdict{Kind: slot.Bypass, Slot: -1}, true},
		{"a command, to another", other, routing.Event{Topic: command, Subject: "EUR/USD"}, slot.Verdict{Kind: slot.Bypass, Slot: -1}, true},
		{"a command, to none", none, routing.Event{Topic: command, Subject: "EUR/USD"}, slot.Verdict{Kind: slot.Bypass, Slot: -1}, true},
		{"a command, dedicated", dedicated, routing.Event{Topic: command, Subject: "EUR/USD"}, slot.Verdict{Kind: slot.Bypass, Slot: -1}, true},
		{"a command without a key", answers, routing.Event{Topic: command}, slot.Verdict{Kind: slot.Bypass, Slot: -1}, true},
		{"dedicated", dedicated, tick, slot.Verdict{Kind: slot.Own, Slot: -1, Sum: eur}, true},
		{"dedicated, without a key", dedicated, keyless, slot.Verdict{Kind: slot.Own, Slot: -1, Sum: emptyKeySum}, true},
		{"without a key, answering", answers, keyless, slot.Verdict{Kind: slot.Malformed, Slot: emptyKeySlot, Sum: emptyKeySum}, true},
		{"without a key, not answering", holder, keyless, slot.Verdict{Kind: slot.Foreign, Slot: emptyKeySlot, Sum: emptyKeySum}, false},
		{"without a key, none", none, keyless, slot.Verdict{Kind: slot.Foreign, Slot: emptyKeySlot, Sum: emptyKeySum}, false},
		{"without a key, all", all, keyless, slot.Verdict{Kind: slot.Malformed, Slot: emptyKeySlot, Sum: emptyKeySum}, true},
		{"own", holder, tick, slot.Verdict{Kind: slot.Own, Slot: 1, Sum: eur}, true},
		{"own, by id", holder, byID, slot.Verdict{Kind: slot.Own, Slot: 1, Sum: eur}, true},
		{"own, all", all, tick, slot.Verdict{Kind: slot.Own, Slot: 1, Sum: eur}, true},
		{"foreign", other, tick, slot.Verdict{Kind: slot.Foreign, Slot: 1, Sum: eur}, false},
		{"foreign, none", none, tick, slot.Verdict{Kind: slot.Foreign, Slot: 1, Sum: eur}, false},
		{"nearly a command", other, routing.Event{Topic: "wrk.feed.event.7", Subject: "EUR/USD"}, slot.Verdict{Kind: slot.Foreign, Slot: 1, Sum: eur}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := slot.NewFilter(test.member)
			if got := f.Decide(test.event); got != test.want {
				t.Errorf("Decide: got %+v, want %+v", got, test.want)
			}
			if got := f.Judge(f.Rule().Route(test.event)); got != test.want {
				t.Errorf("Judge: got %+v, want %+v", got, test.want)
			}
			if got := f.Admit(test.event); got != test.admit || test.want.Admit() != test.admit {
				t.Errorf("Admit: got %t, want %t", got, test.admit)
			}
		})
	}
}

func TestFilterUnderAnotherRule(t *testing.T) {
	m := member(t, "pairs", 3, 1)
	f := slot.NewFilter(m)
	rule := ruleOf(t, "tenant,id bypass=control.>")
	g := f.WithRule(rule)
	if f.Rule() != (routing.Rule{}) || g.Rule() != rule || f.Member() != m || g.Member() != m {
		t.Fatalf("%v %v, %v %v", f.Rule(), f.Member(), g.Rule(), g.Member())
	}
	for _, test := range []struct {
		event routing.Event
		want  slot.Kind
	}{
		{routing.Event{Topic: "control.stop"}, slot.Bypass},
		{routing.Event{Topic: "wrk.feed.command.7", Subject: "USD/JPY", Attributes: map[string]string{"tenant": "EUR/USD"}}, slot.Own},
		{routing.Event{Subject: "EUR/USD", ID: "USD/JPY", Attributes: map[string]string{}}, slot.Foreign},
		{routing.Event{Subject: "USD/JPY", ID: "EUR/USD", Attributes: map[string]string{}}, slot.Own},
		// The tenant was not fetched: no key, which is slot 2's to answer for.
		{routing.Event{Subject: "EUR/USD", ID: "EUR/USD"}, slot.Foreign},
	} {
		if got := g.Decide(test.event).Kind; got != test.want {
			t.Errorf("%+v: got %v, want %v", test.event, got, test.want)
		}
	}
	// The original decides as before.
	if got := f.Decide(routing.Event{Topic: "control.stop", Subject: "EUR/USD"}).Kind; got != slot.Own {
		t.Errorf("the first filter says %v", got)
	}
	// percent changes how sources read headers, and no verdict on what has been read.
	e := routing.Event{Subject: "EUR%2FUSD"}
	if got, want := f.WithRule(ruleOf(t, "subject,id percent")).Decide(e), f.Decide(e); got != want {
		t.Errorf("percent: got %v, want %v", got, want)
	}
}
