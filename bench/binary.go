package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/IBM/sarama"
	"github.com/cloudevents/sdk-go/protocol/kafka_sarama/v2"
	jetstream "github.com/cloudevents/sdk-go/protocol/nats_jetstream/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
	"github.com/nats-io/nats.go"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot"
)

// Names of contenders that goals refer to.
const (
	toEvent = "CloudEvents SDK, ToEvent"
	lookups = "three map lookups and the hash, the limit"
)

// binaryTable: decide from the headers of a message in binary mode.
var binaryTable = table{
	name:  "binary",
	title: "Decide from the headers of a message in binary mode",
	about: "An event of 300 bytes in the form that a client of each transport has it in. Where a cell is empty, there is no binding of the SDK that can be had, or no map.",
	groups: func() ([]measure.Group, error) {
		e := payload.New(300, 300, payload.Dense)
		var groups []measure.Group
		for _, g := range []struct {
			name       string
			contenders []messageDecider
		}{
			{"HTTP", overHTTP(e)},
			{"NATS", overNATS(e)},
			{"Kafka", overKafka(e)},
			{"AMQP", overAMQP(e)},
			{"MQTT", overMQTT(e)},
			{"Pub/Sub", overPubSub(e)},
		} {
			group := measure.Group{Name: g.name}
			for _, c := range g.contenders {
				if got, want := c.sum(), hashpin.Sum32String(e.Subject); got != want {
					return nil, fmt.Errorf("%s: %s: sum %08x, want %08x", g.name, c.name, got, want)
				}
				group.Contenders = append(group.Contenders, measure.Contender{Name: c.name, Run: c.loop})
			}
			groups = append(groups, group)
		}
		return groups, nil
	},
}

// A messageDecider decides one message, over and over; sum is the hash of the key that it finds.
type messageDecider struct {
	name string
	sum  func() uint32
	loop func(n int)
}

func ownMessage(m cloudevent.Message) messageDecider {
	f := benchFilter()
	return messageDecider{decideHeader,
		func() uint32 { return cloudevent.DecideMessage(f, m).Sum },
		func(n int) {
			for range n {
				verdict = cloudevent.DecideMessage(f, m)
			}
		},
	}
}

// sdkMessage decides after the SDK's decode, as its client does. A message may be read only once, so each is made anew.
func sdkMessage(message func() binding.Message) messageDecider {
	f := benchFilter()
	once := func() slot.Verdict {
		e, err := binding.ToEvent(context.Background(), message())
		if err != nil {
			return slot.Verdict{}
		}
		return f.Decide(cloudevent.Event(topic, e))
	}
	return messageDecider{toEvent,
		func() uint32 { return once().Sum },
		func(n int) {
			for range n {
				verdict = once()
			}
		},
	}
}

// limit does what no decider in binary mode can leave out: it looks at the content type, the spec
// version and the subject, and hashes the subject.
func limit(headers map[string][]string, contentType, specVersion, subject string) messageDecider {
	once := func() uint32 {
		if headers[contentType] == nil || headers[specVersion] == nil {
			return 0
		}
		return hashpin.Sum32String(headers[subject][0])
	}
	return messageDecider{lookups, once, func(n int) {
		for range n {
			sums = once()
		}
	}}
}

func overHTTP(e payload.Event) []messageDecider {
	h, body := e.Header(), []byte(e.Data)
	return []messageDecider{
		ownMessage(cloudevent.Message{Topic: topic, Header: cloudevent.HTTP.Values(h), Body: body}),
		sdkMessage(func() binding.Message { return cehttp.NewMessage(h, io.NopCloser(bytes.NewReader(body))) }),
		limit(h, "Content-Type", "Ce-Specversion", "Ce-Subject"),
	}
}

func natsMessage(e payload.Event) *nats.Msg {
	m := &nats.Msg{Subject: topic, Header: nats.Header{}, Data: []byte(e.Data)}
	e.Headers("ce-", func(name, value string) { m.Header[name] = []string{value} })
	return m
}

func overNATS(e payload.Event) []messageDecider {
	m := natsMessage(e)
	return []messageDecider{
		ownMessage(cloudevent.Message{Topic: topic, Header: cloudevent.NATS.Values(m.Header), Body: m.Data}),
		sdkMessage(func() binding.Message { return jetstream.NewMessage(m) }),
		limit(m.Header, "content-type", "ce-specversion", "ce-subject"),
	}
}

func overKafka(e payload.Event) []messageDecider {
	record := &kgo.Record{Topic: topic, Value: []byte(e.Data)}
	message := &sarama.ConsumerMessage{Topic: topic, Value: []byte(e.Data)}
	e.Headers("ce_", func(name, value string) {
		record.Headers = append(record.Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
		message.Headers = append(message.Headers, &sarama.RecordHeader{Key: []byte(name), Value: []byte(value)})
	})
	return []messageDecider{
		ownMessage(cloudevent.Message{Topic: topic, Header: cloudevent.Pairs(cloudevent.Kafka, record.Headers), Body: record.Value}),
		sdkMessage(func() binding.Message { return kafka_sarama.NewMessageFromConsumerMessage(message) }),
	}
}

// overAMQP has the properties as a client gives them, a map of any.
func overAMQP(e payload.Event) []messageDecider {
	properties := map[string]any{}
	var contentType string
	e.Headers("cloudEvents_", func(name, value string) {
		if name == "content-type" {
			contentType = value
		} else {
			properties[name] = value
		}
	})
	header := cloudevent.AMQP.Lookup(func(name string) (string, bool) {
		value, ok := properties[name].(string)
		return value, ok
	})
	return []messageDecider{ownMessage(cloudevent.Message{Topic: topic, ContentType: contentType, Header: header, Body: []byte(e.Data)})}
}

func overMQTT(e payload.Event) []messageDecider {
	var properties []struct{ Key, Value string }
	var contentType string
	e.Headers("", func(name, value string) {
		if name == "content-type" {
			contentType = value
		} else {
			properties = append(properties, struct{ Key, Value string }{name, value})
		}
	})
	header := cloudevent.Properties(cloudevent.MQTT, properties)
	return []messageDecider{ownMessage(cloudevent.Message{Topic: "shops/eu/orders", ContentType: contentType, Header: header, Body: []byte(e.Data)})}
}

func overPubSub(e payload.Event) []messageDecider {
	attributes := map[string]string{}
	e.Headers("ce-", func(name, value string) { attributes[name] = value })
	return []messageDecider{ownMessage(cloudevent.Message{Topic: topic, Header: cloudevent.PubSub.Map(attributes), Body: []byte(e.Data)})}
}
