package main

import (
	"context"

	pb "github.com/dapr/dapr/pkg/proto/runtime/v1"
	"google.golang.org/grpc"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// intercept is the filter for a service over gRPC. The sidecar puts every attribute that the
// request has no field for, and subject is one, into its extensions; the SDK does not look there,
// so this does, before the SDK:
//
//	daprd.NewServiceWithListener(listener, grpc.UnaryInterceptor(intercept(filter, counter)))
func intercept(filter *slot.Filter, counter *slot.Counter) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		e, ok := request.(*pb.TopicEventRequest)
		if !ok {
			return next(ctx, request) // subscriptions, invocations and so on
		}
		subject := e.GetExtensions().GetFields()["subject"].GetStringValue()
		verdict := counter.Count(filter.Decide(routing.Event{Topic: e.GetTopic(), Subject: subject, ID: e.GetId()}))
		if !verdict.Admit() {
			return &pb.TopicEventResponse{Status: pb.TopicEventResponse_SUCCESS}, nil // another member has it
		}
		return next(ctx, request)
	}
}
