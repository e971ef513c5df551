// Command mqtt is a consumer on MQTT 5 with QoS 1, run as the members of a group.
//
// The consumer is the function consume, in consumer.go: a handler of publications, and one if. The rest of the program shows that it works, on
// a broker inside the process or, with -url, on yours.
//
// What to know of this broker:
//
//   - Every subscription receives everything, which is the broadcast. A shared subscription, $share/NAME/…, gives each event to one
//     of its members, which most often is not the owner: of n members, (n-1)/n of the events are lost. A test of this program shows it.
//   - A client id for each member, and always the same. Two clients with one id throw each other out, for ever.
//   - A session lives on while a member is away if it has a session expiry interval and connects with clean start false. Then QoS 1
//     publications wait for it, up to the broker's limits: mosquitto drops what is beyond max_queued_messages (1000), or does not fit
//     max_queued_bytes, and tells nobody but its log.
//   - The client acknowledges when the handler returns, and in the order in which publications came, as MQTT demands: what
//     is dropped is acknowledged by returning. The session of a member that is gone for good stays until it expires.
//   - A publication that was not acknowledged when the connection broke comes again with the DUP flag, and in order, in front of the
//     others. Within a connection nothing comes again. The embedded broker has to be helped to keep that order: see embed.go.
//   - Topics have slashes: the command topic wrk.<type>.command.<id> is wrk/<type>/command/<id> here, and is known as such.
//   - Attributes are user properties, "subject" as the protocol binding has it, or "ce-subject" as the SDK for Go writes it; the content
//     type is a property of its own. paho.golang connects with "request problem information" 0 unless told otherwise, and mochi-mqtt
//     then leaves the user properties out, so that events in binary mode have no key: say 1, as client.go does. MQTT 3.1.1 has neither, and only carries events in structured mode.
package main

import (
	"github.com/eclipse/paho.golang/paho"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

// consume returns what the client calls for each publication, one after the other. In place of m a consumer of yours has its
// filter, slot.NewFilter(member), and a slot.Counter.
func consume(m *runner.Member, handle func(*paho.Publish, slot.Verdict)) func(paho.PublishReceived) (bool, error) {
	return func(received paho.PublishReceived) (bool, error) {
		p := received.Packet
		verdict := m.Counter.Count(cloudevent.DecideMessage(m.Filter, cloudevent.Message{
			Topic: p.Topic, ContentType: p.Properties.ContentType,
			Header: cloudevent.Properties(cloudevent.MQTT, p.Properties.User), Body: p.Payload}))
		if verdict.Admit() { // else another member has it
			handle(p, verdict)
		}
		return true, nil // the client acknowledges now
	}
}
