package events_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/examples/internal/events"
)

const valid = `{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"a"}`

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		keys       string // with a space between
	}{
		{"nothing", " \n\t\r\n", ""},
		{"one", valid, "a"},
		{"one, over several lines", strings.ReplaceAll(valid, ",", ",\n"), "a"},
		{"NDJSON", valid + "\n" + valid + "\n", "a a"},
		{"one after another", valid + valid, "a a"},
		{"batch", "[" + valid + "," + valid + "]", "a a"},
		{"empty batch", "[]", ""},
		{"batches and events", "[" + valid + "]\n" + valid + "\n[" + valid + "]", "a a a"},
		{"no subject", strings.Replace(valid, `"a"`, "null", 1), "1"},
		{"empty subject", strings.Replace(valid, `"a"`, `""`, 1), "1"},
		{"escapes", strings.Replace(valid, `subject":"a"`, `sub\u006aect":"\u00e9\/"`, 1), "é/"},
	} {
		got, err := events.Read("f", []byte(c.text))
		var keys []string
		for _, e := range got {
			keys = append(keys, e.Key())
		}
		if err != nil || strings.Join(keys, " ") != c.keys {
			t.Errorf("%s: keys %q, %v; want %q", c.name, keys, err, c.keys)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	without := func(old string) string { return strings.Replace(valid, old, "", 1) }
	for _, c := range []struct{ name, text, want string }{
		{"text", "hello", "f, line 1: not JSON: invalid character 'h'"},
		{"truncated", valid + "\n" + valid[:20], "f, line 2: not JSON: unexpected EOF"},
		{"garbage behind", valid + "\n\n]", "f, line 3: not JSON: invalid character ']'"},
		{"byte order mark", "\xef\xbb\xbf" + valid, "f, line 1: starts with a byte order mark"},
		{"number", valid + "\n17", "f, line 2: not a CloudEvent: 17 is no JSON object"},
		{"string", `"` + strings.Repeat("é", 99) + `"`, "f, line 1: not a CloudEvent: \"éé"},
		{"any object", "\n{}", "f, line 2: not a CloudEvent: "},
		{"in a batch", "[" + valid + ",\n3]", "f, line 1, event 2 of the batch: not a CloudEvent: 3 is no JSON object"},
		{"batch in a batch", "[[" + valid + "]]", "f, line 1, event 1 of the batch: not a CloudEvent: ["},
		{"no id", without(`"id":"1",`), "f, line 1: not a CloudEvent: id: MUST"},
		{"no id, no type", without(`"id":"1","type":"t",`), "f, line 1: not a CloudEvent: id: MUST be a non-empty string; type: MUST"},
		{"number as id", strings.Replace(valid, `"1"`, "1", 1), "f, line 1: not a CloudEvent: "},
		{"what panics the SDK", strings.Replace(valid, `{`, `{"data_base64":1,`, 1), "f, line 1: not a CloudEvent: "},
		{"another version", strings.Replace(valid, `1.0`, `9.9`, 1), "f, line 1: not a CloudEvent: "},
	} {
		got, err := events.Read("f", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %d events, %v; want %s…", c.name, len(got), err, c.want)
		} else if strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%s: more than one line: %q", c.name, err)
		}
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.ndjson"), strings.ReplaceAll(valid+"\n"+valid, `"a"`, `"b"`))
	write(t, filepath.Join(dir, "a.JSON"), valid)
	write(t, filepath.Join(dir, "c.jsonl"), "")
	write(t, filepath.Join(dir, "notes.txt"), "no event")
	write(t, filepath.Join(dir, "folder.json", "d.json"), "no event")
	got, err := events.Load(dir)
	if err != nil || len(got) != 3 || got[0].Key() != "a" || got[1].Key() != "b" {
		t.Fatalf("got %v, %v", got, err)
	}
	if want := filepath.Join(dir, "b.ndjson") + ", line 2"; got[2].Origin != want {
		t.Errorf("origin is %s, want %s", got[2].Origin, want)
	}
	if got, err := events.Load(write(t, filepath.Join(dir, "no-extension"), valid)); err != nil || len(got) != 1 || string(got[0].Body) != valid {
		t.Errorf("a file without an extension: %v, %v", got, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, path, want string }{
		{"no such file", filepath.Join(dir, "none"), "no such file"},
		{"empty folder", t.TempDir(), "no file that ends in .json, .jsonl, .ndjson"},
		{"folder of others", filepath.Dir(write(t, filepath.Join(dir, "others", "x.txt"), valid)), "no file that ends in"},
		{"folder of empty files", filepath.Dir(write(t, filepath.Join(dir, "empty", "x.json"), " ")), "no event in the files"},
		{"folder with another JSON", filepath.Dir(write(t, filepath.Join(dir, "mixed", "x.json"), "{}")), "x.json, line 1: not a CloudEvent"},
		{"empty file", write(t, filepath.Join(dir, "y.json"), ""), "no event in this file"},
		{"empty batch", write(t, filepath.Join(dir, "z.json"), "[]"), "no event in this file"},
	} {
		got, err := events.Load(c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %d events, %v; want %s", c.name, len(got), err, c.want)
		}
	}
}

// The sample has what a consumer meets in the open.
func TestSample(t *testing.T) {
	sample := events.Sample()
	has := map[string]int{}
	spelled := map[string]map[string]bool{} // key -> spellings of the subject
	for _, e := range sample {
		note := func(what string, is bool) {
			if is {
				has[what]++
			}
		}
		subject := bytes.Index(e.Body, []byte(`"subject"`))
		note("no subject", e.Subject == "")
		note("subject beyond ASCII", strings.ContainsFunc(e.Subject, func(r rune) bool { return r > 0x7f }))
		note("long subject", len(e.Subject) > 150)
		note("name with an escape", bytes.Contains(e.Body, []byte(`sub\u006aect`)))
		note("data before subject", subject > bytes.Index(e.Body, []byte(`"data"`)) && bytes.Contains(e.Body, []byte(`"data"`)) && e.Subject != "")
		note("base64", bytes.Contains(e.Body, []byte(`"data_base64"`)))
		note("extension", bytes.Contains(e.Body, []byte(`"traceparent"`)))
		note("a subject inside data", bytes.Count(e.Body, []byte(`"subject"`)) > 1)
		if e.Subject != "" && subject >= 0 {
			spelling, _, _ := bytes.Cut(e.Body[subject+len(`"subject"`):], []byte(","))
			if spelled[e.Subject] == nil {
				spelled[e.Subject] = map[string]bool{}
			}
			spelled[e.Subject][strings.Trim(string(spelling), ": }")] = true
		}
	}
	for _, spellings := range spelled {
		if len(spellings) > 1 {
			has["one subject in several spellings"]++
		}
	}
	if len(sample) < 200 || len(sample) > 600 {
		t.Errorf("%d events", len(sample))
	}
	for _, what := range []string{"no subject", "subject beyond ASCII", "long subject", "name with an escape", "data before subject", "base64", "extension", "a subject inside data", "one subject in several spellings"} {
		if has[what] < 5 {
			t.Errorf("%s: %d times", what, has[what])
		}
	}
}
