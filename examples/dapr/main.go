package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/dapr/go-sdk/service/common"
	daprd "github.com/dapr/go-sdk/service/http"
	"github.com/go-chi/chi/v5"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "dapr",
		Summary: "dapr divides a stream of CloudEvents among apps on Dapr.",
		Address: runner.Address{Flag: "url", Meaning: "a sidecar for each member (with -listen)",
			Example: "http://127.0.0.1:3501,http://127.0.0.1:3502", Check: check, PerMember: true},
		Listen: true, Keeps: true, Structured: true,
		Open: func(ctx context.Context, site *runner.Site) (runner.Engine, error) { return open(ctx, site, false) },
	}
}

func check(urls string) error {
	for text := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("-url has %q; wanted is an address like http://127.0.0.1:3501", text)
		}
	}
	return nil
}

// component is the name of the publish and subscribe component.
const component = "pubsub"

type engine struct {
	site     *runner.Site
	client   *http.Client
	topics   *topics  // of the sidecars in this process; nil with a url
	sidecars []string // one for each member
	apps     []string // where each member's app listens
	name     string
}

// open takes whether the sidecars in this process are one consumer group, as Dapr's are by default.
func open(ctx context.Context, site *runner.Site, shared bool) (runner.Engine, error) {
	e := &engine{site: site, client: &http.Client{Transport: &http.Transport{}}, apps: site.Listen}
	for len(e.apps) < len(site.Members) {
		address, err := freePort()
		if err != nil {
			return nil, err
		}
		e.apps = append(e.apps, address)
	}
	e.name = fmt.Sprintf("%d sidecars in this process, by Dapr's HTTP contract", len(site.Members))
	if site.URL == "" {
		e.topics = newTopics(shared)
		for i := range site.Members {
			s, err := e.topics.start("http://"+e.apps[i], site.Fail)
			if err != nil {
				e.Close()
				return nil, err
			}
			e.sidecars = append(e.sidecars, s)
		}
		return e, nil
	}
	e.sidecars = strings.Split(site.URL, ",")
	for _, s := range e.sidecars {
		known, err := e.metadata(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("no Dapr sidecar at %s: %w", s, err)
		}
		e.name = "Dapr " + known.Version + ", " + site.URL
	}
	return e, nil
}

// freePort returns an address of the loopback interface that nobody listens on. The SDK does not
// tell where it listens, so it cannot choose one.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (e *engine) Describe() string { return e.name }

// Stays: real sidecars come again with what failed after a time that the component chooses, from seconds to minutes.
func (e *engine) Stays() (reason string) {
	if e.topics == nil {
		return "when a sidecar comes again is its component's affair"
	}
	return ""
}

// Publish goes through the first sidecar.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	_, err := post(ctx, e.client, e.sidecars[0]+"/v1.0/publish/"+component+"/"+url.PathEscape(topic), event.Body)
	return err
}

// Join starts the member's app, and waits until its sidecar has taken up the subscriptions.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	router := chi.NewRouter()
	router.Use(consume(m.Filter, &m.Counter), number)
	service := daprd.NewServiceWithMux(e.apps[m.Index], router)
	for _, topic := range m.Topics {
		subscription := &common.Subscription{PubsubName: component, Topic: topic, Route: events + topic}
		if err := service.AddTopicEventHandler(subscription, handler(m, topic)); err != nil {
			return nil, err
		}
	}
	var app sync.WaitGroup
	app.Go(func() {
		if err := service.Start(); !errors.Is(err, http.ErrServerClosed) {
			m.Fail(err)
		}
	})
	leave := func() error {
		defer app.Wait()
		return service.GracefulStop()
	}
	if err := e.subscribed(ctx, m); err != nil {
		return nil, errors.Join(err, leave())
	}
	return leave, nil
}

// numberKey is where number leaves what it has read, in a request's context.
type numberKey struct{}

// number reads the event's number, for the proof: the SDK's event has no extension attributes.
func number(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, events) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		received, _ := runner.Read(body, nil)
		r = r.WithContext(context.WithValue(r.Context(), numberKey{}, received.Seq))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// handler is what was there before the filter.
func handler(m *runner.Member, topic string) common.TopicEventHandler {
	kind := slot.Own
	if m.Filter.Rule().Command(topic) {
		kind = slot.Bypass
	}
	return func(ctx context.Context, e *common.TopicEvent) (retry bool, err error) {
		seq, _ := ctx.Value(numberKey{}).(uint64)
		m.Handle(slot.Verdict{Kind: kind}, runner.Received{Seq: seq, ID: e.ID, Subject: e.Subject}, false, nil)
		return false, nil
	}
}

// Close ends the sidecars in this process.
func (e *engine) Close() error {
	if e.topics != nil {
		e.topics.close()
	}
	e.client.CloseIdleConnections()
	return nil
}
