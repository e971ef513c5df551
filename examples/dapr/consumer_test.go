package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	pb "github.com/dapr/dapr/pkg/proto/runtime/v1"
	"github.com/dapr/go-sdk/service/common"
	dgrpc "github.com/dapr/go-sdk/service/grpc"
	daprd "github.com/dapr/go-sdk/service/http"
	"github.com/go-chi/chi/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

// member returns one member of two, and a subject of its own and one of the other's. The id of own
// events is foreign, and that of foreign ones is own, so that a verdict by id is another.
func member(t *testing.T) (filter *slot.Filter, own, foreign [2]string) {
	place, err := slot.New(slot.Config{Group: "demo", Size: 2, Index: 0})
	if err != nil {
		t.Fatal(err)
	}
	mine, others := slottest.Keys(t, 2, 0, 2), slottest.Keys(t, 2, 1, 2)
	return slot.NewFilter(place), [2]string{mine[0], others[0]}, [2]string{others[1], mine[1]}
}

func body(e [2]string) string {
	return `{"specversion":"1.0","type":"t","source":"s","subject":"` + e[0] + `","id":"` + e[1] + `","topic":"t","pubsubname":"pubsub"}`
}

// service starts an app over HTTP without its port, and returns how to post to it.
func service(t *testing.T, handle common.TopicEventHandler, middleware ...func(http.Handler) http.Handler) (postTo func(body string) *httptest.ResponseRecorder) {
	t.Helper()
	router := chi.NewRouter()
	router.Use(middleware...)
	s := daprd.NewServiceWithMux("", router)
	if err := s.AddTopicEventHandler(&common.Subscription{PubsubName: "pubsub", Topic: "t", Route: events + "t"}, handle); err != nil {
		t.Fatal(err)
	}
	return func(body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, events+"t", strings.NewReader(body))
		r.Header.Set("Content-Type", runner.Structured)
		router.ServeHTTP(w, r)
		return w
	}
}

// Over HTTP both ways see the subject.
func TestHTTP(t *testing.T) {
	filter, own, foreign := member(t)
	counter := new(slot.Counter)
	var handled []string
	handle := func(_ context.Context, e *common.TopicEvent) (bool, error) {
		handled = append(handled, e.Subject)
		return false, nil
	}
	for name, postTo := range map[string]func(string) *httptest.ResponseRecorder{
		"in front of the SDK": service(t, handle, consume(filter, counter)),
		"around the handler":  service(t, divide(filter, counter, "t", handle)),
	} {
		handled = nil
		if w := postTo(body(own)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "SUCCESS") {
			t.Errorf("%s: own event: %d %s", name, w.Code, w.Body)
		}
		if w := postTo(body(foreign)); w.Code >= 300 || strings.Contains(w.Body.String(), "DROP") || strings.Contains(w.Body.String(), "RETRY") {
			t.Errorf("%s: foreign event: %d %s", name, w.Code, w.Body)
		}
		if len(handled) != 1 || handled[0] != own[0] {
			t.Errorf("%s: handled %q, want %q", name, handled, own[0])
		}
	}
}

