package receiver

import (
	"net/http"

	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// Middleware is [webhook.Middleware] for cehttp.WithMiddleware, and how the SDK's HTTP protocol is filtered best:
//
//	middleware, err := receiver.Middleware(filter, topic, webhook.Options{})
//	…
//	p, err := cehttp.New(cehttp.WithMiddleware(middleware))
//	…
//	guarded, err := receiver.Guard(p, receiver.Options{})
//	…
//	c, err := client.New(guarded)
//
// [New] around the protocol works too, but judges in the client's poll goroutines. There a sender
// whose body comes slowly holds one of them up, and a few such senders all; here it holds up
// itself.
//
// The handler that client.NewHTTPReceiveHandler returns takes the protocol itself, so nothing can
// guard it; [webhook.Handler] goes in front of it.
//
// The SDK answers batches with an error, behind this middleware as without it. A handler that reads
// them, with cehttp.NewEventsFromHTTPRequest, goes behind [webhook.Handler] directly.
func Middleware(filter *slot.Filter, topic func(*http.Request) string, o webhook.Options) (cehttp.Middleware, error) {
	return webhook.Middleware(filter, topic, o)
}
