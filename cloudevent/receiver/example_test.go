package receiver_test

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/client"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"
	"github.com/cloudevents/sdk-go/v2/protocol/gochan"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

func tick(subject, id string) event.Event {
	e := event.New()
	e.SetType("tick")
	e.SetSource("/feed")
	e.SetSubject(subject)
	e.SetID(id)
	return e
}

func ExampleNew() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	inner := gochan.New() // a protocol of the SDK, with a channel, subscription or consumer group of its own
	topic := func(binding.Message) string { return "ticks" }
	var counter slot.Counter
	filtered, err := receiver.New(inner, slot.NewFilter(member), topic, receiver.Options{Verdict: counter.Count})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := client.New(filtered, client.WithBlockingCallback(), client.WithPollGoroutines(1)) // in order
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i, subject := range []string{"USD/JPY", "EUR/USD", "USD/JPY", "EUR/USD"} {
		if err := c.Send(ctx, tick(subject, fmt.Sprint(i))); err != nil {
			fmt.Println(err)
		}
	}
	err = c.StartReceiver(ctx, func(e event.Event) {
		fmt.Println(e.Subject(), e.ID())
		if e.ID() == "3" {
			cancel()
		}
	})
	fmt.Printf("%v %+v\n", err, counter.Counts())
	// Output:
	// EUR/USD 1
	// EUR/USD 3
	// <nil> {Own:2 Foreign:2 Bypass:0 Malformed:0}
}

func ExampleMiddleware() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	topic := func(r *http.Request) string { return "ticks" }
	middleware, err := receiver.Middleware(slot.NewFilter(member), topic, webhook.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := cehttp.New(cehttp.WithListener(listener), cehttp.WithMiddleware(middleware))
	if err != nil {
		fmt.Println(err)
		return
	}
	guarded, err := receiver.Guard(p, receiver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := client.New(guarded)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error)
	go func() {
		done <- c.StartReceiver(ctx, func(e event.Event) { fmt.Println("handled:", e.Subject()) })
	}()

	sender, err := client.NewHTTP(cehttp.WithTarget("http://" + listener.Addr().String()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, subject := range []string{"USD/JPY", "EUR/USD"} {
		var result *cehttp.Result
		if protocol.ResultAs(sender.Send(ctx, tick(subject, "1")), &result) {
			fmt.Println(result.StatusCode)
		}
	}
	cancel()
	fmt.Println(<-done)
	// Output:
	// 204
	// handled: EUR/USD
	// 200
	// <nil>
}

func ExampleHandler() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	topic := func(context.Context, event.Event) string { return "ticks" }
	handle := func(_ context.Context, e event.Event) error {
		fmt.Println("handled:", e.Subject())
		return nil
	}
	handler, err := receiver.Handler(slot.NewFilter(member), topic, handle)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, subject := range []string{"USD/JPY", "EUR/USD"} {
		fmt.Println(handler(context.Background(), tick(subject, "1")))
	}
	// Output:
	// <nil>
	// handled: EUR/USD
	// <nil>
}

// An own event that the SDK cannot decode, even one at which it panics, is told to a hook, and then
// finished by the client.
func ExampleOptions() {
	member, err := slot.New(slot.Config{Group: "pairs", Size: 1, Index: 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	bad := cehttp.NewMessage(http.Header{"Content-Type": {"application/cloudevents+json"}},
		once(`{"specversion":"1.0","id":"1","type":"tick","source":"/feed","data_base64":1}`))
	channel := make(chan binding.Message, 1)
	channel <- binding.WithFinish(bad, func(err error) { fmt.Println("finished:", err) })
	close(channel)

	filtered, err := receiver.New(gochan.Receiver(channel), slot.NewFilter(member), func(binding.Message) string { return "" }, receiver.Options{
		Malformed: func(_ binding.Message, err error) { fmt.Println("malformed:", err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := client.New(filtered, client.WithAckMalformedEvent())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.StartReceiver(context.Background(), func(e event.Event) { fmt.Println("handled:", e) }))
	// Output:
	// malformed: receiver: decoding panicked: runtime error: slice bounds out of range [1:0]
	// finished: failed to convert Message to Event: receiver: decoding panicked: runtime error: slice bounds out of range [1:0]
	// <nil>
}