// What a handler returns is what the SDK answers: only an error drops an event.
func TestAnswers(t *testing.T) {
	filter, own, foreign := member(t)
	var retry bool
	var err error
	handle := func(context.Context, *common.TopicEvent) (bool, error) { return retry, err }
	bare, filtered := service(t, handle), service(t, handle, consume(filter, new(slot.Counter)))
	around := service(t, divide(filter, new(slot.Counter), "t", handle))
	failed := errors.New("it failed")
	for _, c := range []struct {
		name   string
		postTo func(string) *httptest.ResponseRecorder
		event  [2]string
		retry  bool
		err    error
		code   int
		want   string
	}{
		{"handled", bare, own, false, nil, http.StatusOK, "SUCCESS"},
		{"an error", bare, own, false, failed, http.StatusOK, "DROP"},
		{"an error that asks for more", bare, own, true, failed, http.StatusOK, "RETRY"},
		{"more without an error", bare, own, true, nil, http.StatusOK, "SUCCESS"},
		{"own, an error, behind the filter", filtered, own, false, failed, http.StatusOK, "DROP"},
		{"foreign, to the filter", filtered, foreign, false, failed, http.StatusNoContent, ""},
		{"own, an error, in the handler", around, own, false, failed, http.StatusOK, "DROP"},
		{"foreign, to the filter around a handler", around, foreign, false, failed, http.StatusOK, "SUCCESS"},
	} {
		retry, err = c.retry, c.err
		w := c.postTo(body(c.event))
		var said struct{ Status string }
		if w.Body.Len() > 0 {
			if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if w.Code != c.code || said.Status != c.want {
			t.Errorf("%s: got %d %s, want %d %q", c.name, w.Code, w.Body, c.code, c.want)
		}
	}
}

// Without a filter the app takes nothing, and says so: a sidecar comes again with each event.
func TestNoFilterFailsClosed(t *testing.T) {
	handle := func(context.Context, *common.TopicEvent) (bool, error) {
		t.Error("handled without a filter")
		return false, nil
	}
	_, own, foreign := member(t)
	postTo := service(t, handle, consume(nil, new(slot.Counter)))
	for _, e := range [][2]string{own, foreign} {
		if w := postTo(body(e)); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "filter") {
			t.Errorf("got %d %s, want 500 and the reason", w.Code, w.Body)
		}
	}
}

// grpcService starts an app over gRPC, and returns a client as the sidecar is one.
func grpcService(t *testing.T, handle common.TopicEventHandler, options ...grpc.ServerOption) pb.AppCallbackClient {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := dgrpc.NewServiceWithListener(listener, options...)
	if err := s.AddTopicEventHandler(&common.Subscription{PubsubName: "pubsub", Topic: "t", Route: events + "t"}, handle); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- s.Start() }()
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	client := pb.NewAppCallbackClient(conn)
	if _, err := client.ListTopicSubscriptions(t.Context(), nil, grpc.WaitForReady(true)); err != nil {
		t.Error(err)
	}
	t.Cleanup(func() {
		conn.Close()
		if err := s.GracefulStop(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return client
}

// request is what the sidecar sends: attributes without a field of their own are extensions.
func request(t *testing.T, e [2]string) *pb.TopicEventRequest {
	extensions, err := structpb.NewStruct(map[string]any{"subject": e[0], "topic": "t", "pubsubname": "pubsub"})
	if err != nil {
		t.Fatal(err)
	}
	return &pb.TopicEventRequest{Id: e[1], Source: "s", Type: "t", SpecVersion: "1.0", Topic: "t", PubsubName: "pubsub", Extensions: extensions}
}

// Over gRPC the SDK's event has no subject: a filter around the handler goes by id, and takes what
// another member has. An interceptor agrees with what members over HTTP say.
func TestGRPC(t *testing.T) {
	filter, own, foreign := member(t)
	counter := new(slot.Counter)
	var handled []common.TopicEvent
	handle := func(_ context.Context, e *common.TopicEvent) (bool, error) {
		handled = append(handled, *e)
		return false, nil
	}
	send := func(client pb.AppCallbackClient) {
		t.Helper()
		handled = nil
		for _, e := range [][2]string{own, foreign} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			response, err := client.OnTopicEvent(ctx, request(t, e))
			if err != nil || response.GetStatus() != pb.TopicEventResponse_SUCCESS {
				t.Errorf("%v: %v, %v", e, response, err)
			}
		}
	}
	send(grpcService(t, divide(filter, counter, "t", handle)))
	if len(handled) != 1 || handled[0].ID != foreign[1] || handled[0].Subject != "" {
		t.Errorf("the SDK has changed for the better? around the handler %+v was handled, want the foreign event, without a subject", handled)
	}
	send(grpcService(t, handle, grpc.UnaryInterceptor(intercept(filter, counter))))
	if len(handled) != 1 || handled[0].ID != own[1] {
		t.Errorf("behind the interceptor %+v was handled, want the own event, %q", handled, own)
	}
}
