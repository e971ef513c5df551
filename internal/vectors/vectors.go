// Package vectors reads the conformance vectors for the tests of this module, strictly: what a test would silently not
// run is an error. It imports only the root package, so that every package's tests can use it.
package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/slotkey/slotkey"
)

// A Test is what all tests have in common; a suite's own struct embeds it.
type Test struct {
	ID      int      `json:"id"`
	Comment string   `json:"comment"`
	Spec    string   `json:"spec"` // section of SPEC.md
	Flags   []string `json:"flags"`
}

func (t Test) test() Test { return t }

// String returns the test's number and comment, to tell which one failed.
func (t Test) String() string { return fmt.Sprintf("test %d (%s; SPEC %s)", t.ID, t.Comment, t.Spec) }

// A Row is a struct that embeds [Test] and has a field for everything else that a test of its suite may hold.
type Row interface{ test() Test }

// Load returns the tests of a published file, such as "hash.v1", and fails tb where [Read] has an error.
func Load[T Row](tb testing.TB, stem string, header any) []T {
	tb.Helper()
	tests, err := Read[T](Files(), stem, header)
	if err != nil {
		tb.Fatal(err)
	}
	return tests
}

// Files returns the published files, by their names in testdata/vectors.
func Files() fs.FS {
	files, err := fs.Sub(slotkey.Vectors, "testdata/vectors")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}

// commonHeader is what all files have in common.
type commonHeader struct {
	Algorithm     string            `json:"algorithm"`
	Version       int               `json:"version"`
	Schema        string            `json:"schema"`
	NumberOfTests int               `json:"numberOfTests"`
	Notes         map[string]string `json:"notes"`
}

var commonNames = []string{"algorithm", "version", "schema", "numberOfTests", "notes"}

// Read returns the tests of files' stem.json. A header that is not nil is a pointer to a struct
// that receives what the suite adds to the common fields of a document.
//
// It is an error if the file is missing, a field is missing from the header or is not known, names
// in an object repeat, data follow the document, there are no tests or not as many as
// numberOfTests, ids do not rise, a flag has no note or a note no flag, the schema is missing, or
// the TSV file is missing or says anything else.
func Read[T Row](files fs.FS, stem string, header any) ([]T, error) {
	tests, err := read[T](files, stem, header)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", stem, err)
	}
	return tests, nil
}

func read[T Row](files fs.FS, stem string, header any) ([]T, error) {
	data, err := fs.ReadFile(files, stem+".json")
	if err != nil {
		return nil, err
	}
	if err := unrepeated(data); err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := strict(data, &fields); err != nil {
		return nil, err
	}
	var tests []T
	if err := strict(fields["tests"], &tests); err != nil {
		return nil, fmt.Errorf("tests: %w", err)
	}
	delete(fields, "tests")
	var common commonHeader
	if err := take(fields, commonNames, &common); err != nil {
		return nil, err
	}
	if header == nil {
		header = &struct{}{}
	}
	if err := take(fields, slices.Collect(maps.Keys(fields)), header); err != nil {
		return nil, err
	}
	if err := check(common, tests); err != nil {
		return nil, err
	}
	if want := "schema/" + stem + ".schema.json"; common.Schema != want {
		return nil, fmt.Errorf("schema is %q, want %q", common.Schema, want)
	}
	if _, err := fs.Stat(files, common.Schema); err != nil {
		return nil, err
	}
	return tests, compareTSV(files, stem, data)
}

// take decodes the named fields of an object into a struct, and removes them.
func take(fields map[string]json.RawMessage, names []string, into any) error {
	part := map[string]json.RawMessage{}
	for _, name := range names {
		value, ok := fields[name]
		if !ok {
			return fmt.Errorf("%s is missing", name)
		}
		part[name] = value
		delete(fields, name)
	}
	data, err := json.Marshal(part)
	if err != nil {
		return err
	}
	return strict(data, into)
}

func check[T Row](header commonHeader, tests []T) error {
	if len(tests) == 0 {
		return errors.New("no tests")
	}
	if header.NumberOfTests != len(tests) {
		return fmt.Errorf("numberOfTests is %d, and there are %d", header.NumberOfTests, len(tests))
	}
	last, unused := 0, maps.Clone(header.Notes)
	for _, row := range tests {
		t := row.test()
		if t.ID <= last {
			return fmt.Errorf("id %d after id %d: ids rise from 1", t.ID, last)
		}
		if last = t.ID; t.Comment == "" || t.Spec == "" {
			return fmt.Errorf("test %d lacks a comment or a section of the specification", t.ID)
		}
		for _, flag := range t.Flags {
			if header.Notes[flag] == "" {
				return fmt.Errorf("test %d has the flag %q, which no note explains", t.ID, flag)
			}
			delete(unused, flag)
		}
	}
	for flag := range unused {
		return fmt.Errorf("no test has the flag %q", flag)
	}
	return nil
}

// strict decodes exactly one JSON value that has no field unknown to v.
func strict(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("data after the document")
	}
	return nil
}

// unrepeated reports an object that has a name twice, also when only the case differs:
// encoding/json would take the last, and matches fields of structs without regard to case.
func unrepeated(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	return unrepeatedValue(decoder)
}

func unrepeatedValue(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			name, err := decoder.Token()
			if err != nil {
				return err
			}
			folded := strings.ToLower(name.(string))
			if seen[folded] {
				return fmt.Errorf("the name %q stands in an object twice", name)
			}
			seen[folded] = true
		}
		if err := unrepeatedValue(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
