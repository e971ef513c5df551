package vectors_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/slotkey/slotkey/internal/vectors"
)

type row struct {
	vectors.Test
	Key    *string           `json:"key"`
	KeyHex *vectors.Bytes    `json:"key_hex"`
	Slots  []int             `json:"slots"`
	Pairs  [][]int           `json:"pairs"`
	Names  map[string]string `json:"names"`
	Event  *struct {
		TopicHex *vectors.Bytes `json:"topic_hex"`
		Last     bool           `json:"last"`
	} `json:"event"`
	Members []struct {
		Slots []int  `json:"slots"`
		Text  string `json:"text"`
	} `json:"members"`
}

const (
	document = `{"algorithm": "a", "version": 1, "schema": "schema/x.v1.schema.json", "numberOfTests": 3, "notes": {"f": "catches f"}, "sizes": [1, 2], "tests": [
{"id": 1, "comment": "c", "spec": "3.1", "flags": ["f"], "key": "a", "key_hex": "61", "slots": [0, 1], "pairs": [[1, 2], []], "names": {"b": "2", "a": ""}},
{"id": 2, "comment": "c", "spec": "3.1", "flags": [], "key_hex": "", "event": {"topic_hex": "ff", "last": true}, "members": [{"slots": [1, 2], "text": "a,b"}, {"slots": [], "text": ""}]},
{"id": 4, "comment": "c", "spec": "3", "flags": [], "event": {"last": false}, "members": []}]}
`
	table = "id\tcomment\tspec\tflags\tkey_hex\tslots\tpairs\tnames\tevent.topic_hex\tevent.last\tmembers[].slots\tmembers[].text\n" +
		"1\tc\t3.1\tf\t61\t0,1\t1,2;\"\"\ta=\"\",b=2\t-\t-\t-\t-\n" +
		"2\tc\t3.1\t\"\"\t\"\"\t-\t-\t-\tff\ttrue\t1,2;\"\"\ta,b;\"\"\n" +
		"4\tc\t3\t\"\"\t-\t-\t-\t-\t-\tfalse\t\"\"\t\"\"\n"
)

type header struct {
	Sizes []int `json:"sizes"`
}

