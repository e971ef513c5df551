package receiver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/protocol"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
)

// A receiver filters what its inner value receives.
type receiver struct {
	receiver  protocol.Receiver  // nil where the inner value is none
	responder protocol.Responder // the same
	judge     *judge             // nil: all is admitted
	o         Options
	failures  atomic.Int64 // in a row
}

// Receive returns the next message that is not foreign.
func (r *receiver) Receive(ctx context.Context) (binding.Message, error) {
	m, _, err := r.next(ctx, func() (binding.Message, protocol.ResponseFn, error) {
		m, err := r.receiver.Receive(ctx)
		return m, nil, err
	})
	return m, err
}

// Respond returns the next message that is not foreign, and the function that answers it.
func (r *receiver) Respond(ctx context.Context) (binding.Message, protocol.ResponseFn, error) {
	return r.next(ctx, func() (binding.Message, protocol.ResponseFn, error) { return r.responder.Respond(ctx) })
}

var (
	errNoContext = errors.New("receiver: nil context")
	errNoMessage = errors.New("receiver: neither a message nor an error came")
)

// next asks for messages until one is not foreign.
func (r *receiver) next(ctx context.Context, receive func() (binding.Message, protocol.ResponseFn, error)) (binding.Message, protocol.ResponseFn, error) {
	if ctx == nil {
		return nil, nil, errNoContext
	}
	for {
		m, respond, err := receive()
		if err == nil && m == nil {
			err = errNoMessage
		}
		if err != nil {
			return m, respond, r.fail(ctx, err)
		}
		handedOn, admit := r.admit(ctx, m)
		if admit {
			r.failures.Store(0)
			return handedOn, respond, nil
		}
		if err := drop(ctx, m, respond); err != nil {
			return nil, nil, r.fail(ctx, err)
		}
		r.failures.Store(0)
		if ctx.Err() != nil {
			return nil, nil, io.EOF // an inner value that prefers messages to the context would go on for ever
		}
	}
}

func (r *receiver) admit(ctx context.Context, m binding.Message) (handedOn binding.Message, admit bool) {
	v := verdictless
	var read *reading
	if r.judge != nil {
		v, read = r.judge.judge(ctx, m)
	}
	if v != verdictless && r.o.Verdict != nil {
		v = r.o.Verdict(v)
	}
	if !v.Admit() {
		return nil, false
	}
	return handOn(m, read, r.o.Malformed), true
}

// drop acknowledges a foreign message: finishing with an error would have some brokers reject it. The order is that of
// protocol.Responder.
func drop(ctx context.Context, m binding.Message, respond protocol.ResponseFn) error {
	err := m.Finish(nil)
	if respond != nil {
		var result protocol.Result
		if _, ok := binding.UnwrapMessage(m).(*cehttp.Message); ok {
			result = cehttp.NewResult(http.StatusNoContent, "")
		}
		err = errors.Join(err, respond(ctx, nil, result))
	}
	if err != nil {
		return fmt.Errorf("receiver: cannot finish a foreign message: %w", err)
	}
	return nil
}
