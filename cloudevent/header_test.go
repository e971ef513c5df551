package cloudevent_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A headerMessage is a message as the reference reads it: SPEC 9.1, 9.7 and 9.8 once more, step by step.
type headerMessage struct {
	transport   string
	contentType string // apart from the headers
	list        []field
	body        string
	percent     bool
}

var prefixes = map[string][]string{"http": {"ce-"}, "nats": {"ce-"}, "kafka": {"ce_"}, "amqp": {"cloudEvents_", "cloudEvents:"}, "mqtt": {"", "ce-"}, "pubsub": {"ce-"}}

func (m headerMessage) find(name string) string {
	var found []string
	for _, f := range m.list {
		if lower(f.name) == lower(name) {
			found = append(found, f.value)
		}
	}
	switch {
	case len(found) == 0:
		return ""
	case m.transport == "http" || m.transport == "nats":
		return found[0]
	}
	return found[len(found)-1]
}

// key returns the routing key, empty where there is none, and the mode.
func (m headerMessage) key() (key, mode string) {
	contentType := m.contentType
	if contentType == "" && m.transport != "amqp" && m.transport != "mqtt" {
		contentType = m.find("content-type")
	}
	media, _, _ := strings.Cut(contentType, ";")
	media = lower(strings.TrimSpace(media))
	prefix, binary := "", false
	for _, p := range prefixes[m.transport] {
		if !binary && m.find(p+"specversion") != "" {
			prefix, binary = p, true
		}
	}
	switch {
	case media == "application/cloudevents+json" || !binary && !strings.HasPrefix(media, "application/cloudevents"):
		found, _ := reference([]byte(m.body), "subject", "id")
		return firstOf(found["subject"], found["id"]), "structured"
	case strings.HasPrefix(media, "application/cloudevents"):
		return "", "unreadable"
	}
	subject, ok1 := m.value(prefix + "subject")
	id, ok2 := m.value(prefix + "id")
	if !ok1 || !ok2 {
		return "", "binary"
	}
	return firstOf(subject, id), "binary"
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (m headerMessage) value(name string) (text string, ok bool) {
	text = strings.TrimSpace(m.find(name))
	if !m.percent || m.transport != "http" && m.transport != "nats" {
		return text, true
	}
	if len(text) >= 2 && strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) {
		var b strings.Builder
		escaped := false
		for _, c := range []byte(text[1 : len(text)-1]) {
			switch {
			case escaped || c != '\\' && c != '"':
				b.WriteByte(c)
				escaped = false
			case c == '\\':
				escaped = true
			default:
				return "", false
			}
		}
		if escaped {
			return "", false
		}
		text = b.String()
	}
	text, err := url.PathUnescape(text) // of another's making, and strict
	return text, err == nil && utf8.ValidString(text)
}

