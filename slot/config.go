package slot

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a group, part of the rule (SPEC section 4).
const (
	// MaxSize is the largest number of slots.
	MaxSize = 1024
	// MaxNameLen is the longest group name, in bytes.
	MaxNameLen = 64
)

// A Config is a member's place in a group, as configuration has it: three fields that go
// together. It is checked by [New], never on its own.
//
// The zero Config is no group: New makes of it the dedicated member, which handles every event.
// Where configuration that is missing must not lead there, refuse a member that is
// [Member.Dedicated].
//
// As JSON it is an object with "group", "group_size" and "group_index": all three or none. A name
// that is missing while another is there, or null, is an error that is [ErrIncomplete]: a forgotten
// index is never index 0. Of a name that stands there twice the last counts. Names are exact. One
// that is meant for one of them and is not it, such as "Group" or "groupSize", is an error that is
// [ErrText], and so are two or three of "name", "size" and "index" where none of the three stands:
// nobody would read them, and the member would be dedicated. Other names are left to whoever else
// reads the same object. Give a Config a field of its own in a larger struct; embedded, its
// UnmarshalJSON would take over the whole.
//
// Nothing else tells a forgotten index from index 0: not a literal in Go, where a Config without
// Index is that of index 0, nor a decoder that sets fields and knows nothing of UnmarshalJSON, as
// most of YAML, of TOML and of the environment are. For these see package slot/place, or hand them
// a member's text (see [ParseMember]), which always has the index.
type Config struct {
	// Group names the group: 1 to 64 ASCII letters, digits, "-", "_" or ".". It tells groups apart
	// in announcements and checkpoints, and never enters the hash.
	Group string `json:"group"`
	// Size is the number of slots, 1 to MaxSize, the same for every member.
	Size int `json:"group_size"`
	// Index is the slot of this member, from 0, below Size, different for every member.
	Index int `json:"group_index"`
}

var configNames = [...]string{"group", "group_size", "group_index"}

// MarshalJSON writes all three names, or {} for the zero Config.
func (c Config) MarshalJSON() ([]byte, error) {
	if c == (Config{}) {
		return []byte("{}"), nil
	}
	type plain Config
	return json.Marshal(plain(c))
}

// UnmarshalJSON reads all three names or none, and leaves limits to [New]. Every error is an
// [*Error], and leaves c unchanged. So does null in place of the object, as it does for all types
// that encoding/json reads: like a Config that is not there.
func (c *Config) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return &Error{"config", quote(string(data)), "is not a JSON object", ErrText}
	}
	if err := checkNames(fields); err != nil {
		return err
	}
	var got Config
	present := 0
	for i, into := range []any{&got.Group, &got.Size, &got.Index} {
		name := configNames[i]
		value, ok := fields[name]
		if !ok {
			continue
		}
		if string(value) == "null" {
			return &Error{name, "null", "is not a value: group, group_size and group_index are all given or none", ErrIncomplete}
		}
		if err := json.Unmarshal(value, into); err != nil {
			return &Error{name, string(value), "is not " + jsonKind(into), fieldErr(name)}
		}
		present++
	}
	if present > 0 && present < len(configNames) {
		for _, name := range configNames {
			if _, ok := fields[name]; !ok {
				return &Error{name, "", "is missing: group, group_size and group_index are all given or none", ErrIncomplete}
			}
		}
	}
	if present > 0 && got == (Config{}) {
		return checkName("") // not the zero Config, which means no group
	}
	*c = got
	return nil
}

// bareNames are what people write for configNames.
var bareNames = [...]string{"name", "size", "index"}

// checkNames refuses an object that has a name in the place of one that counts: what it says would be left out.
func checkNames(fields map[string]json.RawMessage) error {
	exact, bare := 0, 0
	var fault error
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for i, meant := range configNames {
			err := &Error{"config name", quote(name), "is not read: write " + quote(meant), ErrText}
			switch {
			case name == meant:
				exact++
			case strings.EqualFold(joined(name), joined(meant)):
				return err
			case strings.EqualFold(name, bareNames[i]):
				bare++
				fault = err
			}
		}
	}
	if exact > 0 || bare < 2 {
		return nil
	}
	return fault
}

// joined leaves out what joins the words of a name.
func joined(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name)
}

func jsonKind(into any) string {
	if _, ok := into.(*string); ok {
		return "a string"
	}
	return "a whole number that fits"
}

func fieldErr(name string) error {
	switch name {
	case "group":
		return ErrGroup
	case "group_size":
		return ErrSize
	}
	return ErrIndex
}

func checkName(name string) error {
	fail := func(limit string) error { return &Error{"group", quote(name), limit, ErrGroup} }
	if name == "" {
		return fail("is empty; a group that has a size has a name of 1 to 64 characters")
	}
	if len(name) > MaxNameLen {
		return fail("has " + strconv.Itoa(len(name)) + " bytes; the limit is " + strconv.Itoa(MaxNameLen))
	}
	for i, c := range name {
		if !isNameChar(c) {
			shown := strconv.QuoteRune(c)
			if c == utf8.RuneError {
				shown = "0x" + strconv.FormatInt(int64(name[i]), 16) // which is what it is, or begins with
			}
			return fail("has " + shown + " at byte " + strconv.Itoa(i) + `; only ASCII letters, digits, "-", "_" and "." may stand in it`)
		}
	}
	return nil
}

func isNameChar(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}

func checkSize(size int) error {
	switch {
	case size < 1:
		return &Error{"group_size", strconv.Itoa(size), "is below 1", ErrSize}
	case size > MaxSize:
		return &Error{"group_size", strconv.Itoa(size), "is above the limit of " + strconv.Itoa(MaxSize), ErrSize}
	}
	return nil
}

func checkIndex(field string, index, size int) error {
	switch {
	case index < 0:
		return &Error{field, strconv.Itoa(index), "is below 0", ErrIndex}
	case index >= size:
		return &Error{field, strconv.Itoa(index), "is not below the group's size of " + strconv.Itoa(size) + " (indexes count from 0)", ErrIndex}
	}
	return nil
}
