package main

import (
	"context"
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
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/slottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProgram(t *testing.T) {
	runnertest.Passes(t, program(), nil,
		"broker: 3 sidecars in this process", "324 events (0 in binary mode)", "demo:2/3                130       194         0        38",
		"1 event on wrk.demo.command.member-2 -> 3 member(s)", "its 28 events waited for it")
	runnertest.Passes(t, program(), []string{"-members", "2"})
}

// Without a consumerID of its own every replica is in one consumer group.
func TestSharedConsumerIDLoses(t *testing.T) {
	p := program()
	p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) { return open(ctx, site, true) }
	runnertest.Fails(t, p, nil, "lost: ", "the broker shares the events out")
}

// member returns one member of two, and a subject of its own and one of the other's. The id of own events is foreign, and that of
// foreign ones is own, so that a verdict by id is another.
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

// Over gRPC the SDK's event has no subject: a filter around the handler goes by id, and takes what another member has. An
// interceptor agrees with what members over HTTP say.
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

// A real sidecar is told from its own answers, and asks its app once.
func TestThroughSidecars(t *testing.T) {
	var apps, sidecars []string
	running := newTopics(false)
	defer running.close()
	for range 2 {
		app, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		s, err := running.start("http://"+app, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		apps, sidecars = append(apps, app), append(sidecars, s)
	}
	args := []string{"-members", "2", "-listen", strings.Join(apps, ","), "-url", strings.Join(sidecars, ",")}
	runnertest.Passes(t, program(), args, "broker: Dapr stand-in, ", "324 events", "away: left out; when a sidecar")
}

func TestAddresses(t *testing.T) {
	o := runnertest.Run(t, program(), "-members", "1", "-listen", "127.0.0.1:0", "-url", "http://127.0.0.1:1")
	if o.Status != 1 || o.Out != "" || strings.Count(o.Err, "\n") != 1 || !strings.Contains(o.Err, "no Dapr sidecar at http://127.0.0.1:1: ") {
		t.Errorf("status %d, %q\n%s", o.Status, o.Err, o.Out)
	}
	runnertest.Refuses(t, program(), "wanted is an address like http://127.0.0.1:3501", "-members", "1", "-listen", "a:1", "-url", "localhost:3500")
	runnertest.Refuses(t, program(), "-url needs -listen", "-members", "1", "-url", "http://127.0.0.1:3500")
}
