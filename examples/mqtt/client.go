package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/eclipse/paho.golang/autopaho"
)

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

// passing is how a client connects that leaves no session behind, and ends the one that its id had.
func passing(server *url.URL, id string) autopaho.ClientConfig {
	c := config(server, id)
	c.CleanStartOnInitialConnection, c.SessionExpiryInterval = true, 0
	return c
}

// disconnect ends a connection, after the handler.
func disconnect(manager *autopaho.ConnectionManager) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return manager.Disconnect(ctx)
}
