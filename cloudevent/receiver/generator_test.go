package receiver_test

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudevents/sdk-go/v2/event"
	"pgregory.net/rapid"
)

// pieces of strings inside of quotes: what decoders stumble over.
var pieces = []string{
	"a", "order-7", "é", "\U0001f600", " ", "\u00a0", "{", "}", "[", "]", ",", ":", "'", "/", "%2F", "%", "\x7f", "\xff", "\xc3", "\ufeff", "\ufffd",
	`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\u0000`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83D\uDE00`, `\ud83dx`, `\ud83d\n`,
	strings.Repeat("x", 7), strings.Repeat("y", 8), strings.Repeat("z", 63), strings.Repeat("w", 64), `"subject":"x"`[1:8],
}

// text is a string of JSON, with its quotes.
func text(t *rapid.T, label string) string {
	return `"` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, label), "") + `"`
}

// space is white space of JSON, mostly none.
func space(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t\r ", strings.Repeat(" ", 9)}).Draw(t, "space")
}

// value is any value of JSON.
func value(t *rapid.T, depth int) string {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return text(t, "text")
	case 1:
		return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "literal")
	case 2:
		return number(t)
	case 3:
		return text(t, "text")
	case 4:
		list := make([]string, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range list {
			list[i] = space(t) + value(t, depth-1) + space(t)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	list := make([]string, rapid.IntRange(0, 3).Draw(t, "members"))
	for i := range list {
		list[i] = space(t) + name(t) + space(t) + ":" + space(t) + value(t, depth-1) + space(t)
	}
	return "{" + strings.Join(list, ",") + "}"
}

func number(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"0", "-0", "7", "7.5", "-7.9", "0.0", "1e3", "1E+3", "1.5e1", "25e-1", "2147483647", "2147483647.5", "2147483648", "-2147483648", "-2147483649", "1e400", "-1e-400",
		"123456789012345678901234567890", "0.1e10", "0.99999999999999999999", "6.99999999999999999", "2147483647.0000000001", "-2147483648.0000000001", "00", "1.", "1e", "+1", "NaN",
	}).Draw(t, "number")
}

// name is the name of a member, with its quotes, sometimes spelt with escapes.
func name(t *rapid.T) string {
	names := []string{"subject", "id", "source", "type", "specversion", "datacontenttype", "dataschema", "time", "data", "data_base64", "partitionkey", "PartitionKey", "number", "flag", "Subject", "ID", "x", "datacontentencoding", "schemaurl", ""}
	n := rapid.SampledFrom(names).Draw(t, "name")
	if n != "" && rapid.IntRange(0, 4).Draw(t, "escape") == 0 {
		i := rapid.IntRange(0, len(n)-1).Draw(t, "at")
		n = fmt.Sprintf(`%s\u%04x%s`, n[:i], n[i], n[i+1:])
	}
	return `"` + n + `"`
}

// attributeValue is a value that the SDK mostly takes for an attribute.
func attributeValue(t *rapid.T, name string) string {
	if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
		return value(t, 2)
	}
	switch strings.Trim(name, `"`) {
	case "specversion":
		return rapid.SampledFrom([]string{`"1.0"`, `"1.0"`, `"1.0"`, `"0.3"`, `"1\u002e0"`}).Draw(t, "version")
	case "source", "dataschema":
		return rapid.SampledFrom([]string{`"/s"`, `"http://example.com/%7e"`, `"/a b"`, `"HTTP://x/\u00e9"`, `""`, `null`, `"urn:x:y"`}).Draw(t, "uri")
	case "time":
		return rapid.SampledFrom([]string{`"2026-11-30T12:00:00Z"`, `"2026-11-30T12:00:00.5+01:00"`, `""`, `null`, `"0001-01-01T00:00:00Z"`}).Draw(t, "time")
	case "datacontenttype":
		return rapid.SampledFrom([]string{`"application/json"`, `"application/json"`, `"text/plain"`, `""`, `null`}).Draw(t, "content type")
	case "data":
		return value(t, 3)
	case "data_base64":
		return rapid.SampledFrom([]string{`"aGk="`, `""`, `null`, `12`, `"a\u0047k="`}).Draw(t, "base64")
	case "number", "flag", "partitionkey", "PartitionKey", "x":
		return rapid.SampledFrom([]string{text(t, "extension"), number(t), "true", "false", "null"}).Draw(t, "extension")
	}
	if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
		return "null"
	}
	return text(t, "attribute")
}

