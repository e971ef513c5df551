package main

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/slot"
)

// startServer starts a NATS server on a free port of the loopback interface.
func startServer() (url string, stop func(), err error) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, MaxPending: 1 << 30})
	if err != nil {
		return "", nil, err
	}
	s.Start()
	stop = func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if !s.ReadyForConnections(10 * time.Second) {
		stop()
		return "", nil, errors.New("the NATS server does not start")
	}
	return s.ClientURL(), stop, nil
}

// window is the number of events after which a publisher looks whether members follow: NATS drops
// what a slow one leaves.
const window = 512

// patience is how long a window may take before it counts as lost.
const patience = time.Minute

// A crew is a publisher and the members of a full group, each with a connection of its own.
type crew struct {
	subject     string
	members     int
	publisher   *nats.Conn
	connections []*nats.Conn
	windows     chan struct{} // one for each window that a member has received
	own         atomic.Int64
	published   int64
}

// hire connects a crew that does w. Its members hold one slot each.
func hire(url, subject string, members int, w work) (*crew, error) {
	c := &crew{subject: subject, members: members, windows: make(chan struct{}, 4*members)}
	for i := range members {
		m, err := slot.New(slot.Config{Group: "bench", Size: members, Index: i})
		if err == nil {
			err = c.join(url, slot.NewFilter(m), w)
		}
		if err != nil {
			c.close()
			return nil, err
		}
	}
	publisher, err := nats.Connect(url)
	if err != nil {
		c.close()
		return nil, err
	}
	c.publisher = publisher
	return c, nil
}

// join adds a member.
func (c *crew) join(url string, f *slot.Filter, w work) error {
	connection, err := nats.Connect(url)
	if err != nil {
		return err
	}
	c.connections = append(c.connections, connection)
	received, own := 0, int64(0)
	s, err := connection.Subscribe(c.subject, func(m *nats.Msg) {
		if w.own(f, m) {
			own++
		}
		if received++; received%window == 0 {
			c.own.Add(own)
			own = 0
			c.windows <- struct{}{}
		}
	})
	if err != nil {
		return err
	}
	if err := s.SetPendingLimits(-1, -1); err != nil {
		return err
	}
	return connection.Flush() // the server knows the subscription
}

// play publishes some windows of events, at most two ahead of the slowest member, and returns when
// all members have received all of them.
func (c *crew) play(messages []*nats.Msg, windows int) error {
	for w := range windows {
		for i := range window {
			m := messages[i%len(messages)]
			m.Subject = c.subject
			if err := c.publisher.PublishMsg(m); err != nil {
				return err
			}
		}
		if err := c.publisher.Flush(); err != nil {
			return err
		}
		c.published += window
		if w > 0 {
			if err := c.wait(); err != nil {
				return err
			}
		}
	}
	return c.wait()
}

// wait waits until the members have received as many windows, in sum, as one window for each.
func (c *crew) wait() error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for range c.members {
		select {
		case <-c.windows:
		case <-late.C:
			return errors.New("a member lost events")
		}
	}
	return nil
}

func (c *crew) close() {
	for _, connection := range c.connections {
		connection.Close()
	}
	if c.publisher != nil {
		c.publisher.Close()
	}
}
