//go:build go1.25

package receiver_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"

	"github.com/slotkey/slotkey/cloudevent/receiver"
)

type failing func()

func (f failing) Receive(context.Context) (binding.Message, error) {
	f()
	return nil, errors.New("boom")
}

// A transport that fails for an hour is asked some 3 600 times, not some billions, by a client that
// asks again at once, and the end comes without delay.
func TestBackoffInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r := newReceiver(t, failing(func() { calls++ }), member(t, 1), noTopic, receiver.Options{})
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		start := time.Now()
		for err := error(nil); err != io.EOF; {
			_, err = r.Receive(ctx)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("ended after %v, want an hour", took)
		}
		if calls < 3600 || calls > 3610 {
			t.Errorf("got %d calls, want 3600 and a few", calls)
		}
	})
}