// structured is a structured event: mostly one that the SDK decodes, with members in any order,
// twice, and in odd spellings.
var structured = rapid.Custom(func(t *rapid.T) string {
	names := []string{`"specversion"`, `"id"`, `"type"`, `"source"`}
	for range rapid.IntRange(0, 6).Draw(t, "more") {
		names = append(names, name(t))
	}
	names = rapid.Permutation(names).Draw(t, "order")
	var b strings.Builder
	b.WriteString(space(t) + "{")
	for i, n := range names {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(space(t) + n + space(t) + ":" + space(t) + attributeValue(t, n) + space(t))
	}
	b.WriteString("}" + space(t))
	return b.String()
})

// headers are those of an event in binary mode.
var headers = rapid.Custom(func(t *rapid.T) http.Header {
	h := http.Header{"Ce-Specversion": {rapid.SampledFrom([]string{"1.0", "1.0", "0.3"}).Draw(t, "version")}, "Ce-Type": {"t"}, "Ce-Source": {"/s"}, "Ce-Id": {"1"}}
	values := []string{"", " ", "1", " 1 ", "\u00a0x\u2003", "order-7", "a b", "100%", "%31", `"1"`, "\xff", "é", "\u200b7", "\x1f1", "text/plain", "application/json; charset=utf-8", "2026-11-30T12:00:00Z", "7", "7.5", "true"}
	names := []string{"Ce-Id", "Ce-Subject", "Ce-Time", "Ce-Dataschema", "Ce-Datacontenttype", "Content-Type", "Ce-Partitionkey", "Ce-Number", "Ce-Flag", "Ce-X", "Ce-Type", "Ce-", "Subject", "Id"}
	for range rapid.IntRange(0, 6).Draw(t, "headers") {
		n := textproto.CanonicalMIMEHeaderKey(rapid.SampledFrom(names).Draw(t, "name"))
		h[n] = append(h[n], rapid.SampledFrom(values).Draw(t, "value"))
	}
	return h
})

// survives reports whether the event's values are the same in both modes: without white space at
// the ends of attributes that binary mode trims, valid UTF-8 and in need of no encoding.
func survives(e event.Event) bool {
	values := []string{e.Subject(), e.ID(), e.Type(), e.DataContentType()}
	names := map[string]bool{}
	for name, v := range e.Extensions() {
		if names[strings.ToLower(name)] {
			return false // FaultCaseOfExtensions
		}
		names[strings.ToLower(name)] = true
		if s, ok := v.(string); ok {
			values = append(values, s)
		}
	}
	for i, v := range values {
		if i < 4 && strings.TrimSpace(v) != v || !utf8.ValidString(v) || strings.ContainsAny(v, "%\"\x7f") || strings.ContainsFunc(v, func(c rune) bool { return c < ' ' }) {
			return false
		}
	}
	return true
}

func TestBodiesAgree(t *testing.T) {
	decoded, total := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		body := structured.Draw(rt, "body")
		total++
		if checkBody(checker{t, rt}, []byte(body)) {
			decoded++
			if e, _, _ := unmarshal([]byte(body)); true {
				checkModes(checker{t, rt}, e)
			}
		}
	})
	if decoded*5 < total {
		t.Errorf("the SDK decodes %d of %d events: too few to learn much", decoded, total)
	}
}

func TestHeadersAgree(t *testing.T) {
	decoded, total := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		total++
		if checkHeader(checker{t, rt}, headers.Draw(rt, "headers")) {
			decoded++
		}
	})
	if decoded*5 < total {
		t.Errorf("the SDK decodes %d of %d events: too few to learn much", decoded, total)
	}
}

// A checker is a testing.TB that fails by rapid's means.
type checker struct {
	testing.TB
	t *rapid.T
}

func (c checker) Helper()                        { c.t.Helper() }
func (c checker) Errorf(format string, a ...any) { c.t.Errorf(format, a...) }
func (c checker) Fatalf(format string, a ...any) { c.t.Fatalf(format, a...) }
func (c checker) Fatal(a ...any)                 { c.t.Fatal(a...) }
