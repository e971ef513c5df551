// Package natsbroker opens the NATS broker of an example: a real server inside the process, or one that runs already.
package natsbroker

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// timeout limits how long opening a connection, or starting the server, may take.
const timeout = 3 * time.Second

// A Broker is a way to connect. Close it after all of its connections.
type Broker struct {
	url  string         // of a running server or cluster; empty: embedded
	srv  *server.Server // nil with a url
	dir  string         // where an embedded JetStream stores, until Close
	lost func(error)
}

// Open starts a server in this process, without a port, or, given a url (several with commas
// between), uses what runs there. lost is called, from any goroutine, with what breaks a connection
// later on: no example goes on with a gap in its stream.
func Open(url string, lost func(error)) (*Broker, error) {
	return open(url, lost, &server.Options{DontListen: true, NoLog: true, NoSigs: true})
}

// OpenJetStream is Open, and a server in this process has JetStream, which stores into a folder of its own until Close.
func OpenJetStream(url string, lost func(error)) (*Broker, error) {
	if url != "" {
		return open(url, lost, nil)
	}
	dir, err := os.MkdirTemp("", "jetstream-")
	if err != nil {
		return nil, err
	}
	b, err := open("", lost, &server.Options{DontListen: true, NoLog: true, NoSigs: true, JetStream: true, StoreDir: dir})
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	b.dir = dir
	return b, nil
}

func open(url string, lost func(error), o *server.Options) (*Broker, error) {
	b := &Broker{url: url, lost: lost}
	if url != "" {
		return b, nil
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("embedded nats-server: %w", err)
	}
	srv.Start()
	b.srv = srv
	if !srv.ReadyForConnections(timeout) {
		b.Close()
		return nil, errors.New("embedded nats-server: not ready in time")
	}
	return b, nil
}

// Connect opens a connection. Its name shows in the server's own lists. More options come last, and so win.
func (b *Broker) Connect(name string, more ...nats.Option) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.Timeout(timeout), nats.NoReconnect(),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			if sub != nil {
				err = fmt.Errorf("%s: %w", sub.Subject, err)
			}
			b.lost(fmt.Errorf("%s: %w", name, err))
		}),
		nats.NoCallbacksAfterClientClose(), // so that closed means: not by us
		nats.ClosedHandler(func(nc *nats.Conn) {
			b.lost(fmt.Errorf("%s: connection lost: %w", name, cmp.Or(nc.LastError(), io.EOF)))
		}),
	}
	options = append(options, more...)
	if b.srv != nil {
		return nats.Connect("", append(options, nats.InProcessServer(b.srv))...)
	}
	nc, err := nats.Connect(b.url, options...)
	if err != nil {
		return nil, fmt.Errorf("no NATS server at %s: %s", redact(b.url), strings.TrimPrefix(err.Error(), "nats: "))
	}
	return nc, nil
}

// Embedded reports whether the server runs in this process, for nobody else.
func (b *Broker) Embedded() bool { return b.srv != nil }

// Describe names the server behind nc.
func (b *Broker) Describe(nc *nats.Conn) string {
	if b.srv != nil {
		return "nats-server " + nc.ConnectedServerVersion() + ", embedded in this process"
	}
	return "nats-server " + nc.ConnectedServerVersion() + " at " + redact(b.url)
}

// Close stops an embedded server, waits until it has stopped, and removes what it stored.
func (b *Broker) Close() {
	if b.srv != nil {
		b.srv.Shutdown()
		b.srv.WaitForShutdown()
	}
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}
