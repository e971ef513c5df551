package slot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot"
)

const together = "group, group_size and group_index are all given or none"

func TestConfigFromJSON(t *testing.T) {
	for _, test := range []struct {
		text string
		want slot.Config
	}{
		{`{}`, slot.Config{}},
		{`{"name":"worker-1","url":"nats://localhost"}`, slot.Config{}},
		{`{"size":10}`, slot.Config{}},
		{`{"group":"g","group_size":3,"group_index":2,"name":"worker-1","size":10,"index":7}`, slot.Config{Group: "g", Size: 3, Index: 2}},
		{`{"group":"g","group_size":3,"group_index":0}`, slot.Config{Group: "g", Size: 3, Index: 0}},
		{` { "group_index" : 2 , "group" : "g" , "group_size" : 3 } `, slot.Config{Group: "g", Size: 3, Index: 2}},
		{`{"gr\u006fup":"\u0067","group_size":3,"group_index":2}`, slot.Config{Group: "g", Size: 3, Index: 2}},
		// Other names are the caller's, whatever stands there.
		{`{"group":"g","group_size":3,"group_index":2,"url":{"group":1},"":null,"groups":[],"grouping":7}`, slot.Config{Group: "g", Size: 3, Index: 2}},
		// The last of equal names counts, as everywhere in encoding/json.
		{`{"group":"g","group_size":3,"group_index":0,"group_index":2}`, slot.Config{Group: "g", Size: 3, Index: 2}},
		{`{"group":"g","group_size":3,"group_index":null,"group_index":2}`, slot.Config{Group: "g", Size: 3, Index: 2}},
		// Limits are New's.
		{`{"group":"a b","group_size":-3,"group_index":2000}`, slot.Config{Group: "a b", Size: -3, Index: 2000}},
		{`{"group":"","group_size":3,"group_index":0}`, slot.Config{Group: "", Size: 3, Index: 0}},
		{`{"group":"g","group_size":0,"group_index":0}`, slot.Config{Group: "g", Size: 0, Index: 0}},
	} {
		got := slot.Config{Group: "old", Size: 7, Index: 1}
		if err := json.Unmarshal([]byte(test.text), &got); err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v, want %+v", test.text, got, err, test.want)
		}
	}
}

