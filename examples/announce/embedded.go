package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/nats-io/nats-server/v2/server"
)

// embedNATS starts a NATS server with JetStream in this process, on a free port of the loopback
// interface, for the members' processes.
func embedNATS() (url string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "announce-jetstream-")
	if err != nil {
		return "", nil, err
	}
	srv, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true,
	})
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("embedded nats-server: %w", err)
	}
	srv.Start()
	stop = func() {
		srv.Shutdown()
		srv.WaitForShutdown()
		os.RemoveAll(dir)
	}
	if !srv.ReadyForConnections(5 * time.Second) {
		stop()
		return "", nil, errors.New("embedded nats-server: not ready in time")
	}
	return srv.ClientURL(), stop, nil
}

// embedRedis starts miniredis in this process. Its keys grow older only when it is told to, so a goroutine tells it.
func embedRedis() (url string, stop func(), err error) {
	srv := miniredis.NewMiniRedis()
	if err := srv.Start(); err != nil {
		return "", nil, fmt.Errorf("embedded Redis: %w", err)
	}
	done := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		last := time.Now()
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-ticker.C:
				srv.FastForward(now.Sub(last))
				last = now
			}
		}
	})
	return "redis://" + srv.Addr(), func() {
		close(done)
		ticking.Wait()
		srv.Close()
	}, nil
}