// files returns the files of one suite; a text that is empty is a missing file.
func files(document, table, schema string) fs.FS {
	out := fstest.MapFS{}
	for name, text := range map[string]string{"x.v1.json": document, "x.v1.tsv": table, "schema/x.v1.schema.json": schema} {
		if text != "" {
			out[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return out
}

// eachLine changes the fields of each line of a table.
func eachLine(table string, change func(fields []string) []string) string {
	var out strings.Builder
	for line := range strings.Lines(table) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out.WriteString(strings.Join(change(fields), "\t") + "\n")
	}
	return out.String()
}

func TestRead(t *testing.T) {
	var h header
	tests, err := vectors.Read[row](files(document, table, "{}"), "x.v1", &h)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Sizes) != 2 || len(tests) != 3 {
		t.Fatalf("got %d sizes and %d tests, want 2 and 3", len(h.Sizes), len(tests))
	}
	first, second, last := tests[0], tests[1], tests[2]
	if first.KeyHex.Or() != "a" || first.Names["b"] != "2" || first.String() != "test 1 (c; SPEC 3.1)" {
		t.Errorf("got %v %+v", first, first)
	}
	if second.KeyHex == nil || second.KeyHex.Or() != "" || second.Event.TopicHex.Or() != "\xff" {
		t.Errorf("got %+v, want an empty key and the topic \\xff", second)
	}
	if last.KeyHex != nil || last.KeyHex.Or() != "" {
		t.Errorf("got the key %q, want none", *last.KeyHex)
	}
}

func TestReadRefuses(t *testing.T) {
	edit := func(text, old, new string) string {
		if strings.Count(text, old) == 0 {
			t.Fatalf("%q is not in the text", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	tests := []struct {
		name, want string
		files      fs.FS
	}{
		{"no document", "x.v1.json", files("", table, "{}")},
		{"no TSV", "x.v1.tsv", files(document, "", "{}")},
		{"no schema", "schema/x.v1.schema.json", files(document, table, "")},
		{"another schema", "schema is", files(edit(document, "x.v1.schema", "y.v1.schema"), table, "{}")},
		{"cut short", "EOF", files(document[:200], table, "{}")},
		{"trailing data", "after the document", files(document+"{}", table, "{}")},
		{"trailing bracket", "after", files(document+"}", table, "{}")},
		{"unknown field of a test", "surprise", files(edit(document, `"key": "a"`, `"surprise": 1`), table, "{}")},
		{"unknown field of an event", "surprise", files(edit(document, `"topic_hex"`, `"surprise"`), table, "{}")},
		{"unknown field of the header", "surprise", files(edit(document, `"sizes"`, `"surprise": 1, "sizes"`), table, "{}")},
		{"missing field of the header", "notes is missing", files(edit(document, `"notes": {"f": "catches f"}, `, ``), table, "{}")},
		{"a name twice", "twice", files(edit(document, `"id": 1`, `"id": 1, "id": 1`), table, "{}")},
		{"a name twice, in another case", "twice", files(edit(document, `"id": 1`, `"id": 1, "ID": 1`), table, "{}")},
		{"too few tests", "numberOfTests is 4", files(edit(document, `Tests": 3`, `Tests": 4`), table, "{}")},
		{"too many tests", "numberOfTests is 2", files(edit(document, `Tests": 3`, `Tests": 2`), table, "{}")},
		{"no tests", "no tests", files(document[:strings.Index(document, `"tests"`)]+`"tests": []}`, table, "{}")},
		{"null for tests", "no tests", files(document[:strings.Index(document, `"tests"`)]+`"tests": null}`, table, "{}")},
		{"nothing for tests", "tests", files(document[:strings.Index(document, `, "sizes"`)]+`}`, table, "{}")},
		{"an id twice", "id 1 after id 1", files(edit(document, `"id": 2`, `"id": 1`), table, "{}")},
		{"no id", "id 0", files(edit(document, `"id": 1, `, ``), table, "{}")},
		{"no comment", "lacks a comment", files(edit(document, `"comment": "c", `, ``), table, "{}")},
		{"a flag without a note", "no note explains", files(edit(document, `["f"]`, `["f", "g"]`), table, "{}")},
		{"a note without a flag", "no test has the flag", files(edit(document, `["f"]`, `[]`), table, "{}")},
		{"half a byte", "encoding/hex", files(edit(document, `"61"`, `"6"`), table, "{}")},
		{"TSV: a value differs", "key_hex is 62", files(document, edit(table, "61", "62"), "{}")},
		{"TSV: absent for empty", "key_hex is -", files(document, edit(table, "\"\"\t\"\"\t-", "\"\"\t-\t-"), "{}")},
		{"TSV: a line too few", "2 tests", files(document, table[:strings.Index(table, "4\tc")], "{}")},
		{"TSV: a field too few", "11 fields", files(document, edit(table, "\ttrue", ""), "{}")},
		{"TSV: no newline at the end", "newline", files(document, strings.TrimSuffix(table, "\n"), "{}")},
		{"TSV: carriage returns", "newline", files(document, strings.ReplaceAll(table, "\n", "\r\n"), "{}")},
		{"TSV: a column too few", "no column spec", files(document, eachLine(table, func(fields []string) []string { return slices.Delete(fields, 2, 3) }), "{}")},
		{"TSV: a column too many", "no test has x", files(document, strings.Replace(eachLine(table, func(fields []string) []string { return append(fields, "-") }), "\t-\n", "\tx\n", 1), "{}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := vectors.Read[row](test.files, "x.v1", &header{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "vectors: x.v1: ") {
				t.Errorf("got the error %v, want one with %q", err, test.want)
			}
		})
	}
	if _, err := vectors.Read[row](files(document, table, "{}"), "x.v1", nil); err == nil || !strings.Contains(err.Error(), "sizes") {
		t.Errorf("a header field that nobody reads: got the error %v", err)
	}
}

// TestEveryFileRuns finds, for each published file, a test of this module that loads it.
func TestEveryFileRuns(t *testing.T) {
	stems, err := fs.Glob(vectors.Files(), "*.json")
	if err != nil || len(stems) == 0 {
		t.Fatalf("got %d files, %v", len(stems), err)
	}
	var sources strings.Builder
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stems {
		stem := strings.TrimSuffix(name, ".json")
		if !strings.Contains(sources.String(), `(t, "`+stem+`"`) {
			t.Errorf("no test loads %s", stem)
		}
		if _, err := fs.Stat(vectors.Files(), stem+".tsv"); err != nil {
			t.Error(err)
		}
	}
}
