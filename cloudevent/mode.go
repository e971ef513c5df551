package cloudevent

import "strconv"

// A Mode is how a message carries its event, by SPEC section 9.1. The zero Mode is none; no message has it.
type Mode uint8

const (
	// ModeBinary: in its headers. The body is the data alone and does not count.
	ModeBinary Mode = iota + 1
	// ModeStructured: as JSON in its body. A message that says nothing of its mode is taken for this one.
	ModeStructured
	// ModeBatch: several events, as a JSON array in its body, for [Batch]. As one event it has no key.
	ModeBatch
	// ModeUnreadable: in another event format, such as Avro. It has no key.
	ModeUnreadable
)

var modeNames = [...]string{"none", "binary", "structured", "batch", "unreadable"}

// String returns "binary", "structured", "batch" or "unreadable"; "none" for the zero Mode, and
// "Mode(9)" for a number that is none of them.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "Mode(" + strconv.Itoa(int(m)) + ")"
}

// Mode tells how the message carries its event, by its content type and its headers. The body is
// not looked at, and may still be on its way. Each message has one of the four modes.
func (m Message) Mode() Mode {
	mode, _ := m.mode()
	return mode
}

// mode is Mode, and in binary mode the prefix of the headers.
func (m *Message) mode() (Mode, *prefix) {
	var format Mode
	switch {
	case m.ContentType != "":
		format = formatOf(m.ContentType)
	case !m.Header.transport.binding().hasContentType:
	case m.Header.hasBytes():
		format = formatOf(m.Header.bytes(&contentTypeName))
	default:
		format = formatOf(m.Header.text(&contentTypeName))
	}
	if format != 0 {
		return format, nil
	}
	if p := m.Header.prefix(); p != nil {
		return ModeBinary, p
	}
	return ModeStructured, nil
}
