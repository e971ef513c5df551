package receiver

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"

	"github.com/slotkey/slotkey/slot"
)

// An everything notes which of its methods were called.
type everything struct{ called []string }

var errEverything = errors.New("everything")

func (e *everything) note(name string) error {
	e.called = append(e.called, name)
	return errEverything
}

func (e *everything) Receive(context.Context) (binding.Message, error) {
	e.called = append(e.called, "receiver")
	ev := event.New()
	return (*binding.EventMessage)(&ev), nil
}

func (e *everything) Respond(context.Context) (binding.Message, protocol.ResponseFn, error) {
	e.called = append(e.called, "responder")
	ev := event.New()
	return (*binding.EventMessage)(&ev), nil, nil
}

func (e *everything) OpenInbound(context.Context) error { return e.note("opener") }

func (e *everything) Close(context.Context) error { return e.note("closer") }

func (e *everything) Send(context.Context, binding.Message, ...binding.Transformer) error {
	return e.note("sender")
}

func (e *everything) Request(context.Context, binding.Message, ...binding.Transformer) (binding.Message, error) {
	return nil, e.note("requester")
}

// call calls the method of each part that v has, and returns their names in order.
func call(t *testing.T, v any) (names []string) {
	t.Helper()
	ctx := context.Background()
	check := func(name string, err error) {
		names = append(names, name)
		if err != errEverything {
			t.Errorf("%s: got %v, want %v", name, err, errEverything)
		}
	}
	if r, ok := v.(protocol.Receiver); ok {
		if m, err := r.Receive(ctx); m == nil || err != nil {
			t.Errorf("got %v, %v", m, err)
		}
		names = append(names, "receiver")
	}
	if r, ok := v.(protocol.Responder); ok {
		if m, _, err := r.Respond(ctx); m == nil || err != nil {
			t.Errorf("got %v, %v", m, err)
		}
		names = append(names, "responder")
	}
	if r, ok := v.(protocol.Opener); ok {
		check("opener", r.OpenInbound(ctx))
	}
	if r, ok := v.(protocol.Closer); ok {
		check("closer", r.Close(ctx))
	}
	if r, ok := v.(protocol.Sender); ok {
		check("sender", r.Send(ctx, nil))
	}
	if r, ok := v.(protocol.Requester); ok {
		_, err := r.Request(ctx, nil)
		check("requester", err)
	}
	return names
}

// What New and Guard return has the methods that the inner value has, all of them and no others,
// and each reaches the inner one.
func TestMethodSets(t *testing.T) {
	topic := func(binding.Message) string { return "" }
	for set := range 1 << len(partNames) {
		inner := &everything{}
		var p parts
		var want []string
		for i, there := range []func(){
			func() { p.receiver = inner }, func() { p.responder = inner }, func() { p.opener = inner },
			func() { p.closer = inner }, func() { p.sender = inner }, func() { p.requester = inner },
		} {
			if set>>i&1 != 0 {
				there()
				want = append(want, partNames[i])
			}
		}
		if set&3 == 0 {
			if _, err := New(struct{ protocol.Opener }{inner}, new(slot.Filter), topic, Options{}); !errors.Is(err, ErrInner) {
				t.Errorf("%v: got %v, want ErrInner", want, err)
			}
			continue
		}
		value := p.value()
		if got := call(t, value); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the inner value has %v, want %v", got, want)
		}
		filtered, err := New(value, new(slot.Filter), topic, Options{})
		if err != nil {
			t.Fatal(err)
		}
		guarded, err := Guard(value, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range map[string]any{"New": filtered, "Guard": guarded} {
			inner.called = nil
			if got := call(t, v); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s of %v has %v", name, want, got)
			}
			if fmt.Sprint(inner.called) != fmt.Sprint(want) {
				t.Errorf("%s of %v called %v", name, want, inner.called)
			}
		}
	}
}
