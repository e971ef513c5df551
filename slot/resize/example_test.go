package resize_test

import (
	"fmt"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/resize"
)

// A member of a deal: configuration has the number of members, and the slots follow.
func ExampleLayout_Member() {
	config := slot.Config{Group: "pairs", Size: 12, Index: 4} // place.FromEnv: member 4 of 12
	layout, err := resize.Deal(360, config.Size)
	if err != nil {
		panic(err)
	}
	member, err := layout.Member(config.Group, config.Index)
	if err != nil {
		panic(err)
	}
	fmt.Println(member)
	fmt.Println(slot.NewFilter(member).Decide(routing.Event{Subject: "order-7"}))
	// Output:
	// pairs:72-89,252-263/360
	// own slot 76
}

// What moves when three members join twelve.
func ExampleMoves() {
	before, _ := resize.Deal(360, 12)
	after, _ := resize.Deal(360, 15)
	moves, err := resize.Moves(before, after)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(moves), "of 360 slots; the first:", moves[0])
	// Output:
	// 72 of 360 slots; the first: {24 0 14}
}

// What to do about a change of size, and where there is nothing to do.
func ExampleChange_Advice() {
	for _, text := range []string{"6", "4"} {
		from, _ := resize.ParseLayout("3")
		to, err := resize.ParseLayout(text)
		if err != nil {
			panic(err)
		}
		change, err := resize.Simulate(from, to)
		if err != nil {
			panic(err)
		}
		fmt.Println(change.Advice())
	}
	// Output:
	// Safe in this order: members 3-5 join, then members 0-2 flip. A member steps only once its committed position is at or past the position at which each member that takes over its keys began. Until the last step up to 1/2 of the keys are handled twice.
	// Not safe: at worst 1/6 of the keys have no owner. No order of steps is safe. Over one ordered log, take a plan: 3,4@POSITION. By a rolling change 3 can reach 6. For the changes to come, deal a number of slots that never changes, such as 360, to the members there are.
}

// The loop of a consumer that has a plan and keeps its position. Here the log is five events.
func ExampleSwitch() {
	plan, err := resize.ParsePlan("2,3@4")
	if err != nil {
		panic(err)
	}
	sw, err := plan.Switch("pairs", 2, routing.Rule{})
	if err != nil {
		panic(err)
	}
	frontier := commit.From(sw.Start()) // or commit.After what is stored under sw.Checkpoint("orders").Key()
	for i, subject := range []string{"order-1", "order-2", "order-3", "order-4", "order-5"} {
		position := commit.At(uint64(i) + 1)
		verdict := sw.Filter(position).Decide(routing.Event{Subject: subject})
		if !verdict.Admit() {
			if err := frontier.Skip(position); err != nil {
				panic(err)
			}
			continue
		}
		if _, err := frontier.Begin(position); err != nil {
			panic(err)
		}
		fmt.Println("handles", subject, "at", position)
		if err := frontier.Done(position); err != nil {
			panic(err)
		}
	}
	fmt.Println(frontier.Committable())
	// Output:
	// handles order-4 at 4
	// 5 true
}

// Before it handles the first events of a key after a switch, a member can ask whether the last ones before are done.
func ExampleSwitch_Drained() {
	plan, _ := resize.ParsePlan("2,3@4")
	sw, err := plan.Switch("pairs", 2, routing.Rule{})
	if err != nil {
		panic(err)
	}
	route := routing.Rule{}.Route(routing.Event{Subject: "order-4"})
	before, _ := plan.Owner(commit.At(3), route)
	stored := map[int]commit.Position{} // as the members have stored it
	for _, committed := range []uint64{2, 4} {
		stored[before] = commit.At(committed)
		drained := sw.Drained(commit.At(4), route, func(member int) (commit.Position, bool) {
			position, ok := stored[member]
			return position, ok
		})
		fmt.Printf("member %d has committed %d: drained is %v\n", before, committed, drained)
	}
	// Output:
	// member 0 has committed 2: drained is false
	// member 0 has committed 4: drained is true
}
