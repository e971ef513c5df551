package oracle_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

// The package jsontext validates all of a body, and shares nothing with cloudevent: whatever it
// takes for one JSON object must have for cloudevent the key that it has by SPEC sections 2 and 9.2
// to 9.5.

// keyByJSONText returns the key of a body; ok is false if it has none, valid if jsontext takes the
// body for one JSON object.
func keyByJSONText(body []byte) (key string, ok, valid bool) {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if !utf8.Valid(body) {
		return "", false, false // it would replace bytes that we keep
	}
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return "", false, false
	}
	values := map[string]string{}
	wrong := false
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return "", false, false
		}
		n := name.String()
		if n != "subject" && n != "id" {
			if err := d.SkipValue(); err != nil {
				return "", false, false
			}
			continue
		}
		switch d.PeekKind() {
		case '"':
			t, err := d.ReadToken()
			if err != nil {
				return "", false, false
			}
			values[n] = t.String()
		case 'n':
			values[n] = ""
			if err := d.SkipValue(); err != nil {
				return "", false, false
			}
		default:
			wrong = true
			if err := d.SkipValue(); err != nil {
				return "", false, false
			}
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return "", false, false
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return "", false, false
	}
	key, ok = routing.Key(routing.Event{Subject: values["subject"], ID: values["id"]})
	return key, ok && !wrong, true
}

// checkJSONText compares the two, and reports whether jsontext takes the body for one JSON object.
func checkJSONText(t *testing.T, body []byte) (valid bool) {
	t.Helper()
	key, ok, valid := keyByJSONText(body)
	if !valid {
		return false
	}
	var want routing.Route
	if ok {
		want = routing.Hashed(hashpin.Sum32String(key))
	}
	if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Body: body}); got != want {
		t.Errorf("got the route %v, want %v, by the key %q, of %q", got, want, key, body)
	}
	e, err := cloudevent.Peek(body)
	if got, _ := routing.Key(e); ok && (err != nil || got != key) {
		t.Errorf("got the key %q, %v, want %q, of %q", got, err, key, body)
	}
	return true
}

var jsonTextSeeds = []string{
	`{}`, ` {"id":"1"} `, `{"id":"a","subject":"s","subject":null}`, `{"sub\u006aect":"\ud83d\ude00","id":7}`, `{"data":{"id":["x",{"subject":"\""}]},"id":"1"}`,
	`{"id":"\ud800\ud83d\ude00"}`, `{"":1,"id":"\\"}`, `{"id":"1","x":[1e400,-0.0E+1,true,false,null,"\u0000"]}`, `{"id":"1"}{}`, `[]`, `{"id":"1",}`,
}

func FuzzJSONText(f *testing.F) {
	for _, seed := range jsonTextSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) { checkJSONText(t, body) })
}

// Objects by chance: well-formed ones, of all that JSON allows, and the same with a byte changed,
// inserted or taken out.
func TestJSONText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	valid, total := 0, 0
	for range 5000 {
		body := []byte(space(r) + object(r, 3) + space(r))
		if !checkJSONText(t, body) {
			t.Fatalf("jsontext refuses %q", body)
		}
		for range 3 {
			total++
			if checkJSONText(t, damage(r, body)) {
				valid++
			}
		}
		if t.Failed() {
			return
		}
	}
	if valid*20 < total || valid*20 > total*19 {
		t.Errorf("%d of %d damaged objects are valid: one of the two kinds is hardly tried", valid, total)
	}
	for _, seed := range jsonTextSeeds {
		checkJSONText(t, []byte(seed))
	}
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func space(r *rand.Rand) string { return pick(r, "", "", "", " ", "\t\r\n", strings.Repeat(" ", 17)) }

func object(r *rand.Rand, depth int) string {
	var members []string
	for range r.IntN(6) {
		name := pick(r, `"subject"`, `"id"`, `"sub\u006Aect"`, `"\u0069d"`, `"data"`, `"Subject"`, `"subject "`, `""`, `"\"id\":"`, `"x\u0000"`)
		v := text(r)
		if r.IntN(3) == 0 {
			v = anyValue(r, depth)
		}
		members = append(members, space(r)+name+space(r)+":"+space(r)+v+space(r))
	}
	return "{" + strings.Join(members, ",") + space(r) + "}"
}

func anyValue(r *rand.Rand, depth int) string {
	switch r.IntN(5) {
	case 0:
		return pick(r, "null", "true", "false", "0", "-1.5e-7", "1E400", "12345678901234567890")
	case 1, 2:
		if depth > 0 {
			var list []string
			for range r.IntN(4) {
				list = append(list, space(r)+anyValue(r, depth-1)+space(r))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
	case 3:
		if depth > 0 {
			return object(r, depth-1)
		}
	}
	return text(r)
}

func text(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick(r, "a", "order-7", "é", "\U0001f600", "{", "}", "[", "]", ",", ":", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u0000`,
			`\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83d\uDe00`, "\x7f", "\ufffd", strings.Repeat("x", 7+r.IntN(60))))
	}
	return `"` + b.String() + `"`
}

func damage(r *rand.Rand, body []byte) []byte {
	at := r.IntN(len(body))
	b := []byte(pick(r, `"`, `\`, "{", "}", "[", "]", ",", ":", " ", "0", "x", "\x00", "\x1f", "\n", "\u00e9"))
	switch r.IntN(3) {
	case 0:
		return append(append(append([]byte{}, body[:at]...), b...), body[at:]...)
	case 1:
		return append(append(append([]byte{}, body[:at]...), b...), body[at+1:]...)
	}
	return append(append([]byte{}, body[:at]...), body[at+1:]...)
}
