package cli

import (
	"encoding/hex"
	"unicode/utf8"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
)

type balanceDocument struct {
	Events    uint64       `json:"events"` // without commands, which load every member
	NoKey     uint64       `json:"without_key"`
	Commands  uint64       `json:"commands"`
	Keys      uint64       `json:"different_keys"`
	KeysExact bool         `json:"different_keys_exact"`
	Bound     float64      `json:"speed_up_bound"` // by the hottest key
	Layouts   []loadObject `json:"layouts"`
	Hottest   []hotObject  `json:"hottest"`
}

type loadObject struct {
	Layout     string      `json:"layout"`
	Size       int         `json:"size"`
	Members    int         `json:"members"`
	Slots      []uint64    `json:"events_by_slot"`
	KeysBySlot []uint64    `json:"different_keys_by_slot"`
	ByMember   []uint64    `json:"events_by_member"`
	SpeedUp    float64     `json:"speed_up"`
	Unevenness float64     `json:"fullest_by_mean"`
	EventsTest *testObject `json:"events_chi_square,omitempty"`
	KeysTest   *testObject `json:"keys_chi_square,omitempty"`
}

type testObject struct {
	ChiSquare float64 `json:"value"`
	Degrees   int     `json:"degrees_of_freedom"`
	P         float64 `json:"p"`
}

type hotObject struct {
	Key    *string `json:"key,omitempty"`
	Hex    string  `json:"key_hex"`
	Events uint64  `json:"events"`
	Exact  bool    `json:"exact"`
	Share  float64 `json:"share"`
	Slots  []int   `json:"slots"`  // by layout
	Owners []int   `json:"owners"` // by layout
}

func (r *balanceRun) document(result *load.Result) balanceDocument {
	d := balanceDocument{
		Events: result.Events, NoKey: result.NoKey, Commands: result.Commands,
		Keys: result.Keys.Number, KeysExact: result.Keys.Exact, Bound: result.SpeedUpBound(), Hottest: []hotObject{},
	}
	for _, l := range result.Loads {
		d.Layouts = append(d.Layouts, loadObject{
			Layout: l.Layout.String(), Size: l.Layout.Size(), Members: l.Layout.Members(), Slots: l.Events, KeysBySlot: l.Keys, ByMember: l.Members,
			SpeedUp: l.SpeedUp(), Unevenness: l.Unevenness(), EventsTest: (*testObject)(l.EventsTest), KeysTest: (*testObject)(l.KeysTest),
		})
	}
	for _, k := range result.Hottest {
		h := hotObject{Hex: hex.EncodeToString([]byte(k.Key)), Events: k.Events, Exact: k.Exact, Share: float64(k.Events) / float64(result.Events)}
		if utf8.ValidString(k.Key) {
			h.Key = &k.Key
		}
		for _, l := range r.layouts {
			slot := int(k.Sum % uint32(l.Size()))
			h.Slots, h.Owners = append(h.Slots, slot), append(h.Owners, l.Holder(slot))
		}
		d.Hottest = append(d.Hottest, h)
	}
	return d
}
