package receiver

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/binding/format"
	"github.com/cloudevents/sdk-go/v2/binding/spec"
	"github.com/cloudevents/sdk-go/v2/types"
)

// attributes is a binding.BinaryWriter that keeps what a rule needs, as the decoder would get it,
// and leaves the data alone: a body that can be read only once is still there for the decoder.
//
// It is used instead of the messages' own GetAttribute, which panics in six bindings for structured
// messages and in some finds nothing under the name that the decoder uses.
type attributes struct {
	wanted []string // names, in lower case
	values []string // by the indexes of wanted; nil as long as there is none
	names  []string // as they came
	bad    bool     // an attribute that the decoder refuses
}

var _ binding.BinaryWriter = (*attributes)(nil)

// There is nothing to begin or to end, so they are not called.
func (a *attributes) Start(context.Context) error { return nil }
func (a *attributes) End(context.Context) error   { return nil }

func (a *attributes) SetData(io.Reader) error { return nil }

func (a *attributes) SetAttribute(attribute spec.Attribute, value any) error {
	a.set(attribute.Name(), value)
	return nil
}

func (a *attributes) SetExtension(name string, value any) error {
	a.set(name, value)
	return nil
}

func (a *attributes) set(name string, value any) {
	for i, wanted := range a.wanted {
		if !strings.EqualFold(name, wanted) {
			continue
		}
		if a.values == nil {
			a.values = make([]string, len(a.wanted))
			a.names = make([]string, len(a.wanted))
		}
		// Names that differ in case only make one extension. The decoder takes any of them, as the
		// order of a map has it.
		if before := a.names[i]; name != before && !better(name, before, wanted) {
			continue
		}
		text, ok := canonical(value)
		if !ok {
			a.bad = true
		}
		a.values[i], a.names[i] = text, name
	}
}

// canonical returns the text of a value by the rules of CloudEvents types, empty for nil; ok is
// false for what is no such value.
func canonical(value any) (text string, ok bool) {
	if text, ok := value.(string); ok || value == nil {
		return text, true
	}
	text, err := types.Format(value)
	return text, err == nil
}

// header returns an attribute by the name of its header in any binding.
func (a *attributes) header(name string) (value string, ok bool) {
	if strings.EqualFold(name, "content-type") {
		return "", false
	}
	name = name[strings.LastIndexAny(name, "-_:")+1:] // attributes' names have none of these
	if value = a.get(name); value == "" && name == "specversion" {
		return "1.0", true // it is in binary mode, whether or not it says so once more
	}
	return value, true
}

// contentType returns datacontenttype, as far as it does not look as if the message were in another mode than it is.
func (a *attributes) contentType() string {
	value := a.get("datacontenttype")
	if format.IsFormat(strings.ToLower(strings.TrimSpace(value))) {
		return ""
	}
	return value
}

// get returns an attribute that the rule needs, empty where it is absent.
func (a *attributes) get(name string) string {
	if i := slices.Index(a.wanted, name); i >= 0 && i < len(a.values) {
		return a.values[i]
	}
	return ""
}
