package payload_test

import (
	"encoding/json"
	"testing"

	"github.com/slotkey/slotkey/bench/internal/payload"
)

// Each form is a JSON object of the wanted size with its attributes, and events of two seeds differ.
func TestEvents(t *testing.T) {
	for _, size := range []int{300, 1 << 10, 1536, 64 << 10} {
		for name, form := range map[string]payload.Form{"dense": payload.Dense, "prose": payload.Prose, "base64": payload.Base64} {
			if size == 300 && form != payload.Dense {
				continue // their padding wants more room
			}
			e := payload.New(7, size, form)
			for _, body := range [][]byte{e.Early(), e.Late()} {
				if got, want := len(body), size; got != want {
					t.Errorf("%s: %d bytes, want %d", name, got, want)
				}
				var got map[string]any
				if err := json.Unmarshal(body, &got); err != nil {
					t.Fatalf("%s, %d bytes: %v", name, size, err)
				}
				if got["subject"] != e.Subject || len(got) != 9 {
					t.Errorf("%s: subject %v of %d members, want %q of 9", name, got["subject"], len(got), e.Subject)
				}
			}
			other := payload.New(8, size, form)
			if other.Subject == e.Subject || other.Data == e.Data {
				t.Errorf("%s, %d bytes: seeds 7 and 8 give the same", name, size)
			}
		}
	}
}

// The early form ends with the data, the late one begins with it, and the form with two subjects
// ends with the right one.
func TestPositions(t *testing.T) {
	e := payload.New(1, 300, payload.Dense)
	early, late, twice := string(e.Early()), string(e.Late()), string(e.Twice())
	if got, want := early[len(early)-len(e.Data)-1:], e.Data+"}"; got != want {
		t.Errorf("early ends with %s, want %s", got, want)
	}
	if got, want := late[:len(e.Data)+8], `{"data":`+e.Data; got != want {
		t.Errorf("late begins with %s, want %s", got, want)
	}
	var last struct{ Subject string }
	if err := json.Unmarshal([]byte(twice), &last); err != nil || last.Subject != e.Subject {
		t.Errorf("last subject %q, %v; want %q", last.Subject, err, e.Subject)
	}
}

func TestHeaders(t *testing.T) {
	e := payload.New(1, 300, payload.Dense)
	h := e.Header()
	if got, want := h.Get("ce-subject"), e.Subject; got != want {
		t.Errorf("Ce-Subject %q, want %q", got, want)
	}
	if got, want := h.Get("content-type"), "application/json"; got != want {
		t.Errorf("Content-Type %q, want %q", got, want)
	}
	got := map[string]string{}
	e.Headers("ce_", func(name, value string) { got[name] = value })
	if len(got) != 8 || got["ce_subject"] != e.Subject || got["content-type"] != "application/json" {
		t.Errorf("headers %v", got)
	}
}

func TestKeys(t *testing.T) {
	for _, length := range []int{8, 36, 100} {
		seen := map[string]bool{}
		for _, key := range payload.Keys(length, 64) {
			if len(key) != length {
				t.Errorf("length %d: %q has %d bytes", length, key, len(key))
			}
			seen[key] = true
		}
		if got, want := len(seen), 64; got != want {
			t.Errorf("length %d: %d different keys, want %d", length, got, want)
		}
	}
}
