// Package receiver puts a slot filter in front of the CloudEvents SDK for Go, so that a member
// drops what belongs to another before it is decoded.
//
// Which function fits where:
//
//   - [New] wraps a protocol of the SDK (NATS, JetStream, Kafka, gochan, …) for client.New;
//   - [Middleware] is for the SDK's HTTP protocol, with [Guard] around it;
//   - [Handler] wraps a function that gets an event.Event, where nothing else can be reached;
//   - [Event] is for loops of one's own with events of the SDK.
//
// Every member needs every event: a subscription, consumer group or channel of its own. On a shared
// one, such as a NATS queue or one gochan, members take events away from each other and the filter
// then loses most of them.
//
// # What a member does with a message
//
// Foreign: it is finished with nil, which acknowledges it, and nothing of it is decoded. If a
// Responder returned it, it is answered as well, over HTTP with 204. An error of that is returned
// by Receive, and so gets into the client's log.
//
// Own, and commands: the message is handed on as it was: in its encoding, with its metadata, its
// context and its Finish, and with its body unread or replayed. [binding.UnwrapMessage] finds the
// transport's own message in it. An event message (EncodingEvent) is handed on itself.
//
// Malformed, because there is no key in it or it cannot be read: one member of the group hands it
// on to the SDK's decoder, the others take it for foreign. What then happens to it is the client's
// affair, see client.WithAckMalformedEvent. That includes what the SDK cannot tell the mode of
// (EncodingUnknown), event formats other than JSON, also if they are registered with the SDK, and
// batches, which the client does not read.
//
// Not delivered: where reading the message fails because its transport does, nothing is known of
// the event. It is handed on without a verdict, so that decoder and broker see the failure.
//
// The verdict is that of package cloudevent on the same event, and the same as on the decoded
// event. What decides is which mode the SDK sees in a message: its NATS protocol takes everything
// for structured JSON, for instance. Members of one group should receive in the same way.
//
// # Panics
//
// Version 2.16.2 of the SDK panics while it decodes some events, outside of its own recover, which
// ends the process: for structured JSON with "data_base64":1, for version 0.3 with an empty
// datacontentencoding, for an HTTP header named "ce-". Here decoding such an event gives a
// [*PanicError], so that it is one more malformed event.
//
// # Order
//
// The client handles events in the order of their arrival only with both
// client.WithBlockingCallback() and client.WithPollGoroutines(1); by default there are several poll
// goroutines, and a goroutine for each event. In return a slow handler then holds up all that comes
// behind its event, foreign events too. With the default, drops go on while handlers are busy, and
// acknowledgements overtake each other: in Kafka a committed offset covers all before it, so a
// dropped event can commit past an own one that is not finished. Package slot/commit has the cure
// for consumers that commit themselves.
//
// # Errors
//
// The client asks again at once when Receive returns an error, which makes a hot loop of a broken
// connection. So an error is returned after a wait, which [Backoff] or Options.Backoff chooses and
// the end of the context cuts short. Once the context is done every error is io.EOF, the one that
// the client takes for the end.
package receiver
