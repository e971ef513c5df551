package slottest_test

import (
	"fmt"
	"testing"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

// A test of a consumer wants an event that is its own and one that is not.
func ExampleKey() {
	t := new(testing.T) // in a test: its argument

	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		t.Fatal(err)
	}
	consumer := slot.NewFilter(member)
	own := routing.Event{Subject: slottest.Key(t, 3, 1)}
	foreign := routing.Event{Subject: slottest.Key(t, 3, 2)}
	fmt.Println(own.Subject, consumer.Decide(own))
	fmt.Println(foreign.Subject, consumer.Decide(foreign))
	// Output:
	// key-4 own slot 1
	// key-2 foreign slot 2
}

// Several keys of one slot: they share a member, whatever else differs.
func ExampleKeys() {
	t := new(testing.T) // in a test: its argument

	fmt.Println(slottest.Keys(t, 3, 1, 4))
	// Output: [key-4 key-6 key-8 key-9]
}
