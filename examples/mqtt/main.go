package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"
	mochi "github.com/mochi-mqtt/server/v2"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "mqtt",
		Summary: "mqtt divides a stream of CloudEvents among subscribers of MQTT 5.",
		Address: runner.Address{Flag: "url", Meaning: "the MQTT 5 broker there", Example: "mqtt://localhost:1883", Check: func(text string) error {
			_, err := parse(text)
			return err
		}},
		Keeps: true,
		Open: func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
			return open(ctx, site, "")
		},
	}
}

type engine struct {
	embedded  *mochi.Server // nil with a url
	server    *url.URL
	publisher *autopaho.ConnectionManager
	site      *runner.Site
	share     string // what subscriptions begin with
}

func open(ctx context.Context, site *runner.Site, share string) (runner.Engine, error) {
	e := &engine{site: site, share: share}
	address := site.URL
	if address == "" {
		var err error
		if e.embedded, address, err = embed("127.0.0.1:0"); err != nil {
			return nil, fmt.Errorf("embedded MQTT broker: %w", err)
		}
	}
	var err error
	if e.server, err = parse(address); err == nil {
		e.publisher, err = connect(ctx, passing(e.server, e.site.Space+"-publisher"))
	}
	if err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

func (e *engine) Describe() string {
	if e.embedded != nil {
		return "mochi-mqtt " + mochi.Version + ", embedded in this process"
	}
	return "MQTT broker at " + e.server.Host
}

// slashes returns a topic as MQTT has it.
func slashes(topic string) string { return strings.ReplaceAll(topic, ".", "/") }

func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	p := &paho.Publish{Topic: slashes(topic), QoS: 1, Payload: event.Body, Properties: &paho.PublishProperties{ContentType: event.ContentType}}
	for name, value := range event.Attributes {
		p.Properties.User.Add(name, value)
	}
	_, err := e.publisher.Publish(ctx, p)
	return err
}

// Join takes up the session that the member had, if it had one.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	var topics []string
	for _, topic := range m.Topics {
		topics = append(topics, e.share+slashes(topic))
	}
	leave, err := consume(ctx, config(e.server, m.Name), topics, m.Filter, &m.Counter, func(p *paho.Publish, verdict slot.Verdict) {
		received, err := runner.Read(p.Payload, p.Properties.User.Get)
		m.Handle(verdict, received, p.Duplicate(), err)
	}, m.Fail)
	if err != nil {
		return nil, err
	}
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		return leave(ctx)
	}, nil
}

// Close ends the members' sessions.
func (e *engine) Close() error {
	defer e.stop()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for _, m := range e.site.Members {
		manager, err := connect(ctx, passing(e.server, m.Name))
		if err != nil {
			return err
		}
		if err := disconnect(manager); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) stop() {
	if e.publisher != nil {
		disconnect(e.publisher)
	}
	if e.embedded != nil {
		e.embedded.Close()
	}
}
