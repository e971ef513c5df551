package runner

import "github.com/nats-io/nats.go"

// NATS returns the event as a message of NATS, by the protocol binding of CloudEvents.
func (e Event) NATS(topic string) *nats.Msg {
	msg := &nats.Msg{Subject: topic, Data: e.Body, Header: nats.Header{}}
	if e.ContentType != "" {
		msg.Header.Set("Content-Type", e.ContentType)
	}
	for name, value := range e.Attributes {
		msg.Header.Set("ce-"+name, value)
	}
	return msg
}
