package main

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"sync/atomic"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
)

// embed starts a broker that keeps nothing on disk. It returns where it listens.
func embed(address string) (*mochi.Server, string, error) {
	capabilities := mochi.NewDefaultServerCapabilities()
	capabilities.MaximumMessageExpiryInterval = 0 // none: see inOrder
	server := mochi.New(&mochi.Options{Capabilities: capabilities, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err := errors.Join(server.AddHook(new(auth.AllowHook), nil), server.AddHook(new(inOrder), nil)); err != nil {
		return nil, "", err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, "", err
	}
	if err := errors.Join(server.AddListener(listeners.NewNet("tcp", listener)), server.Serve()); err != nil {
		return nil, "", errors.Join(err, server.Close())
	}
	return server, "mqtt://" + listener.Addr().String(), nil
}

// inOrder gives publications numbers in place of times. mochi-mqtt sends what waited for a client
// in the order of the second in which it came, and in any order within one; MQTT demands the order
// of publishing (section 4.6 of the standard), as mosquitto has it.
type inOrder struct {
	mochi.HookBase
	last atomic.Int64
}

func (*inOrder) ID() string { return "in-order" }

func (*inOrder) Provides(hook byte) bool { return hook == mochi.OnPublish }

func (h *inOrder) OnPublish(_ *mochi.Client, p packets.Packet) (packets.Packet, error) {
	p.Created = h.last.Add(1)
	return p, nil
}
