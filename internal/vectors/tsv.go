package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// What stands in a TSV field for a value that is not there, and for one that is there and empty.
const (
	absent = "-"
	empty  = `""`
)

// compareTSV reports a difference between a document and its TSV form. It knows nothing of the suite: every value of a
// test must stand in a column, except text that stands beside its bytes, and every column must name what some test has.
func compareTSV(files fs.FS, stem string, document []byte) error {
	data, err := fs.ReadFile(files, stem+".tsv")
	if err != nil {
		return err
	}
	var parsed struct{ Tests []map[string]any }
	decoder := json.NewDecoder(strings.NewReader(string(document)))
	decoder.UseNumber()
	if err := decoder.Decode(&parsed); err != nil {
		return err
	}
	text, terminated := strings.CutSuffix(string(data), "\n")
	lines := strings.Split(text, "\n")
	if !terminated || strings.Contains(text, "\r") {
		return errors.New("tsv: lines end with a newline, and nothing else")
	}
	columns := strings.Split(lines[0], "\t")
	if len(lines) != len(parsed.Tests)+1 {
		return fmt.Errorf("tsv: %d tests, and the document has %d", len(lines)-1, len(parsed.Tests))
	}
	used := map[string]bool{}
	for i, test := range parsed.Tests {
		want := map[string]string{}
		flatten(want, columns, "", test)
		fields := strings.Split(lines[i+1], "\t")
		if len(fields) != len(columns) {
			return fmt.Errorf("tsv: line %d has %d fields, and there are %d columns", i+2, len(fields), len(columns))
		}
		for j, column := range columns {
			value, ok := want[column]
			if !ok {
				value = absent
			}
			if fields[j] != value {
				return fmt.Errorf("tsv: test %v: %s is %s, and the document has %s", test["id"], column, fields[j], value)
			}
			used[column] = used[column] || ok
			delete(want, column)
		}
		for name := range want {
			return fmt.Errorf("tsv: test %v: there is no column %s", test["id"], name)
		}
	}
	for _, column := range columns {
		if !used[column] {
			return fmt.Errorf("tsv: no test has %s", column)
		}
	}
	return nil
}

// flatten puts the fields of an object into out, by the names of their columns.
func flatten(out map[string]string, columns []string, prefix string, object map[string]any) {
	for name, value := range object {
		if _, hasBytes := object[name+"_hex"]; hasBytes && prefix+name != "id" {
			continue // text beside its bytes; a test's own id is its number
		}
		nested := func(column string) bool {
			return slices.ContainsFunc(columns, func(c string) bool { return strings.HasPrefix(c, column+".") })
		}
		column := prefix + name
		switch value := value.(type) {
		case map[string]any:
			if nested(column) {
				flatten(out, columns, column+".", value)
				continue
			}
		case []any:
			if nested(column + "[]") {
				flattenList(out, columns, column+"[].", value)
				continue
			}
		}
		out[column] = field(value)
	}
}

// flattenList joins what the objects of a list have in each column by semicolons.
func flattenList(out map[string]string, columns []string, prefix string, list []any) {
	for _, column := range columns {
		if !strings.HasPrefix(column, prefix) {
			continue
		}
		parts := make([]string, len(list))
		for i, item := range list {
			flat := map[string]string{}
			object, _ := item.(map[string]any)
			flatten(flat, columns, prefix, object)
			parts[i] = absent
			if value, ok := flat[column]; ok {
				parts[i] = value
			}
		}
		out[column] = orEmpty(strings.Join(parts, ";"))
	}
}

// field writes one value: lists are joined by commas, lists of lists by semicolons, maps are name=value,….
func field(value any) string {
	var parts []string
	separator := ","
	switch value := value.(type) {
	case nil:
		return absent
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			parts = append(parts, name+"="+field(value[name]))
		}
	case []any:
		for _, item := range value {
			if _, isList := item.([]any); isList {
				separator = ";"
			}
			parts = append(parts, field(item))
		}
	default:
		parts = []string{fmt.Sprint(value)}
	}
	return orEmpty(strings.Join(parts, separator))
}

func orEmpty(text string) string {
	if text == "" {
		return empty
	}
	return text
}
