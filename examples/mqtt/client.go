package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"
)

// dialTimeout limits connecting and disconnecting.
const dialTimeout = 3 * time.Second

// sessionExpiry is how long, in seconds, the broker keeps the session of a member that is away.
const sessionExpiry = 3600

var schemes = []string{"mqtt", "tcp", "mqtts", "tls", "ssl", "ws", "wss"}

// parse reads an address. Errors do not show its password.
func parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("-url is malformed; wanted is an address like mqtt://localhost:1883")
	case !slices.Contains(schemes, u.Scheme) || u.Host == "":
		return nil, fmt.Errorf("-url is %q; wanted is an address like mqtt://localhost:1883, with one of the schemes %s", u.Redacted(), strings.Join(schemes, ", "))
	}
	return u, nil
}

// A client is a connection that is made again when it breaks.
type client struct {
	*autopaho.ConnectionManager
}

// connect opens a client. A clean one ends the session that its id had, and keeps none.
func connect(ctx context.Context, address, id string, clean bool, received func(paho.PublishReceived) (bool, error)) (*client, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	var last atomic.Value // of type error, in a box, as types of errors differ
	type box struct{ error }
	config := autopaho.ClientConfig{
		ServerUrls: []*url.URL{u}, KeepAlive: 20, ConnectTimeout: dialTimeout,
		CleanStartOnInitialConnection: clean, SessionExpiryInterval: sessionExpiry,
		ReconnectBackoff: autopaho.NewConstantBackoff(200 * time.Millisecond),
		OnConnectError:   func(err error) { last.Store(box{err}) },
		ClientConfig:     paho.ClientConfig{ClientID: id},
		ConnectPacketBuilder: func(c *paho.Connect, _ *url.URL) (*paho.Connect, error) {
			if c.Properties == nil {
				c.Properties = &paho.ConnectProperties{}
			}
			c.Properties.RequestProblemInfo = true // without it some brokers take the user properties off publications
			return c, nil
		},
	}
	if clean {
		config.SessionExpiryInterval = 0
	}
	if received != nil {
		config.OnPublishReceived = []func(paho.PublishReceived) (bool, error){received}
	}
	if u.User != nil {
		password, _ := u.User.Password()
		config.ConnectUsername, config.ConnectPassword = u.User.Username(), []byte(password)
	}
	manager, err := autopaho.NewConnection(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, err
	}
	c := &client{manager}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if err := manager.AwaitConnection(ctx); err != nil {
		if b, ok := last.Load().(box); ok {
			err = b.error
		}
		c.disconnect()
		return nil, fmt.Errorf("no MQTT 5 broker at %s: %s", u.Host, strings.Join(strings.Fields(err.Error()), " "))
	}
	return c, nil
}

// disconnect ends the connection, after the handler, and keeps the session.
func (c *client) disconnect() error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	return c.Disconnect(ctx)
}
