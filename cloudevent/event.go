package cloudevent

import "github.com/slotkey/slotkey/routing"

// Event returns the routing event of a decoded event that came on topic: of any type with these two
// methods, as the event.Event of the CloudEvents SDK for Go. It suits rules that name only subject
// and id; for others fill Attributes. A nil pointer in e panics, as calling its methods does.
func Event(topic string, e interface {
	Subject() string
	ID() string
}) routing.Event {
	return routing.Event{Topic: topic, Subject: e.Subject(), ID: e.ID()}
}
