package receiver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
)

// A fault is what is known to be wrong in how the SDK decodes a body.
type fault struct {
	all    bool            // nothing that it decodes can be relied on
	panics bool            // it may panic
	names  map[string]bool // attributes that it gets wrong
}

// touches reports whether a rule needs an attribute that the SDK gets wrong.
func (f fault) touches(r routing.Rule) bool {
	for _, name := range r.Attributes() {
		if f.names[name] {
			return true
		}
	}
	return false
}

// A top is a member of the top-level object, by encoding/json, which shares nothing with what is tested.
type top struct {
	name string
	raw  json.RawMessage
}

func topMembers(body []byte) (members []top) {
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return members
		}
		text, _ := name.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return members
		}
		members = append(members, top{text, raw})
	}
	return members
}

// surrogateBeforeHigh is an escaped surrogate right before an escaped high surrogate.
var surrogateBeforeHigh = regexp.MustCompile(`\\u[dD][89a-fA-F][0-9a-fA-F]{2}\\u[dD][89abAB]`)

// faultIn returns what the SDK is known to get wrong in a body. Each name in a comment is that of a test below.
func faultIn(body []byte) (f fault) {
	f.names = map[string]bool{}
	last := map[string]top{}
	for _, m := range topMembers(body) {
		lower := strings.ToLower(m.name)
		switch {
		case m.name == "": // FaultEmptyName
			f.all = true
		case m.name == "data_base64": // FaultDataBase64Panics
			f.panics = true
		case m.name == "datacontentencoding": // FaultDataContentEncodingPanics
			f.panics = true
		case m.name == "dataschema" && m.raw[0] != '"': // FaultDataSchemaOfAnyType
			f.names[m.name] = true
		}
		var number json.Number
		if json.Unmarshal(m.raw, &number) == nil && m.raw[0] != '"' {
			if _, err := number.Float64(); err != nil { // FaultHugeNumber
				f.names[lower] = true
			}
		}
		if before, ok := last[lower]; ok && (before.name != m.name || // FaultCaseOfExtensions
			!isExtension(before.raw)) { // FaultReplacedExtension
			f.names[lower] = true
		}
		last[lower] = m
	}
	if surrogateBeforeHigh.Match(body) { // FaultSurrogates
		f.all = true
	}
	return f
}

// isExtension reports whether raw is a value that an extension can have.
func isExtension(raw json.RawMessage) bool {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return false // a number out of range
	}
	switch v := v.(type) {
	case float64:
		return v >= math.MinInt32 && v <= math.MaxInt32
	case map[string]any, []any:
		return false
	}
	return true
}

// key1 is the key that a structured event has for us under the default rule.
func key1(t *testing.T, body string) string {
	t.Helper()
	e, err := cloudevent.Peek([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	key, ok := routing.Key(e)
	if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Body: []byte(body)}); ok && got != routeOf(key) {
		t.Errorf("got the route %v of %q, whose key is %q", got, body, key)
	}
	return key
}

func decode(t *testing.T, body string) event.Event {
	t.Helper()
	e, panicked, err := unmarshal([]byte(body))
	if panicked != nil || err != nil {
		t.Fatalf("got %v, %v of %s", panicked, err, body)
	}
	return e
}

// The SDK takes an empty name for the end of the object. For us it is a name as any other.
func TestFaultEmptyName(t *testing.T) {
	body := `{"specversion":"1.0","id":"1","type":"t","source":"/s","":0,"subject":"s"}`
	if e := decode(t, body); e.Subject() != "" {
		t.Errorf("the SDK reads the subject %q behind an empty name: the fault is gone", e.Subject())
	}
	if got := key1(t, body); got != "s" {
		t.Errorf("got %q, want s", got)
	}
}

// The SDK takes quotes off a value that has none. For us it is data, and skipped.
func TestFaultDataBase64Panics(t *testing.T) {
	body := `{"specversion":"1.0","id":"1","type":"t","source":"/s","data_base64":1}`
	if _, panicked, _ := unmarshal([]byte(body)); panicked == nil {
		t.Error("the SDK does not panic: the fault is gone")
	}
	if got := key1(t, body); got != "1" {
		t.Errorf("got %q, want 1", got)
	}
}

// The SDK follows a nil pointer. For us it is an extension that the rule does not need.
func TestFaultDataContentEncodingPanics(t *testing.T) {
	for _, value := range []string{`""`, `null`} {
		body := `{"id":"1","type":"t","source":"/s","datacontentencoding":` + value + `,"specversion":"0.3"}`
		if _, panicked, _ := unmarshal([]byte(body)); panicked == nil {
			t.Error("the SDK does not panic: the fault is gone")
		}
		if got := key1(t, body); got != "1" {
			t.Errorf("got %q, want 1", got)
		}
	}
}

// The SDK takes escaped surrogates two by two. We take a high one and the low one behind it for a
// pair, wherever they stand, as RFC 8259 section 7 has it.
func TestFaultSurrogates(t *testing.T) {
	for escaped, want := range map[string]struct{ sdk, us string }{
		`\ud800\ud83d\ude00`: {"\ufffd\ufffd\ufffd", "\ufffd\U0001f600"},
		`\ude00\ud83d\ude00`: {"\ufffd\ufffd\ufffd", "\ufffd\U0001f600"},
	} {
		body := `{"specversion":"1.0","id":"` + escaped + `","type":"t","source":"/s"}`
		if e := decode(t, body); e.ID() != want.sdk {
			t.Errorf("the SDK reads %q: the fault is gone", e.ID())
		}
		if got := key1(t, body); got != want.us {
			t.Errorf("got %q, want %q", got, want.us)
		}
		var oracle struct{ ID string }
		if err := json.Unmarshal([]byte(body), &oracle); err != nil || oracle.ID != want.us {
			t.Errorf("encoding/json reads %q, %v, want %q", oracle.ID, err, want.us)
		}
	}
}

