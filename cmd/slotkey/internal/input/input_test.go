package input_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
)

// Lines are those that splitting the whole gives, however the reader hands them over.
func TestLinesAreThoseOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte("ab\r\n"))).Draw(t, "text")
		text = bytes.ReplaceAll(text, []byte("b"), bytes.Repeat([]byte("b"), rapid.SampledFrom([]int{1, 7, 70_000}).Draw(t, "long")))
		reader := rapid.SampledFrom([]func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader,
		}).Draw(t, "reader")
		want := strings.Split(string(text), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		var got []string
		err := input.Lines(reader(bytes.NewReader(text)), func(line []byte) error {
			got = append(got, string(line))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d lines (%v), want %d", len(got), err, len(want))
		}
	})
}

func TestLinesEndWithTheErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := input.Lines(iotest.ErrReader(broken), func([]byte) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	if err := input.Lines(strings.NewReader("a\nb"), func([]byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	endless := io.MultiReader(strings.NewReader("a\n"), endlessLine{})
	if err := input.Lines(endless, func([]byte) error { return nil }); err == nil || !strings.Contains(err.Error(), fmt.Sprint(input.MaxLine)) {
		t.Errorf("an endless line: got %v, want an error with the limit", err)
	}
}

type endlessLine struct{}

func (endlessLine) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestForms(t *testing.T) {
	const event = `{"id":"1"}`
	for _, test := range []struct {
		path, text string
		want, keys input.Form // without and with KeysFirst
	}{
		{"x", event, input.JSON, input.JSON},
		{"x", "\n  " + event + "\n", input.JSON, input.JSON},
		{"x", event + "\n" + event, input.NDJSON, input.NDJSON},
		{"x", event + "\n\n" + event, input.NDJSON, input.NDJSON},
		{"x", event + "\noops", input.NDJSON, input.NDJSON},
		{"x", "{\"id\":1}\n" + event, input.NDJSON, input.NDJSON},
		{"x", "{\"id\n" + event, input.NDJSON, input.NDJSON},
		{"x", "{\n\"id\":\"1\"\n}\n", input.JSON, input.JSON},
		{"x", "{\n\"id\":\n{}}", input.JSON, input.JSON},
		{"x.ndjson", event, input.NDJSON, input.Keys},
		{"x", " [" + event + "]", input.Batch, input.Batch},
		{"x", "HTTP/1.1 200 OK\r\n\r\n{}", input.HTTP, input.HTTP},
		{"x", "HTTP/2 200\r\n\r\n{}", input.HTTP, input.HTTP},
		{"x", "POST /events HTTP/1.1\r\nce-id: 1\r\n\r\n", input.HTTP, input.HTTP},
		{"x", "NATS/1.0\r\nce-id: 1\r\n\r\n", input.Headers, input.Keys},
		{"x", "ce_id=1\n", input.Headers, input.Keys},
		{"x", "cloudEvents:id: 1\n", input.Headers, input.Keys},
		{"x", "order:7\n", input.Headers, input.Keys},
		{"x", "no event\n", input.JSON, input.Keys},
		{"x", "", input.JSON, input.Keys},
	} {
		if test.path == "x.ndjson" {
			test.keys = input.NDJSON // it begins with a brace
		}
		for _, keysFirst := range []bool{false, true} {
			want := test.want
			if keysFirst {
				want = test.keys
			}
			got := input.Options{KeysFirst: keysFirst}.FormOf(test.path, input.NewReader(strings.NewReader(test.text)))
			if got != want {
				t.Errorf("%s with %q (keys first: %t): got %s, want %s", test.path, test.text, keysFirst, got, want)
			}
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a/c", "a/.d", ".e/f", "g/h/i"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(name), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(dir, filepath.Join(dir, "a", "loop")), os.Symlink(filepath.Join(dir, "g"), filepath.Join(t.TempDir(), "link"))); err != nil {
		t.Fatal(err)
	}
	files, err := input.Find([]string{dir, "-", filepath.Join(dir, "a/.d")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, strings.TrimPrefix(f.Path, dir+"/"))
	}
	if want := []string{"a/c", "b", "g/h/i", "-", "a/.d"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if total := input.Total(files); total != -1 {
		t.Errorf("the total with standard input is %d, want -1", total)
	}
	if total := input.Total(files[:3]); total != 3+1+5 {
		t.Errorf("the total is %d, want 9", total)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "g"), link); err != nil {
		t.Fatal(err)
	}
	if files, err := input.Find([]string{link}); err != nil || len(files) != 1 {
		t.Errorf("a link to a folder: got %v, %v, want its one file", files, err)
	}
}
