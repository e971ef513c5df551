package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// timeout limits how long one request to the broker may take.
const timeout = 10 * time.Second

// A broker is a JetStream server that processes can reach: one of our own on a free port of the
// loopback interface, or one that runs already.
type broker struct {
	url string
	srv *server.Server // nil with -url
	dir string
}

// openBroker starts a server with its data in a folder of its own, or, given a url, uses what runs
// there. Close it after all connections.
func openBroker(url string) (*broker, error) {
	if url != "" {
		return &broker{url: url}, nil
	}
	dir, err := os.MkdirTemp("", "slotkey-reshard-nats-")
	if err != nil {
		return nil, err
	}
	b := &broker{dir: dir}
	b.srv, err = server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		b.close()
		return nil, fmt.Errorf("embedded nats-server: %w", err)
	}
	b.srv.Start()
	if !b.srv.ReadyForConnections(timeout) {
		b.close()
		return nil, errors.New("embedded nats-server: not ready in time")
	}
	b.url = b.srv.ClientURL()
	return b, nil
}

// describe names the server behind nc.
func (b *broker) describe(nc *nats.Conn) string {
	if b.srv != nil {
		return "nats-server " + nc.ConnectedServerVersion() + ", embedded in this process, at " + nc.ConnectedAddr()
	}
	return "nats-server " + nc.ConnectedServerVersion() + " at " + nc.ConnectedAddr()
}

func (b *broker) close() {
	if b.srv != nil {
		b.srv.Shutdown()
		b.srv.WaitForShutdown()
	}
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}

// connect opens a connection of a process, and JetStream on it.
func connect(ctx context.Context, url, name string) (*nats.Conn, jetstream.JetStream, error) {
	nc, err := nats.Connect(url, nats.Name(name), nats.Timeout(timeout))
	if err != nil {
		return nil, nil, fmt.Errorf("no NATS server: %s", strings.TrimPrefix(err.Error(), "nats: "))
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(1024))
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		err = fmt.Errorf("no JetStream at %s: %s", nc.ConnectedAddr(), strings.TrimPrefix(err.Error(), "nats: "))
		nc.Close()
		return nil, nil, err
	}
	return nc, js, nil
}
