package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/slotkey/slotkey/cloudevent/webhook"
	"github.com/slotkey/slotkey/slot"
)

// A sender posts every event to every member; each handles its own and answers the others with 204.
// Senders read both as success.
func ExampleHandler() {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("handled:", r.Header.Get("Ce-Subject"))
	})
	topic := func(r *http.Request) string { return strings.ReplaceAll(strings.Trim(r.URL.Path, "/"), "/", ".") }
	var counter slot.Counter

	member, err := slot.New(slot.Config{Group: "pairs", Size: 3, Index: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := webhook.Handler(slot.NewFilter(member), topic, next, webhook.Options{Verdict: counter.Count})
	if err != nil {
		fmt.Println(err)
		return
	}

	server := httptest.NewServer(handler)
	defer server.Close()
	post := func(path, subject string) {
		request, err := http.NewRequest("POST", server.URL+path, strings.NewReader("1.08"))
		if err != nil {
			fmt.Println(err)
			return
		}
		request.Header = http.Header{"Ce-Specversion": {"1.0"}, "Ce-Type": {"tick"}, "Ce-Source": {"/feed"}, "Ce-Id": {"1"}, "Ce-Subject": {subject}}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			fmt.Println(err)
			return
		}
		response.Body.Close()
		fmt.Println(response.Status)
	}
	post("/ticks", "EUR/USD")
	post("/ticks", "USD/JPY")
	post("/wrk/feed/command/7", "USD/JPY")
	fmt.Printf("%+v\n", counter.Counts())
	// Output:
	// handled: EUR/USD
	// 200 OK
	// 204 No Content
	// handled: USD/JPY
	// 200 OK
	// {Own:1 Foreign:1 Bypass:1 Malformed:0}
}
