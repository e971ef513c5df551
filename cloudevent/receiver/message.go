package receiver

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/binding/spec"
)

// A PanicError is what decoding a message gives instead of the panic that it ended in. The SDK
// decodes outside of its own recover, so a panic there would end the process.
type PanicError struct {
	Value any    // of the panic
	Stack []byte // as debug.Stack has it
}

func (e *PanicError) Error() string { return fmt.Sprintf("receiver: decoding panicked: %v", e.Value) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func isPanic(err error) bool {
	_, ok := err.(*PanicError)
	return ok
}

// safely calls f and makes a panic in it an error.
func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, debug.Stack()}
		}
	}()
	return f()
}

// handOn returns the message for the client. read is what reading it gave, nil if it has not been read.
func handOn(m binding.Message, read *reading, malformed func(binding.Message, error)) binding.Message {
	own := &message{Message: m, read: read, malformed: malformed}
	if m.ReadEncoding() == binding.EncodingEvent {
		if eventIn(m) != nil {
			return m // there is nothing to decode, and the SDK wants to find its own type
		}
		own.eventless = true
	}
	if c, ok := m.(binding.MessageContext); ok {
		return &messageWithContext{own, c}
	}
	return own
}

// A message is an own message as the client gets it: its inner one, whose decoding gives errors
// instead of panics, and whose structured body comes from where it has been read to.
type message struct {
	binding.Message
	read      *reading
	malformed func(binding.Message, error)
	reported  atomic.Bool
	eventless bool // it says that it holds an event, and holds none
}

type messageWithContext struct {
	*message
	binding.MessageContext
}

var (
	_ binding.MessageWrapper = (*message)(nil) // so that whoever looks for the transport's own message finds it
	_ binding.MessageWrapper = (*messageWithContext)(nil)
)

func (m *message) GetWrappedMessage() binding.Message { return m.Message }

// ReadEncoding is the inner message's, but for one without the event that it should hold: the SDK
// would search it for ever.
func (m *message) ReadEncoding() binding.Encoding {
	if m.eventless {
		return binding.EncodingUnknown
	}
	return m.Message.ReadEncoding()
}

func (m *message) ReadStructured(ctx context.Context, w binding.StructuredWriter) error {
	return m.report(safely(func() error {
		switch {
		case m.eventless:
			return binding.ErrNotStructured
		case m.read == nil:
			return m.Message.ReadStructured(ctx, w)
		case m.read.err != nil:
			return m.read.err
		}
		return w.SetStructuredEvent(ctx, m.read.format, bytes.NewReader(m.read.body))
	}))
}

func (m *message) ReadBinary(ctx context.Context, w binding.BinaryWriter) error {
	return m.report(safely(func() error { return m.Message.ReadBinary(ctx, w) }))
}

// report tells the hook of an error, once, and returns it.
func (m *message) report(err error) error {
	if err != nil && !isMode(err) && m.malformed != nil && !m.reported.Swap(true) {
		m.malformed(m.Message, err)
	}
	return err
}

// GetAttribute is the inner message's, nil where that has none or panics, as some do for a structured message.
func (m *message) GetAttribute(kind spec.Kind) (attribute spec.Attribute, value any) {
	if r, ok := m.Message.(binding.MessageMetadataReader); ok {
		_ = safely(func() error { attribute, value = r.GetAttribute(kind); return nil })
	}
	return attribute, value
}

// GetExtension is the inner message's, with the same exceptions.
func (m *message) GetExtension(name string) (value any) {
	if r, ok := m.Message.(binding.MessageMetadataReader); ok {
		_ = safely(func() error { value = r.GetExtension(name); return nil })
	}
	return value
}
