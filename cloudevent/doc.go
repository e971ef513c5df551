// Package cloudevent finds the route of an event in a raw message: from its headers or its body's bytes, without
// decoding it, without the CloudEvents SDK, and in agreement with what the SDK's decode would give.
//
// In a group of n, a member drops n-1 of n events, so what a drop costs is what the filter costs.
//
//   - [DecideMessage]: a message in any mode, binary or structured; the form for most consumers
//   - [Decide]: a body that is known to be structured JSON
//   - [Route]: the same as a routing.Route, for deciders other than one Filter
//   - [Batch]: the elements of a JSON batch, each for Decide
//   - [Peek]: the attributes as strings, for logs; [PeekMessage] in any mode
//   - [Event]: from an event that is decoded already
//
// Subpackage webhook is middleware for net/http; the module cloudevent/receiver filters in front of the
// CloudEvents SDK's client.
//
// # What is read
//
// Structured JSON is scanned once, to its end: a later duplicate of subject or id counts, and a truncated body is no event. The scan
// checks the syntax of the object itself, and of the values that the rule needs; what is inside of other values, data above all, it only skips.
// It is iterative: nesting costs neither memory nor stack. So an event with a route can still be one that a
// decoder refuses; it then fails in the one member that has it, as it would have failed without a filter. SPEC
// section 9 has the details, testdata/vectors/peek.v1.json and header.v1.json pin them.
//
// # What it costs
//
// Nothing is allocated under a rule that names only subject and id, and no result aliases the message. The
// module bench measures it beside the alternatives: see docs/performance.md.
package cloudevent
