package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/slotkey/slotkey/examples/internal/runner"
)

// metadata is what a sidecar says of itself at /v1.0/metadata.
type metadata struct {
	Version       string         `json:"runtimeVersion"`
	Subscriptions []subscription `json:"subscriptions"`
}

type subscription struct {
	Component string `json:"pubsubname"`
	Topic     string `json:"topic"`
	Route     string `json:"route,omitempty"` // in the app's answer at /dapr/subscribe
}

func (e *engine) metadata(ctx context.Context, sidecar string) (m metadata, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return m, get(ctx, e.client, sidecar+"/v1.0/metadata", &m)
}

// subscribed waits until the member's sidecar has subscribed to all its topics. It asks the app for
// them when the app listens.
func (e *engine) subscribed(ctx context.Context, m *runner.Member) error {
	for {
		known, err := e.metadata(ctx, e.sidecars[m.Index])
		if err == nil && !slices.ContainsFunc(m.Topics, func(topic string) bool {
			return !slices.ContainsFunc(known.Subscriptions, func(s subscription) bool { return s.Component == component && s.Topic == topic })
		}) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the sidecar at %s has not subscribed to %q for the app at %s: %w; a sidecar asks its app once, so start it anew for each run",
				e.sidecars[m.Index], m.Topics, e.apps[m.Index], ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// post sends an event, and returns the answer.
func post(ctx context.Context, client *http.Client, url string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", runner.Structured)
	return do(client, request)
}

// get reads JSON.
func get(ctx context.Context, client *http.Client, url string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := do(client, request)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func do(client *http.Client, request *http.Request) ([]byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		return nil, &statusError{request.URL.String(), response.Status, response.StatusCode}
	}
	return answer, err
}

// A statusError is an answer that is not 2xx.
type statusError struct {
	url, status string
	code        int
}

func (e *statusError) Error() string { return e.url + ": " + e.status }
