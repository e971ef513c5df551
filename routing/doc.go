// Package routing says what of an event places it: its routing key, or that it is a
// command for one worker, or that it has no key.
//
// An [Event] and a [Rule] give a [Route]; package slot judges routes. Consumers usually
// need neither directly: slot.Filter.Decide takes an Event, and package cloudevent makes
// routes from raw messages. Publishers that route by the same rule use [Key], [Hashed] and
// [PartitionTopic].
//
// All of it is pure: no state, no clock, no input or output. SPEC sections 2 and 5 to 7
// define it (https://github.com/slotkey/slotkey/blob/main/SPEC.md), and testdata/vectors/routing.v1.json
// and rule.v1.json pin it.
package routing
