// Package proof checks, from what members report through the broker, that a stream was divided as promised: every
// event handled exactly once, by one member for each key, in order.
//
// It knows nothing of slots and hashes: it compares what was published with what was handled.
package proof

// A Mark is the evidence that a worker handled an event: it publishes one through the broker for each event it
// takes. Worker and event are as the worker saw them.
type Mark struct {
	Worker  string `json:"worker"`
	Seq     uint64 `json:"seq"` // the event's publish sequence, from 1: ids repeat in real streams
	ID      string `json:"id"`
	Subject string `json:"subject,omitempty"`
	Verdict string `json:"verdict"` // "own", "bypass" or "malformed"
}

// Key returns what the handled event is about.
func (m Mark) Key() string {
	if m.Subject != "" {
		return m.Subject
	}
	return m.ID
}
