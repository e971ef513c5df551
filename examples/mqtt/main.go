package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	url       string
	publisher *client
	site      *runner.Site
	share     string // what subscriptions begin with
}

func open(ctx context.Context, site *runner.Site, share string) (runner.Engine, error) {
	e := &engine{site: site, share: share, url: site.URL}
	if e.url == "" {
		var err error
		if e.embedded, e.url, err = embed(); err != nil {
			return nil, fmt.Errorf("embedded MQTT broker: %w", err)
		}
	}
	var err error
	if e.publisher, err = connect(ctx, e.url, e.site.Space+"-publisher", false, nil); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

func (e *engine) Describe() string {
	if e.embedded != nil {
		return "mochi-mqtt " + mochi.Version + ", embedded in this process"
	}
	u, _ := parse(e.url)
	return "MQTT broker at " + u.Host
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

// Join connects with the session that the member had, if it had one, and subscribes.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	c, err := connect(ctx, e.url, m.Name, false, consume(m, func(p *paho.Publish, verdict slot.Verdict) {
		received, err := runner.Read(p.Payload, p.Properties.User.Get)
		m.Handle(verdict, received, p.Duplicate(), err)
	}))
	if err != nil {
		return nil, err
	}
	subscription := &paho.Subscribe{}
	for _, topic := range m.Topics {
		subscription.Subscriptions = append(subscription.Subscriptions, paho.SubscribeOptions{Topic: e.share + slashes(topic), QoS: 1})
	}
	if _, err := c.Subscribe(ctx, subscription); err != nil {
		return nil, errors.Join(err, c.disconnect())
	}
	return c.disconnect, nil
}

// Close ends the members' sessions.
func (e *engine) Close() error {
	defer e.stop()
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	for _, m := range e.site.Members {
		c, err := connect(ctx, e.url, m.Name, true, nil)
		if err != nil {
			return err
		}
		if err := c.disconnect(); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) stop() {
	if e.publisher != nil {
		e.publisher.disconnect()
	}
	if e.embedded != nil {
		e.embedded.Close()
	}
}
