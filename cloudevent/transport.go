package cloudevent

import (
	"net/textproto"

	"github.com/slotkey/slotkey/routing"
)

// A Transport is a protocol binding of CloudEvents: how it names the headers of attributes, and how it encodes their
// values. Its methods make a [Header] of the forms that clients have headers in; none of them copies or keeps anything.
//
//	HTTP    ce-subject                                 percent-encoded
//	NATS    ce-subject                                 percent-encoded
//	Kafka   ce_subject
//	AMQP    cloudEvents_subject, cloudEvents:subject
//	MQTT    subject, ce-subject                        topics separate tokens by "/"
//	PubSub  ce-subject
//
// Where there are two names, those whose "specversion" is there count; if both are, the first.
// The names are those of the bindings (https://github.com/cloudevents/spec/tree/v1.0.2/cloudevents/bindings),
// and the second of MQTT that of the CloudEvents SDK for Go.
type Transport uint8

// The transports. The zero Transport is none: it has no headers.
const (
	HTTP Transport = iota + 1
	NATS
	Kafka
	AMQP
	MQTT
	PubSub
)

// Values is the Header of headers with several values, of which the first counts: http.Header,
// nats.Header. Names are looked up in lower case ("ce-subject") and as net/textproto canonicalises
// them ("Ce-Subject"); for [NATS], whose names keep their case, then in any case.
func (t Transport) Values(headers map[string][]string) Header {
	return Header{transport: t, values: headers}
}

// Map is the Header of attributes with one value each: the attributes of Pub/Sub, metadata of
// Watermill. Names are looked up as Values does it. Map(nil) is the Header of a message without
// headers, as all are in MQTT 3.1.1.
func (t Transport) Map(headers map[string]string) Header {
	return Header{transport: t, single: headers}
}

// Lookup is the Header of a function that returns a header by its name, which has the spelling of
// the table above. It is called only during the call that gets the Header. Whether case counts is
// the function's affair.
func (t Transport) Lookup(get func(name string) (value string, ok bool)) Header {
	return Header{transport: t, get: get}
}

// List is the Header of n headers in a list, of which the last with a name counts. Names are
// compared without regard to ASCII case. [Pairs] and [Properties] make it of the usual slices. Of
// others, as that of sarama, which has names as bytes:
//
//	cloudevent.Kafka.List(len(m.Headers), func(i int) (string, []byte) {
//		return string(m.Headers[i].Key), m.Headers[i].Value
//	})
func (t Transport) List(n int, at func(i int) (name string, value []byte)) Header {
	return Header{transport: t, n: n, bytesAt: at}
}

// Pairs is the Header of a slice of names and bytes, as these clients of Kafka have it: franz-go,
// kafka-go of Segment, and confluent-kafka-go. For sarama see [Transport.List].
//
//	cloudevent.Pairs(cloudevent.Kafka, record.Headers)
func Pairs[P ~struct {
	Key   string
	Value []byte
}](t Transport, list []P) Header {
	return Header{transport: t, n: len(list), bytesAt: func(i int) (string, []byte) {
		pair := struct {
			Key   string
			Value []byte
		}(list[i])
		return pair.Key, pair.Value
	}}
}

// Properties is the Header of a slice of names and strings, as paho.golang, a client of MQTT 5, has it:
//
//	cloudevent.Properties(cloudevent.MQTT, publish.Properties.User)
func Properties[P ~struct{ Key, Value string }](t Transport, list []P) Header {
	return Header{transport: t, n: len(list), stringAt: func(i int) (string, string) {
		pair := struct{ Key, Value string }(list[i])
		return pair.Key, pair.Value
	}}
}

// A binding is what a Transport stands for.
type binding struct {
	prefixes       [2]prefix
	hasContentType bool // among the headers
	encoded        bool // values are percent-encoded
	slashes        bool // topics separate tokens by slashes
}

// A prefix makes the names of headers. Those that the default rule needs are spelt out, so that
// looking them up allocates nothing.
type prefix struct {
	known                    bool
	text                     string
	specversion, subject, id headerName
}

// A headerName is a header's name in its own spelling and as net/textproto canonicalises it.
type headerName struct{ own, canonical string }

func nameHeader(own string) headerName {
	return headerName{own, textproto.CanonicalMIMEHeaderKey(own)}
}

func newPrefix(text string) prefix {
	return prefix{true, text, nameHeader(text + "specversion"), nameHeader(text + "subject"), nameHeader(text + "id")}
}

// name returns the name of an attribute's header.
func (p *prefix) name(attribute string) headerName {
	switch attribute {
	case "specversion":
		return p.specversion
	case "subject":
		return p.subject
	case "id":
		return p.id
	}
	return nameHeader(p.text + attribute)
}

var contentTypeName = nameHeader("content-type")

var bindings = [...]binding{
	HTTP:   {prefixes: [2]prefix{newPrefix("ce-")}, hasContentType: true, encoded: true},
	NATS:   {prefixes: [2]prefix{newPrefix("ce-")}, hasContentType: true, encoded: true},
	Kafka:  {prefixes: [2]prefix{newPrefix("ce_")}, hasContentType: true},
	AMQP:   {prefixes: [2]prefix{newPrefix("cloudEvents_"), newPrefix("cloudEvents:")}},
	MQTT:   {prefixes: [2]prefix{newPrefix(""), newPrefix("ce-")}, slashes: true},
	PubSub: {prefixes: [2]prefix{newPrefix("ce-")}, hasContentType: true},
}

func (t Transport) binding() *binding {
	if int(t) < len(bindings) {
		return &bindings[t]
	}
	return &bindings[0]
}

// command reports whether an event on topic is a command under a rule, whose patterns have dots
// between tokens. Where topics have slashes, slash and dot change places first, so that no two
// topics become one.
func (t Transport) command(rule routing.Rule, topic string) bool {
	if !t.binding().slashes {
		return rule.Command(topic)
	}
	var room [64]byte
	swapped := append(room[:0], topic...)
	for i, c := range swapped {
		switch c {
		case '/':
			swapped[i] = '.'
		case '.':
			swapped[i] = '/'
		}
	}
	return rule.Command(string(swapped)) // up to 32 bytes on the stack
}
