// Package slot says who owns an event: the slot rule for consumers that all receive every
// event and divide the work without talking to each other.
//
// A group has a size, its number of slots. The slot of an event is the hash of its routing key modulo the
// size, and the member that holds the slot processes the event; the others drop it. So for every key and every
// full group exactly one member says [Own] and all others say [Foreign].
//
//	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
//	…
//	filter := slot.NewFilter(member)
//	…
//	if !filter.Admit(routing.Event{Topic: topic, Subject: subject, ID: id}) {
//		return nil // acknowledge and forget: another member has it
//	}
//
// It holds as long as every member receives the full stream, every slot has a member that runs, and all members agree
// on size and rule. A verdict is not a lock: handlers stay idempotent on source and id.
//
// Values of this package are immutable, except [Counter], and safe for concurrent use. Nothing else
// here has state, and nothing has a clock, input or output. SPEC sections 3, 4, 7 and 8 define the rule
// (https://github.com/slotkey/slotkey/blob/main/SPEC.md); testdata/vectors pins it.
package slot
