package input

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/slotkey/slotkey/cloudevent"
)

// A Form is how a file holds keys or events.
type Form string

const (
	Auto    Form = "auto"    // by looking at the beginning
	Keys    Form = "keys"    // a key on each line
	JSON    Form = "json"    // one structured event
	NDJSON  Form = "ndjson"  // a structured event on each line
	Batch   Form = "batch"   // a JSON array of events
	HTTP    Form = "http"    // an HTTP message: first line, headers, empty line, body
	Headers Form = "headers" // headers, one on each line, and perhaps an empty line and a body
)

// Forms are all of them.
var Forms = []Form{Auto, Keys, JSON, NDJSON, Batch, HTTP, Headers}

// ParseForm reads the name of a form.
func ParseForm(text string) (Form, error) {
	names := make([]string, len(Forms))
	for i, f := range Forms {
		if text == string(f) {
			return f, nil
		}
		names[i] = string(f)
	}
	return "", fmt.Errorf("%q is not one of %s", text, strings.Join(names, ", "))
}

// peeked is how much of a file is looked at.
const peeked = 1 << 20

var (
	requestLine = regexp.MustCompile(`^[A-Z]+ \S+ HTTP/[0-9.]+\r?$`)
	headerLine  = regexp.MustCompile(`^(cloudEvents:)?[A-Za-z][A-Za-z0-9_.-]*[ \t]*[:=]`)
)

// sniff tells the form of events by the beginning of a file. It never says Keys.
func sniff(path string, r *bufio.Reader) Form {
	switch filepath.Ext(path) {
	case ".ndjson", ".jsonl":
		return NDJSON
	}
	head, _ := r.Peek(peeked)
	head = bytes.TrimLeft(head, " \t\r\n")
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("[")):
		return Batch
	case bytes.HasPrefix(head, []byte("{")):
		// Lines of events, or one event on several lines: of the latter no line is whole, and only
		// the first begins with a brace.
		if _, err := cloudevent.Peek(first); len(rest) > 0 && (err == nil || rest[0] == '{') {
			return NDJSON
		}
		return JSON
	case bytes.HasPrefix(head, []byte("HTTP/")), requestLine.Match(first):
		return HTTP
	case bytes.HasPrefix(head, []byte("NATS/1.0")), headerLine.Match(first):
		return Headers
	}
	return JSON
}

// sniffKeys is sniff where lines of keys are more likely than anything else.
func sniffKeys(path string, r *bufio.Reader) Form {
	head, _ := r.Peek(4096)
	head = bytes.TrimLeft(head, " \t\r\n")
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")) || bytes.HasPrefix(head, []byte("HTTP/")) || requestLine.Match(first) {
		return sniff(path, r)
	}
	return Keys
}
