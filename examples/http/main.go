package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "http",
		Summary: "http divides a stream of CloudEvents among receivers of webhooks.",
		Address: runner.Address{Flag: "url", Meaning: "an address for each member (with -listen)",
			Example: "http://a.example:8080,http://b.example:8080", Check: check, PerMember: true},
		Listen: true,
		Open:   open,
	}
}

func check(urls string) error {
	for text := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("-url has %q; wanted is an address like http://localhost:8080", text)
		}
	}
	return nil
}

type engine struct {
	site   *runner.Site
	client *http.Client
	mu     sync.Mutex
	listen []string // where each member listens
	target []string // where the publisher posts for each member
	joined []bool
}

func open(ctx context.Context, site *runner.Site) (runner.Engine, error) {
	n := len(site.Members)
	e := &engine{site: site, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}},
		listen: make([]string, n), target: make([]string, n), joined: make([]bool, n)}
	for i := range n {
		e.listen[i] = "127.0.0.1:0"
		if site.Listen != nil {
			e.listen[i] = site.Listen[i]
		}
	}
	if site.URL == "" {
		return e, nil
	}
	for i, target := range strings.Split(site.URL, ",") {
		e.target[i] = strings.TrimSuffix(target, "/")
	}
	if err := e.probe(ctx); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *engine) Describe() string {
	return fmt.Sprintf("none; %d HTTP servers in this process, and a publisher that posts to each", len(e.listen))
}

// Publish posts to every member at once, and returns when all have answered. A member that is away
// has no answer, and no second chance.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	var posts sync.WaitGroup
	failed := make([]error, len(e.listen))
	for i := range e.listen {
		e.mu.Lock()
		target, joined := e.target[i], e.joined[i]
		e.mu.Unlock()
		posts.Go(func() {
			if err := e.post(ctx, target+"/"+strings.ReplaceAll(topic, ".", "/"), event); joined {
				failed[i] = err
			}
		})
	}
	posts.Wait()
	return cmp.Or(failed...)
}

func (e *engine) post(ctx context.Context, url string, event runner.Event) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(event.Body))
	if err != nil {
		return err
	}
	if event.ContentType != "" {
		request.Header.Set("Content-Type", event.ContentType)
	}
	for name, value := range event.Attributes {
		request.Header.Set("ce-"+name, value)
	}
	response, err := e.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return err
}

func (e *engine) Join(_ context.Context, m *runner.Member) (func() error, error) {
	handler, err := consume(m.Filter, &m.Counter, work(m))
	if err != nil {
		return nil, err
	}
	stop, err := e.serve(m.Index, handler)
	if err != nil {
		return nil, err
	}
	e.join(m.Index, true)
	return func() error {
		e.join(m.Index, false)
		return stop()
	}, nil
}

func (e *engine) join(i int, joined bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.joined[i] = joined
}

// serve listens for a member. The returned function lets the requests that have come be answered.
func (e *engine) serve(i int, handler http.Handler) (stop func() error, err error) {
	listener, err := net.Listen("tcp", e.listen[i])
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.listen[i] = listener.Addr().String() // the same when it comes back
	e.target[i] = cmp.Or(e.target[i], "http://"+e.listen[i])
	e.mu.Unlock()
	server := &http.Server{Handler: handler}
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			e.site.Fail(err)
		}
	})
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		defer serving.Wait()
		return server.Shutdown(ctx)
	}, nil
}

// work is the handler that was there before the filter.
func work(m *runner.Member) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		kind := slot.Own
		if m.Filter.Rule().Command(topic(r)) {
			kind = slot.Bypass
		}
		received, err := runner.Read(body, func(attribute string) string { return r.Header.Get("ce-" + attribute) })
		m.Handle(slot.Verdict{Kind: kind}, received, false, err)
	})
}

func (e *engine) Close() error {
	e.client.CloseIdleConnections()
	return nil
}
