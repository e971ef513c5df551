package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/inbox"
	"github.com/slotkey/slotkey/hashpin"
)

// Whatever the flags, the entities give work to every lane, and no member so few of them that its
// inbox would not be full.
func TestEntities(t *testing.T) {
	for members := 1; members <= 64; members++ {
		for _, lanes := range []int{1, 2, 3, 64} {
			if lanes == 64 && members%9 != 1 {
				continue // for time
			}
			o := options{members: members, lanes: lanes}
			counts, shares := make([]int, members*lanes), make([]int, members)
			for n := range o.entities() {
				sum := hashpin.Sum32String(entityName(n))
				member := int(sum % uint32(members))
				counts[member*lanes+inbox.Lane(sum, lanes)]++
				shares[member]++
			}
			for i, n := range counts {
				if n == 0 {
					t.Errorf("%d members, %d lanes: lane %d of member %d has no entity", members, lanes, i%lanes, i/lanes)
				}
			}
			// Of the events 1.5 of a depth fill an inbox with a quarter open to low priority; four
			// of them there are on the average.
			for i, n := range shares {
				if 4*n*members < o.entities()*3/2 {
					t.Errorf("%d members, %d lanes: member %d has %d of %d entities", members, lanes, i, n, o.entities())
				}
			}
		}
	}
}

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		args string
		want int
		err  string
	}{
		{"", 4000, ""},
		{"-events 1024", 1024, ""},
		{"-events 1023", 0, "-events 1023 is too few: -members 4, -lanes 4 and -depth 64 need 1024 events"},
		{"-events 0", 0, "-events 0 is too few: -members 4, -lanes 4 and -depth 64 need 1024 events"},
		{"-lanes 64", 7680, ""},
		{"-lanes 64 -events 1024", 0, "-events 1024 is too few: -members 4, -lanes 64 and -depth 64 need 7680 events"},
		{"-members 64 -lanes 64", 122_880, ""},
		{"-members 64 -lanes 64 -events 16384", 0, "-events 16384 is too few: -members 64, -lanes 64 and -depth 64 need 122880 events"},
		{"-members 1 -lanes 1 -depth 32 -events 128", 128, ""},
		{"-members 2 -depth 10000", 80_000, ""},
		{"-members 26 -depth 10000", 0, "-members 26, -lanes 4 and -depth 10000 need 1040000 events, and there are 1000000 at most"},
		{"-events 1000000", 1_000_000, ""},
		{"-events 1000001", 0, "-events 1000001 is above 1000000"},
	} {
		o, err := parse(strings.Fields(test.args))
		if got := fmt.Sprint(err); test.err == "" && (err != nil || o.events != test.want) || test.err != "" && got != test.err {
			t.Errorf("%s: %d events, %v; want %d, %s", test.args, o.events, err, test.want, test.err)
		}
	}
}