// checkHeaders checks what holds for every message: all forms of its headers agree with the
// reference, and one member answers.
func checkHeaders(t tb, m headerMessage) {
	t.Helper()
	rule := routing.Rule{}
	if m.percent {
		rule = ruleOf(t, "subject,id percent")
	}
	want, mode := m.key()
	var wantRoute routing.Route
	if want != "" {
		wantRoute = routing.Hashed(sumOf(want))
	}
	filters := fullGroup(t, 3)
	before := slices.Clone(m.list)
	for form, header := range formsOf(m.transport, m.list) {
		message := cloudevent.Message{Topic: "orders", ContentType: m.contentType, Header: header, Body: []byte(m.body)}
		if got := cloudevent.Route(rule, message); got != wantRoute {
			t.Fatalf("%+v as %s: Route = %v, want %v of %q", m, form, got, wantRoute, want)
		}
		checkOne(t, filters, func(f *slot.Filter) slot.Verdict { return cloudevent.DecideMessage(f.WithRule(rule), message) })
		e, err := cloudevent.PeekMessage(rule, message)
		if key, _ := rule.Key(e); key != want || e.Topic != "orders" {
			t.Fatalf("%+v as %s: PeekMessage = %q, %v, its key %q, want %q", m, form, e, err, key, want)
		}
		if unreadable := mode == "unreadable"; unreadable != strings.Contains(errorText(err), cloudevent.ErrFormat.Error()) {
			t.Fatalf("%+v as %s: PeekMessage: %v, and the mode is %s", m, form, err, mode)
		}
		if got := modeOf(message); got != mode {
			t.Fatalf("%+v as %s: Mode = %v, want %s", m, form, message.Mode(), mode)
		}
		if want == "" && mode == "binary" && err == nil && e.Subject+e.ID != "" {
			t.Fatalf("%+v as %s: no key, no error, and %q", m, form, e)
		}
	}
	if !slices.Equal(before, m.list) {
		t.Fatalf("%q became %q", before, m.list)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// canHold reports whether a transport's clients can have such headers: in maps of one value names
// do not repeat, and maps have no order.
func canHold(m headerMessage) bool {
	seen := map[string]string{}
	for _, f := range m.list {
		if spelt, ok := seen[lower(f.name)]; ok && (m.transport == "pubsub" || m.transport == "nats" && spelt != f.name) {
			return false
		}
		seen[lower(f.name)] = f.name
		if m.transport == "pubsub" && f.name != lower(f.name) {
			return false // its keys have one case
		}
	}
	return true
}

func TestHeadersKeepTheLaws(t *testing.T) {
	attribute := rapid.SampledFrom([]string{"specversion", "subject", "id", "subject", "id", "type"})
	spelling := rapid.SampledFrom([]func(string) string{
		func(s string) string { return s }, func(s string) string { return s }, func(s string) string { return s },
		strings.ToUpper, strings.ToLower, func(s string) string { return s + "s" }, func(s string) string { return strings.Replace(s, "s", "\u017f", 1) },
	})
	piece := rapid.SampledFrom([]string{
		"a", "7", "order-", " ", "\t", "\u00a0", "\u3000", "\u200b", "\x00", "é", "\xff", "%20", "%C3%A9", "%c3", "%", "%4", "%zz", "%25", "%22", `"`, `\`, `\"`, "+", strings.Repeat("k", 120),
	})
	text := rapid.Map(rapid.SliceOfN(piece, 0, 5), func(pieces []string) string { return strings.Join(pieces, "") })
	quoted := rapid.Map(text, func(s string) string { return `"` + s + `"` })
	contentType := rapid.SampledFrom([]string{
		"", "", "", "application/json", "application/cloudevents+json", " Application/CloudEvents+JSON ; charset=utf-8", "application/cloudevents-batch+json", "application/cloudevents+xml", "application/cloudevent", ";",
	})
	names := slices.Sorted(maps.Keys(prefixes))
	message := rapid.Custom(func(t *rapid.T) headerMessage {
		m := headerMessage{transport: rapid.SampledFrom(names).Draw(t, "transport"), percent: rapid.Bool().Draw(t, "percent")}
		if rapid.Bool().Draw(t, "binary") {
			m.list = append(m.list, field{rapid.SampledFrom(prefixes[m.transport]).Draw(t, "prefix") + "specversion", "1.0"})
		}
		for range rapid.IntRange(0, 6).Draw(t, "headers") {
			name := rapid.SampledFrom(prefixes[m.transport]).Draw(t, "prefix") + attribute.Draw(t, "attribute")
			value := rapid.OneOf(text, text, quoted).Draw(t, "value")
			m.list = append(m.list, field{spelling.Draw(t, "spelling")(name), value})
		}
		if rapid.Bool().Draw(t, "apart") {
			m.contentType = contentType.Draw(t, "content type")
		} else if c := contentType.Draw(t, "content type"); c != "" {
			m.list = append(m.list, field{rapid.SampledFrom([]string{"content-type", "Content-Type"}).Draw(t, "name"), c})
		}
		if rapid.Bool().Draw(t, "body") {
			m.body = string(body().Draw(t, "body"))
		}
		return m
	})
	rapid.Check(t, func(t *rapid.T) {
		if m := message.Draw(t, "message"); canHold(m) {
			checkHeaders(t, m)
		}
	})
}

// The two modes of one event agree where its values survive them: no white space at their ends, and percent-encoded by
// whoever sends them where the rule says so.
func TestModesAgree(t *testing.T) {
	rules := []routing.Rule{{}, ruleOf(t, "subject,id percent")}
	rapid.Check(t, func(t *rapid.T) {
		valid := rapid.Map(rapid.String(), strings.TrimSpace)
		subject, id := valid.Draw(t, "subject"), valid.Draw(t, "id")
		structured := cloudevent.Message{Body: encodeEvent(t, subject, id)}
		rule := rapid.SampledFrom(rules).Draw(t, "rule")
		want := rule.Route(routing.Event{Subject: subject, ID: id})
		if got := cloudevent.Route(rule, structured); got != want {
			t.Fatalf("structured: %v, want %v", got, want)
		}
		for transport, p := range prefixes {
			encode := func(s string) string { return s }
			if rule.Percent() && (transport == "http" || transport == "nats") {
				encode = rapid.SampledFrom([]func(string) string{url.PathEscape, everyPercent, quoteAndEncode}).Draw(t, "encoding")
			}
			list := []field{{p[0] + "specversion", "1.0"}, {p[0] + "subject", encode(subject)}, {p[0] + "id", encode(id)}}
			for form, header := range formsOf(transport, list) {
				if got := cloudevent.Route(rule, cloudevent.Message{Header: header}); got != want {
					t.Fatalf("%s, %s: %v, want %v as structured", transport, form, got, want)
				}
			}
		}
	})
}

// everyPercent writes each byte as its number.
func everyPercent(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteString("%" + string("0123456789abcdef"[c>>4]) + string("0123456789ABCDEF"[c&15]))
	}
	return b.String()
}

// quoteAndEncode writes a quoted string.
func quoteAndEncode(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(url.PathEscape(s)) + `"`
}
