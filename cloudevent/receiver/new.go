package receiver

import (
	"fmt"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/protocol"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// New puts filter in front of inner, which is a protocol.Receiver, a protocol.Responder or both,
// for client.New of the SDK:
//
//	filtered, err := receiver.New(inner, filter, topic, receiver.Options{})
//	…
//	c, err := client.New(filtered, client.WithBlockingCallback(), client.WithPollGoroutines(1))
//
// The result has Receive and Respond where inner has them, and forwards OpenInbound, Close, Send and Request
// where inner has them. It is as safe for concurrent use as inner.
//
// A message has no topic that all transports share, so the topic function finds it, and without it
// commands would be dropped as events are. It gets the message as inner returned it
// ([binding.UnwrapMessage] finds the transport's own), must not read it, and may return the empty
// text for "none".
//
// The error is an [ErrNil], [ErrInner] or [ErrTransport].
func New(inner any, filter *slot.Filter, topic func(binding.Message) string, o Options) (any, error) {
	switch {
	case filter == nil:
		return nil, fmt.Errorf("%w: filter", ErrNil)
	case topic == nil:
		return nil, fmt.Errorf("%w: topic; a function that returns the empty text says that there are no topics", ErrNil)
	case o.Transport > cloudevent.PubSub: // the last
		return nil, fmt.Errorf("%w: Options.Transport is %d", ErrTransport, o.Transport)
	case filter.Rule().Percent() && o.Transport == 0:
		return nil, fmt.Errorf("%w: Options.Transport is not set, and the rule is %q", ErrTransport, filter.Rule())
	}
	return wrap(inner, newJudge(filter, topic, o), o)
}

// Guard is [New] without a filter: every message is handed on. What is left is that decoding
// survives panics and that errors back off. It is for a protocol behind [Middleware], and for one
// behind which [Handler] filters.
func Guard(inner any, o Options) (any, error) { return wrap(inner, nil, o) }

func wrap(inner any, j *judge, o Options) (any, error) {
	if inner == nil {
		return nil, fmt.Errorf("%w: inner", ErrNil)
	}
	if o.Backoff == nil {
		o.Backoff = Backoff
	}
	var p parts
	r := &receiver{judge: j, o: o}
	if i, ok := inner.(protocol.Receiver); ok {
		r.receiver, p.receiver = i, r
	}
	if i, ok := inner.(protocol.Responder); ok {
		r.responder, p.responder = i, r
	}
	if r.receiver == nil && r.responder == nil {
		return nil, fmt.Errorf("%w: %T is neither a protocol.Receiver nor a protocol.Responder", ErrInner, inner)
	}
	p.opener, _ = inner.(protocol.Opener)
	p.closer, _ = inner.(protocol.Closer)
	p.sender, _ = inner.(protocol.Sender)
	p.requester, _ = inner.(protocol.Requester)
	return p.value(), nil
}
