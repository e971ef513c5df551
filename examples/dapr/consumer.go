// Command dapr is an app on Dapr's publish and subscribe, with the SDK for Go over HTTP, run as the members of a group.
//
// The consumer is in consumer.go: an HTTP middleware in front of the SDK, which would decode every
// event before its handler sees it. For apps that cannot have one, handler.go has the filter around
// the handler; grpc.go has it for gRPC.
//
// The members here are driven by sidecars in this process, which keep to the HTTP contract of
// Dapr's: they ask for subscriptions at /dapr/subscribe and post the envelope to the route. With
// -url and -listen the members work with real sidecars, one for each, that have a component of the
// name "pubsub":
//
//	daprd --app-id demo --app-port 6001 --dapr-http-port 3501 --resources-path components   # 6002 and 3502 for the next, and so on
//	go -C examples run ./dapr -listen 127.0.0.1:6001,127.0.0.1:6002 -url http://127.0.0.1:3501,http://127.0.0.1:3502 -members 2
//
// What to know of Dapr:
//
//   - By default the replicas of an app are one consumer group, which shares events out: of n
//     members, (n-1)/n are lost. Broadcast is the component's metadata consumerID with the value
//     "{podName}" (or another that each member has for itself). A test of this program shows it.
//   - What is dropped is answered with 204, or by a handler with (false, nil). An error means RETRY
//     with true and DROP with false, and what is DROPped goes to the dead-letter topic, or is gone
//     if the subscription has none. Tests of this program show each.
//   - So an event that cannot be handled is answered with (false, err), and the subscription given
//     a dead-letter topic. With (true, err) it comes again, as often as the sidecar's resiliency
//     policy and the component have it.
//   - An answer of 404 drops as well: a route that the app does not have loses events.
//   - Subject is what the publisher says: the sidecar makes an envelope with a random id and no
//     subject around data that is no CloudEvent. Such events are divided by id: evenly, but without
//     order per entity. Publish CloudEvents, or set cloudevent.subject in the metadata. With
//     rawPayload every sidecar makes an id of its own, and nothing can be routed.
//   - Over gRPC the SDK's TopicEvent has an empty Subject, always, and so a filter in the handler falls back to id. The
//     request has it among its extensions, so an interceptor sees it. A test shows both.
//   - The SDK takes the name of the component for the topic where the envelope has no pubsubname,
//     as for events that were not published through Dapr. So the topic is taken from the route
//     here, or from the subscription.
//   - A bulk subscription posts several events in one envelope with an id of its own, which cannot
//     be routed: leave it off.
//   - Dapr's component for Redis makes consumer groups at 0: a new member replays what the stream keeps.
//   - Events that fail, or whose member is away, come again after a time of the component's choice, behind later ones.
package main

import (
	"net/http"
	"strings"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// events is what the routes of subscriptions begin with; the rest of a route is the topic.
const events = "/events/"

// consume returns a middleware for the router that the service is made with. What is no event passes through. If
// there is no filter, every request is an error, which the sidecar tries again: nothing is lost meanwhile.
func consume(filter *slot.Filter, counter *slot.Counter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		filtered, err := webhook.Handler(filter, topic, next, webhook.Options{Verdict: counter.Count})
		if err != nil {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			})
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, events) {
				filtered.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
}

func topic(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, events) }