// The SDK takes a dataschema before the specversion of any type for a text, and behind it refuses
// all but strings. For us it is an attribute of CloudEvents, a string, so that the event has no key
// under a rule with dataschema.
func TestFaultDataSchemaOfAnyType(t *testing.T) {
	body := `{"id":"1","type":"t","source":"/s","dataschema":7,"specversion":"1.0"}`
	if e := decode(t, body); e.DataSchema() != "7" {
		t.Errorf("the SDK reads the dataschema %q: the fault is gone", e.DataSchema())
	}
	if _, err := cloudevent.Peek([]byte(body), "dataschema"); err == nil {
		t.Error("got no error")
	}
	if got := key1(t, body); got != "1" {
		t.Errorf("got %q, want 1", got)
	}
}

// Of two extensions before the specversion whose names differ in case only, the SDK keeps one by
// chance. We keep the last.
func TestFaultCaseOfExtensions(t *testing.T) {
	body := `{"partitionkey":"a","PartitionKey":"b","id":"1","type":"t","source":"/s","specversion":"1.0"}`
	seen := map[string]bool{}
	for range 200 {
		seen[fmt.Sprint(decode(t, body).Extensions()["partitionkey"])] = true
	}
	if len(seen) != 2 {
		t.Errorf("the SDK reads %v in 200 times: the fault is gone", seen)
	}
	for range 200 {
		if e, err := cloudevent.Peek([]byte(body), "partitionkey"); err != nil || e.Attributes["partitionkey"] != "b" {
			t.Fatalf("got %v, %v, want b", e, err)
		}
	}
}

// The SDK panics for a header that is its prefix and no more. For us it names no attribute.
func TestFaultHeaderPanics(t *testing.T) {
	header := http.Header{"Ce-Specversion": {"1.0"}, "Ce-Id": {"1"}, "Ce-": {"x"}}
	if _, panicked, _ := toEvent(httpMessage("", "Ce-Specversion", "1.0", "Ce-Id", "1", "Ce-", "x")); panicked == nil {
		t.Error("the SDK does not panic: the fault is gone")
	}
	if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Header: cloudevent.HTTP.Values(header)}); got != routeOf("1") {
		t.Errorf("got %v, want that of 1", got)
	}
}

// In version 0.3 "dataschema" is an extension. In binary mode the SDK takes it for one only if it
// happens to look at the version first. For us the order of headers means nothing.
func TestFaultOrderOfHeaders(t *testing.T) {
	header := []string{"Ce-Specversion", "0.3", "Ce-Id", "1", "Ce-Dataschema", "x"}
	seen := map[bool]bool{}
	for range 200 {
		_, _, err := toEvent(httpMessage("", header...))
		seen[err == nil] = true
	}
	if len(seen) != 2 {
		t.Errorf("the SDK decodes it: %v: the fault is gone", seen)
	}
	h := http.Header{"Ce-Specversion": {"0.3"}, "Ce-Id": {"1"}, "Ce-Dataschema": {"x"}}
	for range 200 {
		if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Header: cloudevent.HTTP.Values(h)}); got != routeOf("1") {
			t.Fatalf("got %v, want that of 1", got)
		}
	}
}

// The SDK forgets that it could not read an extension behind the specversion, and takes a number
// that is too large for a float64 for 0. For us it is as any other number that is no Integer of
// CloudEvents: no value, so that the event has no key under a rule that names it.
func TestFaultHugeNumber(t *testing.T) {
	body := `{"specversion":"1.0","id":"1","type":"t","source":"/s","number":1e400}`
	if e := decode(t, body); fmt.Sprint(e.Extensions()["number"]) != "0" {
		t.Errorf("the SDK reads %v: the fault is gone", e.Extensions())
	}
	if _, err := cloudevent.Peek([]byte(body), "number"); err == nil {
		t.Error("got no error")
	}
	if got := key1(t, body); got != "1" {
		t.Errorf("got %q, want 1", got)
	}
}

// Of an extension that stands before the specversion twice, the SDK looks at the last value only,
// and behind the specversion at all. For us each must be a value that an extension can have, as
// each subject and id must (SPEC section 9.4), so that the order of members means nothing.
func TestFaultReplacedExtension(t *testing.T) {
	const rest = `"partitionkey":[],"partitionkey":"p","id":"1","type":"t","source":"/s"`
	const version = `"specversion":"1.0"`
	before, behind := "{"+rest+","+version+"}", "{"+version+","+rest+"}"
	if e := decode(t, before); e.Extensions()["partitionkey"] != "p" {
		t.Errorf("the SDK reads %v: the fault is gone", e.Extensions())
	}
	if _, _, err := unmarshal([]byte(behind)); err == nil {
		t.Error("the SDK decodes it behind the specversion: the fault is gone")
	}
	for _, body := range []string{before, behind} {
		if _, err := cloudevent.Peek([]byte(body), "partitionkey"); err == nil {
			t.Errorf("got no error of %s", body)
		}
		if got := key1(t, body); got != "1" {
			t.Errorf("got %q, want 1", got)
		}
	}
}
