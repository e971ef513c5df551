package receiver_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
)

// TestPublishedEvents holds events that other projects publish against the law, where a copy of
// them lies beside the repository. All other tests of the law bring their own.
func TestPublishedEvents(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "events")
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		t.Log("no published events lie beside the repository: nothing compared here")
		return
	}
	total, decoded := 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, body := range eventsIn(t, path, text) {
			total++
			if checkBody(t, body) {
				decoded++
				e, _, _ := unmarshal(body)
				checkModes(t, e)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if decoded < 40 {
		t.Errorf("the SDK decodes %d of %d events, want 40 at least", decoded, total)
	}
	t.Logf("%d events, of which the SDK decodes %d", total, decoded)
}

// eventsIn returns the events of a file: those of a suite of tests, or the file itself.
func eventsIn(t *testing.T, path string, text []byte) (bodies [][]byte) {
	t.Helper()
	var suite struct {
		Tests []struct{ Event, Batch json.RawMessage }
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if suite.Tests == nil {
		return [][]byte{text}
	}
	for _, test := range suite.Tests {
		if test.Event != nil {
			bodies = append(bodies, test.Event)
		}
		for element, err := range cloudevent.Batch(test.Batch) {
			if err == nil {
				bodies = append(bodies, element)
			}
		}
	}
	return bodies
}
