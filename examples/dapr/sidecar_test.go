package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// The sidecars in this process do with an answer what real ones do, and tell of what is dropped.
func TestSidecarAnswers(t *testing.T) {
	var posts []string
	answers := map[string][]func(http.ResponseWriter){ // by event, one after the other
		"no content": {status(http.StatusNoContent, "")},
		"success":    {status(http.StatusOK, `{"status":"SUCCESS"}`)},
		"text":       {status(http.StatusOK, "fine")},
		"retry":      {status(http.StatusOK, `{"status":"RETRY"}`), status(http.StatusOK, "")},
		"unknown":    {status(http.StatusOK, `{"status":"LATER"}`), status(http.StatusOK, "")},
		"error":      {status(http.StatusInternalServerError, ""), status(http.StatusOK, "")},
		"drop":       {status(http.StatusOK, `{"status":"DROP"}`)},
		"not found":  {status(http.StatusNotFound, "")},
	}
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/dapr/subscribe" {
			w.Write([]byte(`[{"pubsubname":"pubsub","topic":"t","route":"/events/t"}]`))
			return
		}
		var event struct{ ID string }
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
			t.Error(err)
		}
		posts = append(posts, event.ID)
		list := answers[event.ID]
		if len(list) == 0 {
			t.Errorf("%s came once more than it should", event.ID)
			return
		}
		answers[event.ID] = list[1:]
		list[0](w)
	}))
	defer app.Close()
	running, told := newTopics(false), make(chan error, 10)
	defer running.close()
	sidecar, err := running.start(app.URL, func(err error) { told <- err })
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, id := range []string{"no content", "success", "text", "retry", "unknown", "error", "drop", "not found"} {
		e := `{"specversion":"1.0","type":"t","source":"s","id":"` + id + `"}`
		if _, err := post(t.Context(), client, sidecar+"/v1.0/publish/pubsub/t", []byte(e)); err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{"answered DROP to an event on t", "answered 404 Not Found to an event on t"} {
		select {
		case err := <-told:
			if !strings.Contains(err.Error(), want) {
				t.Errorf("told %v, want %s", err, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("not told of %s", want)
		}
	}
	want := []string{"no content", "success", "text", "retry", "retry", "unknown", "unknown", "error", "error", "drop", "not found"}
	if !slices.Equal(posts, want) {
		t.Errorf("posted %q, want %q", posts, want)
	}
}

func status(code int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(code)
		w.Write([]byte(body))
	}
}
