package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
)

func main() { program().Main() }

func program() runner.Program {
	return runner.Program{
		Name:    "rabbitmq",
		Summary: "rabbitmq divides a stream of CloudEvents among queues of RabbitMQ.",
		Address: runner.Address{Flag: "url", Meaning: "the RabbitMQ server there", Example: "amqp://guest:guest@localhost:5672", Check: check, Required: true},
		Keeps:   true,
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			return open(site, func(m *runner.Member) string { return m.Name })
		},
	}
}

// check says what is wrong with an address. Errors do not show its password.
func check(text string) error {
	if _, err := amqp.ParseURI(text); err != nil {
		return errors.New("-url is malformed; wanted is an address like amqp://guest:guest@localhost:5672")
	}
	return nil
}

// dialTimeout limits connecting.
const dialTimeout = 3 * time.Second

func dial(url string) (*amqp.Connection, error) {
	conn, err := amqp.DialConfig(url, amqp.Config{Dial: amqp.DefaultDial(dialTimeout), Heartbeat: 10 * time.Second, Locale: "en_US"})
	if err == nil {
		return conn, nil
	}
	host := "the address"
	if uri, err := amqp.ParseURI(url); err == nil {
		host = fmt.Sprintf("%s:%d", uri.Host, uri.Port)
	}
	return nil, fmt.Errorf("no RabbitMQ at %s: %s", host, strings.Join(strings.Fields(err.Error()), " "))
}

type engine struct {
	site     *runner.Site
	queue    func(*runner.Member) string
	conn     *amqp.Connection
	publish  *amqp.Channel
	exchange string
}

func open(site *runner.Site, queue func(*runner.Member) string) (runner.Engine, error) {
	conn, err := dial(site.URL)
	if err != nil {
		return nil, err
	}
	e := &engine{site: site, queue: queue, conn: conn, exchange: site.Space}
	if e.publish, err = conn.Channel(); err == nil {
		err = e.publish.Confirm(false)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return e, nil
}

func (e *engine) Describe() string {
	return fmt.Sprintf("RabbitMQ %v at %s", e.conn.Properties["version"], e.conn.RemoteAddr())
}

// Publish returns when the broker has confirmed the event.
func (e *engine) Publish(ctx context.Context, topic string, event runner.Event) error {
	p := amqp.Publishing{ContentType: event.ContentType, Body: event.Body, Headers: amqp.Table{}, DeliveryMode: amqp.Persistent}
	for name, value := range event.Attributes {
		p.Headers["cloudEvents:"+name] = value
	}
	confirmation, err := e.publish.PublishWithDeferredConfirmWithContext(ctx, e.exchange, topic, false, false, p)
	if err != nil {
		return err
	}
	confirmed, err := confirmation.WaitContext(ctx)
	if err == nil && !confirmed {
		err = errors.New("the broker refused the event")
	}
	return err
}

// Join makes the member's queue, and starts its consumer on a connection of its own.
func (e *engine) Join(ctx context.Context, m *runner.Member) (func() error, error) {
	conn, err := dial(e.site.URL)
	if err != nil {
		return nil, err
	}
	ch, err := conn.Channel()
	if err == nil {
		err = declare(ch, e.exchange, e.queue(m), m.Topics)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var loop sync.WaitGroup
	loop.Go(func() {
		m.Fail(consume(running, ch, e.queue(m), m.Filter, &m.Counter, func(d amqp.Delivery, verdict slot.Verdict) error {
			received, err := runner.Read(d.Body, func(name string) string {
				value, _ := d.Headers["cloudEvents:"+name].(string)
				return value
			})
			m.Handle(verdict, received, d.Redelivered, err)
			return nil
		}))
	})
	return func() error {
		stop()
		loop.Wait()
		return conn.Close()
	}, nil
}

// Close deletes the queues and the exchange. A queue that still has events, own or foreign, is an
// error: its member has left and was to acknowledge all.
func (e *engine) Close() error {
	ch, err := e.conn.Channel()
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range e.site.Members {
		n, err := ch.QueuePurge(e.queue(m), false)
		if err == nil && n > 0 {
			err = fmt.Errorf("%d events were left in the queue %s", n, e.queue(m))
		}
		errs = append(errs, err)
		if err == nil {
			_, err = ch.QueueDelete(e.queue(m), false, false, false)
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, ch.ExchangeDelete(e.exchange, false, false), e.conn.Close())...)
}
