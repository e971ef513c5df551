package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/slotkey/slotkey/examples/internal/runner"
)

// timeout limits probing, and stopping a server.
const timeout = 3 * time.Second

// nameHeader tells who answered a probe.
const nameHeader = "Demo-Member"

// probe looks whether each address leads to its member, and to no other.
func (e *engine) probe(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for _, m := range e.site.Members {
		stop, serveErr := e.serve(m.Index, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(nameHeader, m.Name) }))
		if serveErr != nil {
			return serveErr
		}
		defer func() {
			e.client.CloseIdleConnections()
			err = errors.Join(err, stop())
		}()
	}
	for range len(e.site.Members) + 1 { // a load balancer takes turns
		for _, m := range e.site.Members {
			if err := e.ask(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *engine) ask(ctx context.Context, m *runner.Member) error {
	target := e.target[m.Index]
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	response, err := e.client.Do(request)
	if err != nil {
		return fmt.Errorf("%s cannot be reached: %w", m.Name, err)
	}
	response.Body.Close()
	switch name := response.Header.Get(nameHeader); name {
	case m.Name:
		return nil
	case "":
		return fmt.Errorf("%s does not lead to %s, which listens on %s: another server answers, %s", target, m.Name, e.listen[m.Index], response.Status)
	default:
		return fmt.Errorf("%s leads to %s as well as to %s: a load balancer gives each event to one member, which most often drops it; post to each", target, name, m.Name)
	}
}
