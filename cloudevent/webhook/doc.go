// Package webhook puts a slot filter in front of an HTTP handler that receives CloudEvents: what belongs to another
// member is answered with 204 and never reaches the handler.
//
//	handler, err := webhook.Handler(filter, topic, next, webhook.Options{})
//	…
//	http.ListenAndServe(addr, handler)
//
// For routers such as chi and gorilla/mux, [Middleware] is the same as a func(http.Handler) http.Handler.
//
// It needs a sender that posts every event to every member. Behind a load balancer, which gives each
// event to one member of its choice, the filter would lose events.
//
// # What is judged
//
// All requests, except those of the methods GET, HEAD, OPTIONS, DELETE, CONNECT and TRACE, which
// pass untouched. So does the validation handshake of CloudEvents webhooks, which is an OPTIONS
// request (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md section
// 4.1). For a dedicated member every request passes untouched. Mount the handler on the path of
// events only: any other POST is an event that cannot be read.
//
// The mode is told by the headers, as SPEC section 9.1 has it:
//
//   - binary: the verdict comes from the headers. The body is not read, has no limit, and is handed
//     on as the stream that it is;
//   - structured JSON: the body is read to its end, up to Options.MaxBody, and handed on with the same bytes;
//   - a batch: the same, element by element. The handler gets a batch of those that are not
//     foreign, each with the same bytes, in their order, and the request is answered with 204 if
//     there are none;
//   - any other event format, such as Avro: no key, so that one member of the group hands it on;
//   - a command, in any of these: handed on, unread.
//
// # What is malformed
//
// An event without a key, or that cannot be read, is handed on by one member of a full group; the
// others answer with 204. In a batch that holds for each element.
//
// If the array is cut off, or wrong in another way, the elements before that place are divided as
// usual. The remainder counts as one malformed event: the member that answers for it hands on its
// own elements plus the remainder, in a body that is still no JSON array. All others hand on JSON
// arrays.
//
// # Answers
//
//   - 204: foreign;
//   - 400: the body could not be read to its end. Nothing is known of the event then, so this is no verdict;
//   - 413: a structured event or a batch longer than Options.MaxBody;
//   - 415, with "Accept-Encoding: identity": a structured event or a batch with a Content-Encoding. A handler that
//     decompresses belongs in front of this one. Binary mode does not care. Transfer encodings are
//     undone by net/http and nothing to think of.
//
// All other answers are the handler's. A handler that verifies a signature or a digest of the body belongs in front
// of this one as well: a batch may lose elements here.
package webhook
