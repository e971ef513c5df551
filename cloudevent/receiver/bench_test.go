package receiver_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent/receiver"
)

// endless is a protocol that has the same message for ever, and stops after n.
type endless struct {
	n    int
	make func() binding.Message
}

func (e *endless) Receive(context.Context) (binding.Message, error) {
	if e.n--; e.n < 0 {
		return nil, errStop
	}
	return e.make(), nil
}

var errStop = fmt.Errorf("stop")

// What a foreign message costs, from the inner protocol on, beside what it costs to decode it. Both
// include making the message.
func BenchmarkDrop(b *testing.B) {
	data := `{"text":"` + strings.Repeat("x", 1400) + `"}`
	foreign := key(b, 0)
	structured := fmt.Sprintf(`{"specversion":"1.0","type":"tick","source":"/feed","datacontenttype":"application/json","data":%s,"id":%q}`, data, foreign)
	for _, mode := range []struct {
		name string
		make func() binding.Message
	}{
		{"structured", func() binding.Message {
			return cehttp.NewMessage(http.Header{"Content-Type": {"application/cloudevents+json"}}, once(structured))
		}},
		{"binary", func() binding.Message { return binaryHTTP(foreign, "Ce-Time", "2026-11-30T12:00:00Z") }},
	} {
		b.Run(mode.name+"/drop", func(b *testing.B) {
			b.ReportAllocs()
			inner := &endless{make: mode.make}
			r := newReceiver(b, inner, member(b, 1), noTopic, receiver.Options{})
			for b.Loop() {
				inner.n = 1
				ctx := canceled // ends after one foreign message
				if m, err := r.Receive(ctx); m != nil || err == nil {
					b.Fatal(m, err)
				}
			}
		})
		b.Run(mode.name+"/decode", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := binding.ToEvent(context.Background(), mode.make()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var canceled = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()
