package receivers_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/IBM/sarama"
	"github.com/cloudevents/sdk-go/protocol/kafka_sarama/v2"
	cejs "github.com/cloudevents/sdk-go/protocol/nats_jetstream/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/nats-io/nats.go"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/routing"
)

// For every message that the SDK's bindings for Kafka and NATS decode, what is read of it without
// decoding is what the decoded event has. (For HTTP the tests of package receiver see to that.)

// A header is what both bindings are given.
type header struct{ name, value string }

// randomHeaders are those of an event in binary mode, mostly one that decodes: some names twice, some in other cases.
func randomHeaders(r *rand.Rand, prefix string) []header {
	hs := []header{{prefix + "specversion", pick(r, "1.0", "1.0", "0.3", "2.0")}, {prefix + "type", "t"}, {prefix + "source", "/s"}, {prefix + "id", pick(r, "1", "order-7", " 7\u00a0", "")}}
	for range r.IntN(6) {
		name := pick(r, "id", "subject", "subject", "partitionkey", "number", "time", "datacontenttype", "x")
		value := pick(r, "", "1", " 1 ", "\u2003x", "order-7", "100%", "%31", `"1"`, "\xff", "é", "7.5", "true", "text/plain", "2026-11-30T12:00:00Z")
		hs = append(hs, header{prefix + name, value})
	}
	if r.IntN(4) == 0 {
		hs = append(hs, header{"content-type", pick(r, "application/json", "text/plain; charset=utf-8", "application/cloudevents+json", "Application/CloudEvents+JSON; x", "")})
	}
	r.Shuffle(len(hs), func(i, j int) { hs[i], hs[j] = hs[j], hs[i] })
	return hs
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

var rules = []string{"subject,id", "partitionkey,subject,id", "number+id,subject", "specversion+id", "type,id"}

func compare(t *testing.T, m binding.Message, raw cloudevent.Message, what any) (decoded bool) {
	t.Helper()
	e, err := binding.ToEvent(context.Background(), m)
	if err != nil {
		return false
	}
	for _, text := range rules {
		rule, err := routing.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		want := rule.Route(receiver.Event(rule, "ticks", *e))
		if got := cloudevent.Route(rule, raw); got != want {
			t.Errorf("%s: got the route %v, want %v of %v, of %q", text, got, want, e.Context, what)
		}
	}
	return true
}

func TestKafkaAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	decoded := 0
	const total = 5000
	for range total {
		hs := randomHeaders(r, "ce_")
		var consumed sarama.ConsumerMessage
		for i, h := range hs {
			if r.IntN(5) == 0 {
				hs[i].name = strings.ToUpper(h.name)
			}
			consumed.Headers = append(consumed.Headers, &sarama.RecordHeader{Key: []byte(hs[i].name), Value: []byte(h.value)})
		}
		consumed.Value = []byte(`{"specversion":"1.0","id":"of the body","type":"t","source":"/s"}`)
		raw := cloudevent.Message{Topic: "ticks", Body: consumed.Value, Header: cloudevent.Kafka.List(len(hs), func(i int) (string, []byte) {
			return hs[i].name, []byte(hs[i].value)
		})}
		if compare(t, kafka_sarama.NewMessageFromConsumerMessage(&consumed), raw, hs) {
			decoded++
		}
	}
	if decoded*5 < total {
		t.Errorf("the SDK decodes %d of %d messages: too few to learn much", decoded, total)
	}
}

func TestNATSAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	decoded := 0
	const total = 5000
	for range total {
		hs := randomHeaders(r, "ce-")
		m := nats.NewMsg("ticks")
		for _, h := range hs {
			m.Header.Add(h.name, h.value)
		}
		m.Data = []byte(`{"specversion":"1.0","id":"of the body","type":"t","source":"/s"}`)
		if faultOfNATS(m) {
			continue
		}
		raw := cloudevent.Message{Topic: m.Subject, Body: m.Data, Header: cloudevent.NATS.Values(m.Header)}
		if compare(t, cejs.NewMessage(m), raw, m.Header) {
			decoded++
		}
	}
	if decoded*5 < total {
		t.Errorf("the SDK decodes %d of %d messages: too few to learn much", decoded, total)
	}
}

// faultOfNATS reports whether the SDK is known to read a message in the wrong mode: tests below have its faults.
func faultOfNATS(m *nats.Msg) bool {
	return strings.HasPrefix(strings.ToLower(m.Header.Get("content-type")), "application/cloudevents")
}

// The SDK does not look at the content type of a NATS message, so a structured one with headers of
// its own is in binary mode for it. For us the content type decides (SPEC section 9.1).
func TestFaultNATSContentType(t *testing.T) {
	m := nats.NewMsg("ticks")
	m.Header = nats.Header{"content-type": {"application/cloudevents+json"}, "ce-specversion": {"1.0"}, "ce-id": {"of the headers"}}
	m.Data = []byte(`{"specversion":"1.0","id":"of the body","type":"t","source":"/s"}`)
	if e, err := binding.ToEvent(context.Background(), cejs.NewMessage(m)); err != nil || e.ID() != "of the headers" {
		t.Errorf("the SDK reads %v, %v: the fault is gone", e, err)
	}
	e, err := cloudevent.PeekMessage(routing.Rule{}, cloudevent.Message{Body: m.Data, Header: cloudevent.NATS.Values(m.Header)})
	if err != nil || e.ID != "of the body" {
		t.Errorf("got %v, %v, want the id of the body", e, err)
	}
}

// The SDK finds headers of NATS only in lower case. We compare names without regard to case (SPEC section 9.7).
func TestFaultNATSCase(t *testing.T) {
	m := nats.NewMsg("ticks")
	m.Header = nats.Header{"ce-specversion": {"1.0"}, "ce-id": {"1"}, "Ce-Subject": {"s"}}
	if e, err := binding.ToEvent(context.Background(), cejs.NewMessage(m)); err != nil || e.Subject() != "" {
		t.Errorf("the SDK reads %v, %v: the fault is gone", e, err)
	}
	e, err := cloudevent.PeekMessage(routing.Rule{}, cloudevent.Message{Header: cloudevent.NATS.Values(m.Header)})
	if err != nil || e.Subject != "s" {
		t.Errorf("got %v, %v, want the subject s", e, err)
	}
}
