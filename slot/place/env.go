package place

import (
	"errors"
	"strconv"

	"github.com/slotkey/slotkey/slot"
)

// The variables that [FromEnv] reads.
const (
	GroupVar = "SLOTKEY_GROUP"
	SizeVar  = "SLOTKEY_GROUP_SIZE"
	IndexVar = "SLOTKEY_GROUP_INDEX"
)

// FromEnv returns the place that the three variables give, read through lookup; [os.LookupEnv] is one. The
// Config is within all limits: slot.New accepts it.
//
// If none is set, the error is [ErrNotSet]. Any other fault is an [*Error] that names the variable:
// one that is missing while another is there, one that is set but empty, or a value out of its
// limits. Only with size 1 may the index be missing, as 0 is the only one.
func FromEnv(lookup func(name string) (value string, ok bool)) (slot.Config, error) {
	v := read(lookup)
	if !v.group.ok && !v.size.ok && !v.index.ok {
		return slot.Config{}, ErrNotSet
	}
	return v.config(func(size int) (int, error) {
		switch {
		case v.index.ok:
			return v.index.number(slot.ErrIndex)
		case size == 1:
			return 0, nil
		}
		return 0, v.index.missing()
	})
}

// FromEnvAt is [FromEnv] for an index that comes from elsewhere, such as [Number] or [Ordinal]:
// only group and size come from variables. That SLOTKEY_GROUP_INDEX is set as well is an error: one
// of two sources would be ignored.
func FromEnvAt(lookup func(name string) (value string, ok bool), index int) (slot.Config, error) {
	v := read(lookup)
	switch {
	case v.index.ok:
		return slot.Config{}, &Error{IndexVar, quote(v.index.value), "is set, while the index comes from elsewhere: unset it", slot.ErrIndex}
	case !v.group.ok && !v.size.ok:
		return slot.Config{}, ErrNotSet
	}
	v.index = variable{"index", strconv.Itoa(index), true, ""} // for the error
	v.group.beside, v.size.beside = SizeVar, GroupVar
	return v.config(func(int) (int, error) { return index, nil })
}

// A variable is one that was looked up.
type variable struct {
	name, value string
	ok          bool
	beside      string // the variables that go with it
}

type variables struct{ group, size, index variable }

func read(lookup func(string) (string, bool)) variables {
	get := func(name string) variable {
		value, ok := lookup(name)
		return variable{name, value, ok, ""}
	}
	return variables{get(GroupVar), get(SizeVar), get(IndexVar)}
}

// config checks what was read, in the order of the variables.
func (v variables) config(index func(size int) (int, error)) (c slot.Config, err error) {
	if c.Group, err = v.group.text(); err != nil {
		return slot.Config{}, err
	}
	if c.Size, err = v.size.number(slot.ErrSize); err != nil {
		return slot.Config{}, err
	}
	if c.Index, err = index(c.Size); err != nil {
		return slot.Config{}, err
	}
	if _, err := slot.New(c); err != nil {
		return slot.Config{}, v.named(err)
	}
	return c, nil
}

func (v variable) missing() error {
	rule := "is not set; " + GroupVar + ", " + SizeVar + " and " + IndexVar + " go together"
	if v.beside != "" {
		rule = "is not set; it goes together with " + v.beside
	}
	return &Error{v.name, "", rule, slot.ErrIncomplete}
}

// text returns a value that is there and not empty.
func (v variable) text() (string, error) {
	switch {
	case !v.ok:
		return "", v.missing()
	case v.value == "":
		return "", &Error{v.name, "", "is set but empty", slot.ErrIncomplete}
	}
	return v.value, nil
}

func (v variable) number(kind error) (int, error) {
	text, err := v.text()
	if err != nil {
		return 0, err
	}
	n, rule := parse(text)
	if rule != "" {
		return 0, &Error{v.name, quote(text), rule, kind}
	}
	return n, nil
}

// named says in which variable the value stands that slot.New refused.
func (v variables) named(err error) error {
	var fault *slot.Error
	if !errors.As(err, &fault) {
		return err
	}
	from := v.index
	switch fault.Err {
	case slot.ErrGroup:
		from = v.group
	case slot.ErrSize:
		from = v.size
	}
	return &Error{from.name, quote(from.value), fault.Limit, fault.Err}
}
