package main

import (
	"context"

	"github.com/dapr/go-sdk/service/common"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// divide puts the filter around a handler. The event is decoded by then, and over gRPC it has lost
// its subject: see intercept. The topic is that of the subscription.
func divide(filter *slot.Filter, counter *slot.Counter, topic string, next common.TopicEventHandler) common.TopicEventHandler {
	return func(ctx context.Context, e *common.TopicEvent) (retry bool, err error) {
		verdict := counter.Count(filter.Decide(routing.Event{Topic: topic, Subject: e.Subject, ID: e.ID}))
		if !verdict.Admit() {
			return false, nil // another member has it; an error would dead-letter it
		}
		return next(ctx, e)
	}
}
