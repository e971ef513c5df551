package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// The topics are a publish and subscribe component within this process, with a sidecar for each
// app. They keep to the HTTP contract of Dapr (https://docs.dapr.io/reference/api/pubsub_api/): a
// sidecar asks its app for subscriptions, posts the envelope to the route, takes any 2xx for
// success unless the answer says RETRY or DROP, takes 404 for DROP, and comes again with what
// failed in another way. There is no dead-letter topic: what an app DROPs is told to the function
// that start was given.
type topics struct {
	shared bool // one consumer group for all apps, and not one for each

	mu       sync.Mutex
	sidecars []*sidecar
	turn     int
	server   []*http.Server
	running  sync.WaitGroup
	ctx      context.Context
	stop     context.CancelFunc
}

func newTopics(shared bool) *topics {
	t := &topics{shared: shared}
	t.ctx, t.stop = context.WithCancel(context.Background())
	return t
}

// A sidecar has one app, and delivers one event after the other.
type sidecar struct {
	app     string
	fail    func(error)
	client  *http.Client
	waiting chan delivery

	mu     sync.Mutex
	routes map[string]string // by topic; nil until the app has answered
}

type delivery struct {
	topic string
	body  []byte
}

// start runs a sidecar and returns its address. fail is told what goes wrong, and of every event that the app drops.
func (t *topics) start(app string, fail func(error)) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &sidecar{app: app, fail: fail, client: &http.Client{Transport: &http.Transport{}}, waiting: make(chan delivery, 4096)}
	api := http.NewServeMux()
	api.HandleFunc("GET /v1.0/metadata", s.metadata)
	api.HandleFunc("POST /v1.0/publish/{component}/{topic}", t.publish)
	server := &http.Server{Handler: api}
	t.mu.Lock()
	t.sidecars, t.server = append(t.sidecars, s), append(t.server, server)
	t.mu.Unlock()
	t.running.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fail(err)
		}
	})
	t.running.Go(func() { s.run(t.ctx) })
	return "http://" + listener.Addr().String(), nil
}

func (t *topics) close() {
	t.stop()
	for _, server := range t.server {
		server.Close()
	}
	t.running.Wait()
}

// publish makes the envelope and gives it to every app, or to the next one of a shared group.
func (t *topics) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	topic := r.PathValue("topic")
	if err == nil {
		body, err = envelope(body, r.PathValue("component"), topic)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turn++
	for i, s := range t.sidecars {
		if !t.shared || t.turn%len(t.sidecars) == i {
			s.waiting <- delivery{topic, body}
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// envelope adds what Dapr adds to a CloudEvent, and orders the names as Dapr does.
func envelope(body []byte, component, topic string) ([]byte, error) {
	var event map[string]any
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, fmt.Errorf("not a CloudEvent: %w", err)
	}
	event["pubsubname"], event["topic"] = component, topic
	return json.Marshal(event)
}

func (s *sidecar) metadata(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := metadata{Version: "stand-in", Subscriptions: []subscription{}}
	for topic := range s.routes {
		m.Subscriptions = append(m.Subscriptions, subscription{Component: component, Topic: topic})
	}
	json.NewEncoder(w).Encode(m)
}

// pause is how often a sidecar tries again. The real ones take seconds.
const pause = 20 * time.Millisecond

func (s *sidecar) run(ctx context.Context) {
	defer s.client.CloseIdleConnections()
	for s.ask(ctx) != nil {
		if !sleep(ctx) {
			return
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-s.waiting:
			for s.deliver(ctx, d) != nil {
				if !sleep(ctx) {
					return
				}
			}
		}
	}
}

func sleep(ctx context.Context) (goOn bool) {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// ask learns the app's subscriptions, once.
func (s *sidecar) ask(ctx context.Context) error {
	var list []subscription
	if err := get(ctx, s.client, s.app+"/dapr/subscribe", &list); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routes = map[string]string{}
	for _, sub := range list {
		s.routes[sub.Topic] = sub.Route
	}
	return nil
}

// deliver posts an event. An error says that it is to be delivered again.
func (s *sidecar) deliver(ctx context.Context, d delivery) error {
	s.mu.Lock()
	route, ok := s.routes[d.topic]
	s.mu.Unlock()
	if !ok {
		return nil
	}
	answer, err := post(ctx, s.client, s.app+route, d.body)
	if refused := (*statusError)(nil); errors.As(err, &refused) && refused.code == http.StatusNotFound {
		s.drop(d, refused.status)
		return nil
	}
	if err != nil {
		return err
	}
	var said struct{ Status string }
	if json.Unmarshal(answer, &said) != nil { // such as no answer
		return nil
	}
	switch said.Status {
	case "", "SUCCESS":
		return nil
	case "DROP":
		s.drop(d, said.Status)
		return nil
	default: // RETRY among them
		return fmt.Errorf("%s%s: %s", s.app, route, said.Status)
	}
}

func (s *sidecar) drop(d delivery, answer string) {
	s.fail(fmt.Errorf("the app at %s answered %s to an event on %s: a real sidecar sends it to the dead-letter topic, if there is one",
		s.app, answer, d.topic))
}
