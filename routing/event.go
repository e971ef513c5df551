package routing

// An Event is what a rule looks at: where an event came from and the CloudEvents
// attributes that can place it. The zero Event has no key.
//
// An empty string is an absent attribute, as in the CloudEvents specification no
// attribute may be empty. Values are taken as they are: no trimming, no case folding, no
// Unicode normalisation. Whoever fills an Event from a transport does what that
// transport's binding demands (package cloudevent does).
type Event struct {
	// Topic is the topic, NATS subject, stream or channel that delivered the event, its
	// tokens separated by dots. Under the default rule it decides one thing: whether the
	// event is a command (see [IsCommand]).
	Topic string
	// Subject and ID are the attributes "subject" and "id".
	Subject, ID string
	// Attributes holds the further attributes that [Rule.Attributes] names, in their
	// canonical string form. Under the default rule it may be nil. While a rule needs one
	// of them, nil means "not fetched", and the event has no key: falling back to
	// subject or id there would put one event in two slots, depending on who fetched what.
	// A non-nil map without the name, or with an empty value, means "absent".
	// "subject" and "id" are never looked up here.
	Attributes map[string]string
}

// get returns the attribute, empty where it is absent.
func (e *Event) get(attribute string) string {
	switch attribute {
	case "subject":
		return e.Subject
	case "id":
		return e.ID
	}
	return e.Attributes[attribute]
}
