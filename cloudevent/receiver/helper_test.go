package receiver_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/binding/format"
	"github.com/cloudevents/sdk-go/v2/binding/spec"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

const size = 3

var members = func() (all [size]*slot.Filter) {
	for i := range all {
		m, err := slot.New(slot.Config{Group: "pairs", Size: size, Index: i})
		if err != nil {
			panic(err)
		}
		all[i] = slot.NewFilter(m)
	}
	return all
}()

func member(t testing.TB, index int) *slot.Filter {
	t.Helper()
	return members[index]
}

func rule(t testing.TB, text string) routing.Rule {
	t.Helper()
	r, err := routing.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustRules(texts ...string) (rules []routing.Rule) {
	for _, text := range texts {
		r, err := routing.ParseRule(text)
		if err != nil {
			panic(err)
		}
		rules = append(rules, r)
	}
	return rules
}

func key(t testing.TB, slot int) string { return slottest.Key(t, size, slot) }

// emptySlot is the slot of the empty key, whose holder answers for what is malformed.
func emptySlot(t testing.TB) int { return member(t, 0).Member().Slot("") }

func newEvent(id string) event.Event {
	e := event.New()
	e.SetID(id)
	e.SetType("tick")
	e.SetSource("/feed")
	if err := e.SetData("text/plain", "hello"); err != nil {
		panic(err)
	}
	return e
}

func structuredJSON(id string) string {
	return fmt.Sprintf(`{"specversion":"1.0","type":"tick","source":"/feed","datacontenttype":"text/plain","data":"hello","id":%q}`, id)
}

// A finisher counts how often a message was finished, and with what.
type finisher struct {
	binding.Message
	mu   sync.Mutex
	got  []error
	fail error // what Finish returns
}

func (f *finisher) Finish(err error) error {
	f.mu.Lock()
	f.got = append(f.got, err)
	f.mu.Unlock()
	f.Message.Finish(err)
	return f.fail
}

func (f *finisher) finished() []error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.got
}

func (f *finisher) GetWrappedMessage() binding.Message { return f.Message }

func (f *finisher) GetAttribute(k spec.Kind) (spec.Attribute, any) {
	return f.Message.(binding.MessageMetadataReader).GetAttribute(k)
}

func (f *finisher) GetExtension(name string) any {
	return f.Message.(binding.MessageMetadataReader).GetExtension(name)
}

// once is a body that can be read once, as that of a request.
func once(text string) io.ReadCloser { return io.NopCloser(bytes.NewBufferString(text)) }

func httpMessage(body string, header ...string) binding.Message {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return cehttp.NewMessage(h, once(body))
}

func binaryHTTP(id string, more ...string) binding.Message {
	return httpMessage("hello", append([]string{"Ce-Specversion", "1.0", "Ce-Type", "tick", "Ce-Source", "/feed", "Ce-Id", id, "Content-Type", "text/plain"}, more...)...)
}

func structuredHTTP(body string) binding.Message {
	return httpMessage(body, "Content-Type", "application/cloudevents+json")
}

// A bare message is in no mode but the one it says, and its own metadata is of no use, as in several bindings.
type bare struct {
	encoding   binding.Encoding
	structured string // with format.JSON
	binary     func(binding.BinaryWriter) error
	ctx        context.Context
	panics     any
	fails      error
	reads      int // how often it was read
}

func (b *bare) ReadEncoding() binding.Encoding { return b.encoding }

func (b *bare) ReadStructured(ctx context.Context, w binding.StructuredWriter) error {
	b.reads++
	switch {
	case b.encoding != binding.EncodingStructured:
		return binding.ErrNotStructured
	case b.panics != nil:
		panic(b.panics)
	case b.fails != nil:
		return b.fails
	}
	return w.SetStructuredEvent(ctx, format.JSON, strings.NewReader(b.structured))
}

func (b *bare) ReadBinary(_ context.Context, w binding.BinaryWriter) error {
	b.reads++
	switch {
	case b.encoding != binding.EncodingBinary:
		return binding.ErrNotBinary
	case b.panics != nil:
		panic(b.panics)
	case b.fails != nil:
		return b.fails
	}
	return b.binary(w)
}

func (b *bare) Finish(error) error { return nil }

func (b *bare) GetAttribute(spec.Kind) (spec.Attribute, any) { panic("GetAttribute of a bare message") }

func (b *bare) GetExtension(string) any { panic("GetExtension of a bare message") }

// A bareWithContext has a context too.
type bareWithContext struct{ *bare }

func (b bareWithContext) Context() context.Context { return b.ctx }

// list is a protocol.Receiver of the messages of a slice, and then of errors, io.EOF where there are none.
type list struct {
	messages []binding.Message
	errs     []error
	calls    int
}

func (l *list) Receive(context.Context) (binding.Message, error) {
	l.calls++
	if len(l.messages) > 0 {
		m := l.messages[0]
		l.messages = l.messages[1:]
		return m, nil
	}
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		return nil, err
	}
	return nil, io.EOF
}

// A listResponder is a protocol.Responder of a list, which notes what was answered.
type listResponder struct {
	list
	answers []protocol.Result
	fail    error
}

func (l *listResponder) Receive() {} // not that of a protocol.Receiver

func (l *listResponder) Respond(ctx context.Context) (binding.Message, protocol.ResponseFn, error) {
	m, err := l.list.Receive(ctx)
	return m, func(_ context.Context, _ binding.Message, r protocol.Result, _ ...binding.Transformer) error {
		l.answers = append(l.answers, r)
		return l.fail
	}, err
}

func noTopic(binding.Message) string { return "" }

// newReceiver returns New's result as the Receiver that it is.
func newReceiver(t testing.TB, inner any, f *slot.Filter, topic func(binding.Message) string, o receiver.Options) protocol.Receiver {
	t.Helper()
	v, err := receiver.New(inner, f, topic, o)
	if err != nil {
		t.Fatal(err)
	}
	return v.(protocol.Receiver)
}

// receiveAll receives until the end.
func receiveAll(t testing.TB, r protocol.Receiver) (got []binding.Message) {
	t.Helper()
	for {
		m, err := r.Receive(context.Background())
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
}
