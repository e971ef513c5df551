package webhook

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// What [Handler] and [Middleware] refuse. Tell them apart by [errors.Is].
var (
	// ErrNil: there is no filter, topic function or handler.
	ErrNil = errors.New("webhook: nil argument")
	// ErrLimit: a limit below zero.
	ErrLimit = errors.New("webhook: bad limit")
)

// Limits where Options have none.
const (
	DefaultMaxBody  = 1 << 20   // bytes
	DefaultMaxDrain = 256 << 10 // bytes; what net/http itself drains at most
)

// Options are what can be chosen. The zero Options are fine for most.
type Options struct {
	// MaxBody is the longest body in bytes that is read for a verdict: of a structured event or a
	// batch. A longer one is answered with 413. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxDrain is the longest foreign body in bytes, in binary mode, that is read and thrown away
	// so that the connection can serve the next request. With a longer one the connection is
	// closed. Zero means DefaultMaxDrain. Under HTTP/2 nothing is drained, as streams do not block
	// each other.
	MaxDrain int64
	// Verdict is called with each verdict, and what it returns applies. Nil leaves verdicts as they
	// are. The method Count of a [slot.Counter] fits. A function that returns the zero Verdict,
	// which admits, tries the filter out without dropping anything. It is called by many goroutines
	// at once.
	//
	// Commands, and whatever comes to a dedicated member, pass without their bodies being read. So
	// in a dedicated member the Sum of the verdict on a structured event is that of the empty key,
	// and a batch of either has one verdict in all.
	Verdict func(slot.Verdict) slot.Verdict
}

// Handler returns a handler that hands on to next what filter admits. The topic function gives the
// topic that a request came by, with dots between its tokens, so that commands are known; it may
// return the empty text for "none". What it and next do must be safe for concurrent use; then the
// returned handler is too.
//
// The error is an [ErrNil] or an [ErrLimit]; what is wrong is found here and not in the first request.
func Handler(filter *slot.Filter, topic func(*http.Request) string, next http.Handler, o Options) (http.Handler, error) {
	if next == nil {
		return nil, fmt.Errorf("%w: next", ErrNil)
	}
	middleware, err := Middleware(filter, topic, o)
	if err != nil {
		return nil, err
	}
	return middleware(next), nil
}

// Middleware is [Handler] for routers that take their handlers in such functions. A nil next makes
// a handler that answers with 500.
func Middleware(filter *slot.Filter, topic func(*http.Request) string, o Options) (func(next http.Handler) http.Handler, error) {
	switch {
	case filter == nil:
		return nil, fmt.Errorf("%w: filter", ErrNil)
	case topic == nil:
		return nil, fmt.Errorf("%w: topic; a function that returns the empty text says that there are no topics", ErrNil)
	case o.MaxBody < 0:
		return nil, fmt.Errorf("%w: MaxBody is %d, below zero", ErrLimit, o.MaxBody)
	case o.MaxDrain < 0:
		return nil, fmt.Errorf("%w: MaxDrain is %d, below zero", ErrLimit, o.MaxDrain)
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxDrain == 0 {
		o.MaxDrain = DefaultMaxDrain
	}
	return func(next http.Handler) http.Handler {
		if next == nil {
			next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "webhook: nil argument: next", http.StatusInternalServerError)
			})
		}
		return &handler{filter, topic, next, o}
	}, nil
}

type handler struct {
	filter *slot.Filter
	topic  func(*http.Request) string
	next   http.Handler
	o      Options
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !carriesEvent(r.Method) {
		h.next.ServeHTTP(w, r)
		return
	}
	if r.Body == nil { // a server's request has one, a test's or a proxy's may not
		r = r.WithContext(r.Context())
		r.Body = http.NoBody
	}
	m := cloudevent.Message{Topic: h.topic(r), Header: cloudevent.HTTP.Values(r.Header)}
	mode := m.Mode()
	inBody := mode == cloudevent.ModeStructured || mode == cloudevent.ModeBatch
	if !inBody || h.filter.Rule().Command(m.Topic) || h.filter.Member().Dedicated() {
		if h.admit(cloudevent.DecideMessage(h.filter, m)) {
			h.next.ServeHTTP(w, r)
		} else {
			h.drop(w, r)
		}
		return
	}
	body, ok := h.read(w, r)
	if !ok {
		return
	}
	m.Body = body
	own := body
	if mode == cloudevent.ModeBatch {
		own = h.own(m.Topic, body)
	} else if !h.admit(cloudevent.DecideMessage(h.filter, m)) {
		own = nil
	}
	if own == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.next.ServeHTTP(w, withBody(r, own))
}

// admit lets the option Verdict see a verdict, and reports whether the event goes on.
func (h *handler) admit(v slot.Verdict) bool {
	if h.o.Verdict != nil {
		v = h.o.Verdict(v)
	}
	return v.Admit()
}

// carriesEvent reports whether requests of the method have content of their own
// (https://www.rfc-editor.org/rfc/rfc9110#section-9.3), which the HTTP binding of CloudEvents demands.
func carriesEvent(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodDelete, http.MethodConnect, http.MethodTrace:
		return false
	}
	return true
}

// own returns a batch of the elements that are not foreign, nil if there are none.
func (h *handler) own(topic string, body []byte) []byte {
	own := []byte{'['}
	total, kept, broken := 0, 0, false
	for element, err := range cloudevent.Batch(body) {
		total++
		if !h.admit(cloudevent.Decide(h.filter, topic, element)) {
			continue
		}
		if kept++; kept > 1 {
			own = append(own, ',')
		}
		if broken = err != nil; broken {
			own = append(own, ',') // two commas, or one behind the bracket: malformed, whatever the rest is
		}
		own = append(own, element...)
	}
	switch {
	case kept == 0:
		return nil
	case kept == total:
		return body
	case broken:
		return own
	}
	return append(own, ']')
}
