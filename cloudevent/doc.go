// Package cloudevent finds the route of an event in a raw message: from its headers or its body's bytes, without
// decoding it, without the CloudEvents SDK, and in agreement with what the SDK's decode would give.
//
// In a group of n, a member drops n-1 of n events, so what a drop costs is what the filter costs.
//
//   - [DecideMessage]: a message in any mode, binary or structured; the form for most consumers, and for all on MQTT
//   - [Decide]: a body that is known to be structured JSON, from a topic with dots
//   - [Route]: the same as a routing.Route, for deciders other than one Filter
//   - [Message.Mode] and [Batch]: a JSON batch, and its elements
//   - [Peek]: the attributes as strings, for logs; [PeekMessage] in any mode
//   - [Event]: from an event that is decoded already
//
// Subpackage webhook is middleware for net/http; the module cloudevent/receiver filters in front of the
// CloudEvents SDK's client.
//
// # What is read
//
// Structured JSON is scanned once, to its end: a later duplicate of subject or id counts, and a
// truncated body is no event. The scan checks the syntax of the object itself, and of the values
// that the rule needs; what is inside of other values, data above all, it only skips. It is
// iterative: nesting costs neither memory nor stack. So an event with a route can still be one that
// a decoder refuses; it then fails in the one member that has it, as it would have failed without a
// filter. SPEC section 9 has the details, testdata/vectors/peek.v1.json and header.v1.json pin
// them.
//
// # Batches
//
// A batch is several events and none itself: as one message it is [slot.Malformed] for one member
// and foreign for all others, which would drop events of their own with it. Where batches can come,
// take them apart, on MQTT with [DecideMessage] for the elements too, as [Decide] shows it:
//
//	if m.Mode() == cloudevent.ModeBatch {
//		for element, err := range cloudevent.Batch(m.Body) {
//			if cloudevent.Decide(filter, m.Topic, element).Admit() {
//				handle(element, err)
//			}
//		}
//	} else if cloudevent.DecideMessage(filter, m).Admit() {
//		handle(m.Body, nil)
//	}
//
// # What it costs
//
// Nothing is allocated under a rule that names only subject and id. No result refers to the
// message, but for the elements of Batch, which are parts of its body. One decision, with the
// subject behind the data, and how many times as long others take:
//
//	                                               300 B    1.5 KiB  64 KiB
//	Decide                                         0.16 µs  0.53 µs  19 µs
//	jsontext, the top level in full                3.8      5.9      8.3
//	encoding/json, a struct of two fields          12       19       22
//	CloudEvents SDK, json.Unmarshal into an Event  20       29       34
//	gjson, the first subject only                  1.7      1.4      4.5
//	jsonparser, the first subject only             1.7      4.5      7.9
//
// In binary mode, whatever the body, [DecideMessage] takes 79 ns on HTTP, 72 on NATS and 97 on
// Kafka; the SDK's ToEvent takes 19 to 33 times as long. Measured by "go -C bench run ." on an
// Intel Xeon with go1.26.8; docs/performance.md has it all.
package cloudevent
