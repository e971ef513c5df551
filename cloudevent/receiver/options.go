package receiver

import (
	"errors"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// What the constructors refuse. Tell them apart by [errors.Is].
var (
	// ErrNil: there is no inner value, filter, topic function or handler.
	ErrNil = errors.New("receiver: nil argument")
	// ErrInner: an inner value that is neither a protocol.Receiver nor a protocol.Responder.
	ErrInner = errors.New("receiver: inner value receives nothing")
	// ErrTransport: an Options.Transport that does not exist, or none, while the rule has "percent"
	// and so needs to know whether header values are encoded.
	ErrTransport = errors.New("receiver: bad transport")
)

// Options are what can be chosen. The zero Options are fine, unless the rule has "percent".
type Options struct {
	// Transport is the binding by which messages come. It matters in two cases: a rule with
	// "percent" needs it, to know whether header values are encoded, and under [cloudevent.MQTT]
	// the tokens of a topic are separated by slashes. Zero means a binding without
	// percent-encoding, with dots in its topics.
	Transport cloudevent.Transport
	// Verdict is called with each verdict, and what it returns applies. Nil leaves verdicts as they
	// are. The method Count of a [slot.Counter] fits. A function that returns the zero Verdict,
	// which admits, tries the filter out without dropping anything. It is called by all poll
	// goroutines.
	//
	// Commands, and whatever comes to a dedicated member, are handed on unread. So the Sum of a
	// dedicated member's verdict is that of the empty key, whatever the event's key.
	Verdict func(slot.Verdict) slot.Verdict
	// Malformed is called once for each message handed on that the decoder cannot read, with the
	// error, which is a [*PanicError] if the decoder panicked. It is called before the message is
	// finished, by the goroutine that decodes. Nil: nobody is told; the error itself goes to the
	// client in any case.
	Malformed func(binding.Message, error)
	// Backoff returns how long to wait after a number of errors in a row, 1 or more, before the last of them is
	// returned to the client, which would ask again at once. Nil means [Backoff].
	Backoff func(failures int) time.Duration
}
