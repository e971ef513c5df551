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

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/routing"
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

// The transport that is given counts for messages without headers too: on MQTT the topic of a command has slashes.
func TestTransportWithoutHeaders(t *testing.T) {
	const event = `{"id":"1"}`
	for _, test := range []struct {
		form input.Form
		text string
	}{
		{input.JSON, event},
		{input.NDJSON, event + "\n" + event},
		{input.Batch, "[" + event + "," + event + "]"},
		{input.Headers, "content type: Application/CloudEvents-Batch+JSON; x=y\n\n[" + event + "," + event + "]"},
		{input.Headers, "specversion: 1.0\nid: 1\n"},
	} {
		for transport, topic := range map[cloudevent.Transport]string{cloudevent.MQTT: "wrk/demo/command/7", cloudevent.Kafka: "wrk.demo.command.7", 0: "wrk.demo.command.7"} {
			if test.form == input.Headers && transport != cloudevent.MQTT {
				continue // the headers are those of MQTT
			}
			for _, other := range []bool{false, true} {
				o := input.Options{Form: test.form, Transport: transport, Topic: topic}
				if other {
					o.Topic = strings.NewReplacer("/", ".", ".", "/").Replace(topic)
				}
				events := 0
				err := o.Literal("event", test.text, func(e input.Event) error {
					events++
					if got := cloudevent.Route(routing.Rule{}, e.Message).Command(); got == other || e.Transport != transport {
						t.Errorf("%s, transport %d, topic %s, %s: a command: %t; transport %d", test.form, transport, o.Topic, e.Where, got, e.Transport)
					}
					return nil
				})
				if err != nil || events < 1 {
					t.Errorf("%s: %d events, %v", test.form, events, err)
				}
			}
		}
	}
}

// A batch is told as the library tells it.
func TestBatchesAreToldByTheirContentType(t *testing.T) {
	const event = `{"id":"1"}`
	for _, test := range []struct {
		transport cloudevent.Transport
		headers   string
		want      int // events
	}{
		{0, "HTTP/1.1 200 OK\nContent-Type: application/cloudevents-batch+json", 2},
		{cloudevent.HTTP, "CONTENT-TYPE: Application/CloudEvents-Batch+JSON ; charset=utf-8", 2},
		{cloudevent.Kafka, "ce_specversion=1.0\ncontent-type=application/cloudevents-batch+json", 2},
		{cloudevent.AMQP, "content-type: application/cloudevents-batch+json", 2},
		{cloudevent.HTTP, "contenttype: application/cloudevents-batch+json", 1},
		{cloudevent.HTTP, "content-type: application/cloudevent\u017f-batch+json", 1},
		{cloudevent.HTTP, "content-type: application/cloudevents-batch+avro", 1},
		{cloudevent.HTTP, "content-type: application/json\ncontent-type: application/cloudevents-batch+json", 1},
	} {
		got := 0
		o := input.Options{Form: input.Headers, Transport: test.transport}
		if strings.HasPrefix(test.headers, "HTTP/") {
			o.Form = input.HTTP
		}
		err := o.Literal("event", test.headers+"\n\n["+event+","+event+"]", func(input.Event) error { got++; return nil })
		if err != nil || got != test.want {
			t.Errorf("%q: %d events, %v, want %d", test.headers, got, err, test.want)
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
