package slot_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// The whole of it in a consumer: one filter, one if.
func Example() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)

	for id, subject := range []string{"EUR/USD", "USD/JPY", "EUR/JPY", "GBP/USD"} {
		event := routing.Event{Topic: "ticks", Subject: subject, ID: fmt.Sprint(id)}
		if !filter.Admit(event) {
			continue // acknowledge and forget: another member has it
		}
		fmt.Println("handle", event.Subject)
	}
	// Output:
	// handle EUR/USD
	// handle GBP/USD
}

func ExampleNew() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	fmt.Println(member, err)

	// No group: a dedicated member, which owns every event.
	member, err = slot.New(slot.Config{})
	fmt.Println(member, err)

	// Indexes count from 0.
	_, err = slot.New(slot.Config{Group: "pairs", Size: 3, Index: 3})
	fmt.Println(err)
	// Output:
	// pairs:1/3 <nil>
	// dedicated <nil>
	// slot: group_index 3 is not below the group's size of 3 (indexes count from 0)
}

// Many slots for few members leave room to deal them anew without a change of size.
func ExampleNewSet() {
	member, err := slot.NewSet("pairs", 360, 7, 0, 1, 2)
	fmt.Println(member, err)
	fmt.Println(member.Slots())

	standby, err := slot.NewSet("pairs", 360) // takes commands only
	fmt.Println(standby, err)
	// Output:
	// pairs:0-2,7/360 <nil>
	// [0 1 2 7]
	// pairs:none/360 <nil>
}

// A forgotten index is an error, never index 0.
func ExampleConfig() {
	for _, text := range []string{
		`{"group": "pairs", "group_size": 3, "group_index": 0}`,
		`{"group": "pairs", "group_size": 3}`,
		`{}`,
	} {
		var config slot.Config
		err := json.Unmarshal([]byte(text), &config)
		fmt.Printf("%+v %v\n", config, err)
	}
	// Output:
	// {Group:pairs Size:3 Index:0} <nil>
	// {Group: Size:0 Index:0} slot: group_index is missing: group, group_size and group_index are all given or none
	// {Group: Size:0 Index:0} <nil>
}

func ExampleError() {
	_, err := slot.New(slot.Config{Group: "my pairs", Size: 3})
	fmt.Println(err)
	fmt.Println("the name is at fault:", errors.Is(err, slot.ErrGroup))

	var fault *slot.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Field, "is", fault.Value)
	}
	// Output:
	// slot: group "my pairs" has ' ' at byte 2; only ASCII letters, digits, "-", "_" and "." may stand in it
	// the name is at fault: true
	// group is "my pairs"
}

// For those who have a key and no event: which member has it?
func ExampleMember() {
	for index := range 3 {
		member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: index})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(member, member.Slot("EUR/USD"), member.Owns("EUR/USD"))
	}
	// Output:
	// pairs:0/3 1 false
	// pairs:1/3 1 true
	// pairs:2/3 1 false
}

func ExampleParseMember() {
	for _, text := range []string{"pairs:1/3", "pairs:2,0-1/3", "dedicated", ""} {
		member, err := slot.ParseMember(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(member)
	}
	// Output:
	// pairs:1/3
	// pairs:0-2/3
	// dedicated
	// slot: member "" is neither "dedicated" nor of the form group:slots/size, such as pairs:1/3
}

func ExampleMember_UnmarshalText() {
	flags := flag.NewFlagSet("consumer", flag.ContinueOnError)
	var member slot.Member
	flags.TextVar(&member, "member", slot.Member{}, "place in the group")

	fmt.Println(flags.Parse([]string{"-member", "pairs:1/3"}))
	fmt.Println(member.Group(), member.Slots(), "of", member.Size())
	// Output:
	// <nil>
	// pairs [1] of 3
}

// Every kind of verdict. The event without a key is answered for by one member, the holder of slot 2.
func ExampleFilter_Decide() {
	events := []routing.Event{
		{Topic: "ticks", Subject: "EUR/USD", ID: "1"},
		{Topic: "ticks", Subject: "USD/JPY", ID: "2"},
		{Topic: "wrk.feed.command.7", ID: "3"},
		{Topic: "ticks"},
	}
	for index := range 3 {
		member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: index})
		if err != nil {
			fmt.Println(err)
			return
		}
		filter := slot.NewFilter(member)
		for _, event := range events {
			fmt.Printf("%17v", filter.Decide(event))
		}
		fmt.Println()
	}
	// Output:
	//    foreign slot 1       own slot 0           bypass   foreign slot 2
	//        own slot 1   foreign slot 0           bypass   foreign slot 2
	//    foreign slot 1   foreign slot 0           bypass malformed slot 2
}

// A source that has made the route already, and a publisher that has only a key, ask Judge.
func ExampleFilter_Judge() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := slot.NewFilter(member)
	fmt.Println(filter.Judge(routing.Hashed(hashpin.Sum32String("EUR/USD"))))
	fmt.Println(filter.Judge(routing.Route{})) // no key
	// Output:
	// own slot 1
	// foreign slot 2
}

func ExampleFilter_WithRule() {
	rule, err := routing.ParseRule("tenant,subject,id")
	if err != nil {
		fmt.Println(err)
		return
	}
	filter := new(slot.Filter).WithRule(rule) // a dedicated member
	event := routing.Event{Subject: "order-7", Attributes: map[string]string{"tenant": "acme"}}
	verdict := filter.Decide(event)
	fmt.Println(filter.Rule().Key(event))
	fmt.Println(verdict, verdict.Sum == hashpin.Sum32String("acme"))
	// Output:
	// acme true
	// own true
}
