package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Extensions are the names, by their ends, of the files that Load reads in a folder.
var extensions = []string{".json", ".jsonl", ".ndjson"}

// maxFile limits what is read into memory, in bytes.
const maxFile = 512 << 20

// Load reads the events of a file, or of all files of a folder in the order of their names. A file
// is one event in JSON, a JSON array of events (a batch), or several events one after another
// (NDJSON); its name does not matter. In a folder only files that end in .json, .jsonl or .ndjson
// are read, and sub-folders are not. Every error is one line that names the file.
func Load(path string) ([]Event, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		events, err := loadFile(path)
		if err == nil && len(events) == 0 {
			err = fmt.Errorf("%s: no event in this file", path)
		}
		return events, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var all []Event
	files := 0
	for _, entry := range entries {
		if !slices.Contains(extensions, strings.ToLower(filepath.Ext(entry.Name()))) {
			continue
		}
		name := filepath.Join(path, entry.Name())
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			continue
		}
		events, err := loadFile(name)
		if err != nil {
			return nil, err
		}
		files++
		all = append(all, events...)
	}
	switch {
	case files == 0:
		return nil, fmt.Errorf("%s: no file that ends in %s in this folder", path, strings.Join(extensions, ", "))
	case len(all) == 0:
		return nil, fmt.Errorf("%s: no event in the files of this folder", path)
	}
	return all, nil
}

func loadFile(path string) ([]Event, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: more than %d MiB", path, maxFile>>20)
	}
	return Read(path, text)
}

// Read returns the events in text, in its order; name stands in errors and origins. A text of white space has none.
func Read(name string, text []byte) ([]Event, error) {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return nil, fmt.Errorf("%s, line 1: starts with a byte order mark, which JSON does not allow", name)
	}
	var (
		events []Event
		lines  = lineCounter{text: text}
		stream = json.NewDecoder(bytes.NewReader(text))
	)
	for {
		start := skipSpace(text, stream.InputOffset())
		var value json.RawMessage
		if err := stream.Decode(&value); err == io.EOF {
			return events, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, line %d: not JSON: %s", name, lines.at(faultAt(err, text)), strings.TrimPrefix(err.Error(), "json: "))
		}
		if value[0] != '[' {
			e, err := read(fmt.Sprintf("%s, line %d", name, lines.at(start)), value)
			if err != nil {
				return nil, err
			}
			events = append(events, e)
			continue
		}
		var batch []json.RawMessage
		if err := json.Unmarshal(value, &batch); err != nil {
			return nil, fmt.Errorf("%s, line %d: not JSON: %w", name, lines.at(start), err)
		}
		line := lines.at(start)
		for i, value := range batch {
			e, err := read(fmt.Sprintf("%s, line %d, event %d of the batch", name, line, i+1), value)
			if err != nil {
				return nil, err
			}
			events = append(events, e)
		}
	}
}

func read(origin string, value []byte) (Event, error) {
	if value[0] != '{' {
		return Event{}, fmt.Errorf("%s: not a CloudEvent: %s is no JSON object", origin, short(value))
	}
	e, err := Parse(value)
	if err != nil {
		return Event{}, fmt.Errorf("%s: not a CloudEvent: %w", origin, err)
	}
	e.Origin = origin
	return e, nil
}

func short(value []byte) string {
	if len(value) > 40 {
		return string(bytes.ToValidUTF8(value[:40], nil)) + "…"
	}
	return string(value)
}

// faultAt returns the offset that err points to: the end of the text where it stops in the middle of a value.
func faultAt(err error, text []byte) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return min(syntax.Offset-1, int64(len(text)))
	}
	return int64(len(text))
}

func skipSpace(text []byte, from int64) int64 {
	for int(from) < len(text) && strings.IndexByte(" \t\r\n", text[from]) >= 0 {
		from++
	}
	return from
}

// A lineCounter turns rising offsets into line numbers in one pass.
type lineCounter struct {
	text []byte
	done int64
	line int
}

func (c *lineCounter) at(offset int64) int {
	if offset > c.done {
		c.line += bytes.Count(c.text[c.done:offset], []byte("\n"))
		c.done = offset
	}
	return c.line + 1
}
