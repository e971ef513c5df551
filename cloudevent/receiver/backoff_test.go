package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/protocol"
	"github.com/cloudevents/sdk-go/v2/protocol/gochan"

	"github.com/slotkey/slotkey/cloudevent/receiver"
)

func TestBackoff(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		-1: 10 * time.Millisecond, 0: 10 * time.Millisecond, 1: 10 * time.Millisecond, 2: 20 * time.Millisecond, 7: 640 * time.Millisecond,
		8: time.Second, 9: time.Second, 1 << 30: time.Second,
	} {
		if got := receiver.Backoff(failures); got != want {
			t.Errorf("%d failures: got %v, want %v", failures, got, want)
		}
	}
}

// Errors in a row are counted, messages end the row, and each error reaches the client.
func TestErrorsInARow(t *testing.T) {
	boom := errors.New("boom")
	var waits []int
	o := receiver.Options{Backoff: func(failures int) time.Duration { waits = append(waits, failures); return 0 }}
	inner := &script{steps: []any{boom, boom, boom, binaryHTTP(key(t, 1)), boom, binaryHTTP(key(t, 0)), boom, nil, io.EOF, boom}}
	r := newReceiver(t, inner, member(t, 1), noTopic, o)
	var got []string
	for range 8 {
		m, err := r.Receive(context.Background())
		if m != nil {
			got = append(got, "message")
		} else {
			got = append(got, err.Error())
		}
	}
	if want := "[boom boom boom message boom boom receiver: neither a message nor an error came EOF]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := "[1 2 3 1 1 2]"; fmt.Sprint(waits) != want {
		t.Errorf("got waits %v, want %v", waits, want)
	}
}

// A script returns its steps: messages, errors, or nil for neither.
type script struct{ steps []any }

func (s *script) Receive(context.Context) (binding.Message, error) {
	step := s.steps[0]
	s.steps = s.steps[1:]
	m, _ := step.(binding.Message)
	err, _ := step.(error)
	return m, err
}

// Once the context is done every error is the end, also for one that is waiting.
func TestErrorAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	o := receiver.Options{Backoff: func(int) time.Duration { asked++; cancel(); return time.Hour }}
	r := newReceiver(t, &script{steps: []any{errors.New("boom"), errors.New("boom")}}, member(t, 1), noTopic, o)
	for range 2 {
		if m, err := r.Receive(ctx); m != nil || err != io.EOF {
			t.Errorf("got %v, %v, want io.EOF", m, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times how long to wait, want once: after the end nothing waits", asked)
	}
	var none context.Context
	if _, err := r.Receive(none); err == nil || err == io.EOF {
		t.Errorf("got %v of a nil context, want an error", err)
	}
}

// gochan.Responder returns the context's error when that is done, for which the client would ask again for ever.
func TestResponderThatNeverEnds(t *testing.T) {
	v, err := receiver.New(&gochan.Responder{}, member(t, 1), noTopic, receiver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := v.(protocol.Responder).Respond(ctx); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
}

// An inner value that never looks at the context ends too, after a foreign message.
func TestEndBetweenForeignMessages(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	inner := &list{messages: []binding.Message{binaryHTTP(key(t, 0)), binaryHTTP(key(t, 0))}}
	if _, err := newReceiver(t, inner, member(t, 1), noTopic, receiver.Options{}).Receive(ctx); err != io.EOF || inner.calls != 1 {
		t.Errorf("got %v after %d calls, want io.EOF after 1", err, inner.calls)
	}
}

// A foreign message that cannot be acknowledged is an error that says so, and a reason to back off.
func TestFinishFails(t *testing.T) {
	lost := errors.New("connection lost")
	var waits []int
	o := receiver.Options{Backoff: func(failures int) time.Duration { waits = append(waits, failures); return 0 }}
	f := &finisher{Message: binaryHTTP(key(t, 0)), fail: lost}
	_, err := newReceiver(t, &list{messages: []binding.Message{f}}, member(t, 1), noTopic, o).Receive(context.Background())
	if want := "receiver: cannot finish a foreign message: connection lost"; !errors.Is(err, lost) || err.Error() != want {
		t.Errorf("got %v, want %v", err, want)
	}

	inner := &listResponder{list: list{messages: []binding.Message{&finisher{Message: binaryHTTP(key(t, 0)), fail: io.EOF}}}, fail: lost}
	v, err := receiver.New(inner, member(t, 1), noTopic, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = v.(protocol.Responder).Respond(context.Background()); !errors.Is(err, lost) || !errors.Is(err, io.EOF) || err == io.EOF {
		t.Errorf("got %v, want both errors, which are not the end", err)
	}
	if fmt.Sprint(waits) != "[1 1]" || len(inner.answers) != 1 {
		t.Errorf("got waits %v and %d answers, want [1 1] and 1", waits, len(inner.answers))
	}
}
