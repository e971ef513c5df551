package cloudevent_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/slotkey/slotkey/cloudevent"
)

// A field is a header of a message, as tests write it.
type field struct{ name, value string }

// The types that clients have, down to their names.
type (
	recordHeader struct { // franz-go
		Key   string
		Value []byte
	}
	userProperty struct{ Key, Value string } // paho.golang
)

var transports = map[string]cloudevent.Transport{
	"http":   cloudevent.HTTP,
	"nats":   cloudevent.NATS,
	"kafka":  cloudevent.Kafka,
	"amqp":   cloudevent.AMQP,
	"mqtt":   cloudevent.MQTT,
	"pubsub": cloudevent.PubSub,
}

// formsOf returns the header of a message in every form that its transport's clients have headers in.
func formsOf(transport string, list []field) map[string]cloudevent.Header {
	t, ok := transports[transport]
	if !ok {
		panic(fmt.Sprintf("there is no transport %q", transport))
	}
	firstCounts := t == cloudevent.HTTP || t == cloudevent.NATS
	forms := map[string]cloudevent.Header{
		"Lookup": t.Lookup(func(name string) (value string, ok bool) {
			for _, f := range list {
				if len(f.name) == len(name) && strings.EqualFold(f.name, name) && !(ok && firstCounts) {
					value, ok = f.value, true
				}
			}
			return value, ok
		}),
	}
	var records []recordHeader
	var properties []userProperty
	values, single := map[string][]string{}, map[string]string{}
	for _, f := range list {
		records = append(records, recordHeader{f.name, []byte(f.value)})
		properties = append(properties, userProperty{f.name, f.value})
		values[f.name] = append(values[f.name], f.value)
		single[f.name] = f.value
	}
	switch t {
	case cloudevent.HTTP:
		h := http.Header{}
		for _, f := range list {
			h.Add(f.name, f.value)
		}
		forms["Values"] = t.Values(h)
	case cloudevent.NATS:
		forms["Values"] = t.Values(values)
	case cloudevent.PubSub:
		forms["Map"] = t.Map(single)
	default:
		forms["Pairs"] = cloudevent.Pairs(t, records)
		forms["Properties"] = cloudevent.Properties(t, properties)
		forms["List"] = t.List(len(list), func(i int) (string, []byte) { return list[i].name, []byte(list[i].value) })
	}
	return forms
}
