package receiver_test

import (
	"context"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
)

// toEvent is the SDK's decode; panicked is what it panicked with.
func toEvent(m binding.Message) (e *event.Event, panicked any, err error) {
	defer func() { panicked = recover() }()
	e, err = binding.ToEvent(context.Background(), m)
	return e, nil, err
}

func routeOf(key string) routing.Route { return routing.Hashed(hashpin.Sum32String(key)) }