// As for all types that encoding/json reads.
func TestNullLeavesAConfigAlone(t *testing.T) {
	got := slot.Config{Group: "old", Size: 7, Index: 1}
	want := got
	if err := json.Unmarshal([]byte("null"), &got); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestConfigFromJSONRefuses(t *testing.T) {
	missing := func(name string) refusal {
		return refusal{name, "", "is missing: " + together, slot.ErrIncomplete}
	}
	null := func(name string) refusal {
		return refusal{name, "null", "is not a value: " + together, slot.ErrIncomplete}
	}
	number := func(name, value string, err error) refusal {
		return refusal{name, value, "is not a whole number that fits", err}
	}
	name := func(name, meant string) refusal {
		return refusal{"config name", fmt.Sprintf("%q", name), fmt.Sprintf("is not read: write %q", meant), slot.ErrText}
	}
	for _, test := range []struct {
		text string
		want refusal
	}{
		// Names that are meant for others: without them, the object would be that of a dedicated member.
		{`{"Group":"pairs","Size":3,"Index":1}`, name("Group", "group")},
		{`{"name":"pairs","size":3,"index":1}`, name("size", "group_size")},
		{`{"Name":"pairs","Index":1}`, name("Name", "group")},
		{`{"size":3,"index":1}`, name("size", "group_size")},
		{`{"GROUP":"g","GROUP_SIZE":3,"Group_Index":0}`, name("GROUP", "group")},
		{`{"groupSize":3}`, name("groupSize", "group_size")},
		{`{"group-index":null}`, name("group-index", "group_index")},
		{`{"group":"g","group_size":3,"group_index":2,"GroupIndex":1}`, name("GroupIndex", "group_index")},
		{`{"group":"g","group_size":3,"groupindex":0}`, name("groupindex", "group_index")},
		{`{"Group":"g","group_size":3,"group_index":0}`, name("Group", "group")},
		{`{"group":"g","size":3,"index":0}`, missing("group_size")},
		{`{"group":"g"}`, missing("group_size")},
		{`{"group_size":3}`, missing("group")},
		{`{"group_index":0}`, missing("group")},
		{`{"group":"g","group_size":3}`, missing("group_index")},
		{`{"group":"g","group_index":0}`, missing("group_size")},
		{`{"group_size":3,"group_index":0}`, missing("group")},
		{`{"group":"","group_size":0}`, missing("group_index")},
		{`{"group":null,"group_size":3,"group_index":0}`, null("group")},
		{`{"group":"g","group_size":null,"group_index":0}`, null("group_size")},
		{`{"group":"g","group_size":3,"group_index":null}`, null("group_index")},
		{`{"group":null,"group_size":null,"group_index":null}`, null("group")},
		{`{"group_index":null}`, null("group_index")},
		{`{"group":"g","group_size":3,"group_index":2,"group_index":null}`, null("group_index")},
		{`{"group":5,"group_size":3,"group_index":0}`, refusal{"group", "5", "is not a string", slot.ErrGroup}},
		{`{"group":["g"],"group_size":3,"group_index":0}`, refusal{"group", `["g"]`, "is not a string", slot.ErrGroup}},
		{`{"group":"g","group_size":"3","group_index":0}`, number("group_size", `"3"`, slot.ErrSize)},
		{`{"group":"g","group_size":3.0,"group_index":0}`, number("group_size", "3.0", slot.ErrSize)},
		{`{"group":"g","group_size":9223372036854775808,"group_index":0}`, number("group_size", "9223372036854775808", slot.ErrSize)},
		{`{"group":"g","group_size":3,"group_index":1e0}`, number("group_index", "1e0", slot.ErrIndex)},
		{`{"group":"g","group_size":3,"group_index":0.5}`, number("group_index", "0.5", slot.ErrIndex)},
		{`{"group":"g","group_size":3,"group_index":false}`, number("group_index", "false", slot.ErrIndex)},
		{`{"group":"g","group_size":3,"group_index":""}`, number("group_index", `""`, slot.ErrIndex)},
		{`{"group":"g","group_size":3,"group_index":{}}`, number("group_index", "{}", slot.ErrIndex)},
		// Given with their zero values they are given, and make no dedicated member.
		{`[]`, refusal{"config", `"[]"`, "is not a JSON object", slot.ErrText}},
		{`"pairs:1/3"`, refusal{"config", `"\"pairs:1/3\""`, "is not a JSON object", slot.ErrText}},
		{`{"group":"","group_size":0,"group_index":0}`, refusal{"group", `""`, badNames[0].limit, slot.ErrGroup}},
	} {
		t.Run(test.text, func(t *testing.T) {
			before := slot.Config{Group: "old", Size: 7, Index: 1}
			got := before
			test.want.check(t, json.Unmarshal([]byte(test.text), &got))
			if got != before {
				t.Errorf("changed to %+v", got)
			}
		})
	}
}

// What is no JSON object at all is an error, called directly too, and leaves the Config alone.
func TestConfigFromNoObject(t *testing.T) {
	for _, text := range []string{``, ` `, `{`, `{"group"}`, `[]`, `[{}]`, `1`, `"g"`, `true`, `{} {}`, "\ufeff{}"} {
		before := slot.Config{Group: "old", Size: 7, Index: 1}
		got := before
		if err := got.UnmarshalJSON([]byte(text)); err == nil || got != before {
			t.Errorf("UnmarshalJSON(%q): %v, Config %+v", text, err, got)
		}
		if err := json.Unmarshal([]byte(text), &got); err == nil || got != before {
			t.Errorf("json.Unmarshal(%q): %v, Config %+v", text, err, got)
		}
	}
}

// A forgotten index is found where configuration is read, as a field of whatever holds it.
func TestConfigInALargerConfiguration(t *testing.T) {
	var app struct {
		URL    string
		Member slot.Config
	}
	err := json.Unmarshal([]byte(`{"url":"nats://localhost","member":{"group":"pairs","group_size":3}}`), &app)
	if !errors.Is(err, slot.ErrIncomplete) {
		t.Errorf("got %v", err)
	}
	err = json.Unmarshal([]byte(`{"url":"nats://localhost"}`), &app)
	if err != nil || app.Member != (slot.Config{}) {
		t.Errorf("got %+v, %v", app, err)
	}
}

func TestConfigToJSON(t *testing.T) {
	for _, test := range []struct {
		config slot.Config
		want   string
	}{
		{slot.Config{}, `{}`},
		{slot.Config{Group: "g", Size: 3, Index: 0}, `{"group":"g","group_size":3,"group_index":0}`},
		{slot.Config{Index: 1}, `{"group":"","group_size":0,"group_index":1}`},
	} {
		for _, v := range []any{test.config, &test.config} {
			if got, err := json.Marshal(v); err != nil || string(got) != test.want {
				t.Errorf("got %s, %v, want %s", got, err, test.want)
			}
		}
	}
}

func TestConfigRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := slot.Config{
			Group: rapid.OneOf(groupName(), rapid.String()).Draw(t, "group"),
			Size:  rapid.OneOf(groupSize(), rapid.Int()).Draw(t, "size"),
			Index: rapid.OneOf(rapid.IntRange(-1, 5), rapid.Int()).Draw(t, "index"),
		}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got slot.Config
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Fatalf("%s reads back as %+v, %v, want %+v", data, got, err, want)
		}
	})
}
