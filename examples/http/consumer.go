// Command http is a receiver of CloudEvents webhooks, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: the handler that was there, behind
// webhook.Handler. The rest of the program is a publisher that posts every event to every member,
// and shows that it works.
//
// Members listen on free ports of the loopback interface, or with -listen where you say; with -url
// the publisher reaches them through the addresses that your proxies, gateways or services have for
// them.
//
// What to know of HTTP:
//
//   - The sender must post every event to every member, by an address of each. A load balancer, or
//     a Kubernetes Service, gives each event to one member of its choice: of n members, (n-1)/n of
//     the events are answered with 204 by a member that drops them, and lost. This program looks
//     for that when it starts, and a test shows it. A headless Service, or the pods' own names,
//     reach each.
//   - What is dropped is answered with 204. To a sender every 2xx is success, so let the handler
//     answer when its work is done, or safe. 410 says that the subscription is over, and ends it;
//     429 with Retry-After asks for time. After other answers senders try again, or do not, and
//     give up some day.
//   - An event that cannot be handled is best put aside and answered with a 2xx. With an error the
//     sender comes again for as long as it likes, and may hold back all later events meanwhile.
//   - A structured event or batch above webhook.Options.MaxBody, 1 MiB if not set, is refused with
//     413 by all members alike.
//   - Who keeps an event for a member that is away is the sender, by trying again, if it does. Here
//     nobody does, and such events are lost.
//   - Order is what the sender makes of it: it is kept if the next event goes out after the answer to the last.
//   - A sender that tries again, because an answer was lost, makes a repeat.
//   - Batches are cut down to the member's own events. Signatures over the body must be verified in
//     front of the filter.
//   - The sender's validation request, with the method OPTIONS, passes through to your handler.
//   - Stop a member by Shutdown of its http.Server, so that what has come is answered. Whoever
//     closes it instead makes repeats.
package main

import (
	"net/http"
	"strings"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// consume puts the filter in front of a handler.
func consume(filter *slot.Filter, counter *slot.Counter, next http.Handler) (http.Handler, error) {
	return webhook.Handler(filter, topic, next, webhook.Options{Verdict: counter.Count})
}

// topic of a request is its path, so that commands are known: /wrk/feed/command/7 is wrk.feed.command.7.
func topic(r *http.Request) string {
	return strings.ReplaceAll(strings.Trim(r.URL.Path, "/"), "/", ".")
}
