package input

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/slotkey/slotkey/cloudevent"
)

// Transports are the names of the protocol bindings.
var Transports = []string{"http", "nats", "kafka", "amqp", "mqtt", "pubsub"}

// ParseTransport reads the name of a transport.
func ParseTransport(text string) (cloudevent.Transport, error) {
	for i, name := range Transports {
		if text == name {
			return cloudevent.HTTP + cloudevent.Transport(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not one of %s", text, strings.Join(Transports, ", "))
}

// TransportName is the other way round.
func TransportName(t cloudevent.Transport) string {
	if t < cloudevent.HTTP || int(t-cloudevent.HTTP) >= len(Transports) {
		return ""
	}
	return Transports[t-cloudevent.HTTP]
}

type header struct{ Key, Value string }

// splitMessage takes headers and body apart. Lines before the first header, such as that of the status, are in start.
func splitMessage(data []byte) (start string, headers []header, body []byte) {
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		text := strings.TrimSuffix(string(line), "\r")
		data = rest
		if text == "" {
			// curl -i shows interim answers and redirections, too, each with headers of its own:
			// the last message counts.
			if strings.HasPrefix(start, "HTTP/") && bytes.HasPrefix(data, []byte("HTTP/")) {
				start, headers = "", nil
				continue
			}
			return start, headers, data
		}
		if start == "" && len(headers) == 0 && (strings.HasPrefix(text, "HTTP/") || strings.HasPrefix(text, "NATS/") || requestLine.MatchString(text)) {
			start = text
			continue
		}
		headers = append(headers, splitHeader(text))
	}
	return start, headers, nil
}

// splitHeader reads "name: value" or "name=value". AMQP has names with a colon inside.
func splitHeader(line string) header {
	from := 0
	if strings.HasPrefix(line, "cloudEvents:") {
		from = len("cloudEvents:")
	}
	at := strings.IndexAny(line[from:], ":=")
	if at < 0 {
		return header{Key: strings.TrimSpace(line)}
	}
	at += from
	return header{strings.TrimSpace(line[:at]), strings.TrimPrefix(line[at+1:], " ")}
}

// guess tells the transport by the names of the headers.
func guess(start string, headers []header) cloudevent.Transport {
	if strings.HasPrefix(start, "NATS/") {
		return cloudevent.NATS
	}
	if start != "" {
		return cloudevent.HTTP
	}
	for _, h := range headers {
		name := strings.ToLower(h.Key)
		switch {
		case strings.HasPrefix(name, "ce_"):
			return cloudevent.Kafka
		case strings.HasPrefix(name, "cloudevents_"), strings.HasPrefix(name, "cloudevents:"):
			return cloudevent.AMQP
		case strings.HasPrefix(name, "ce-"):
			return cloudevent.HTTP
		case name == "specversion":
			return cloudevent.MQTT
		}
	}
	return cloudevent.HTTP
}

// message makes a message of what splitMessage found.
func message(t cloudevent.Transport, topic string, headers []header, body []byte) cloudevent.Message {
	m := cloudevent.Message{Topic: topic, Body: body}
	switch t {
	case cloudevent.HTTP, cloudevent.NATS, cloudevent.PubSub:
		values := map[string][]string{}
		for _, h := range headers {
			name := h.Key
			if t != cloudevent.NATS {
				name = http.CanonicalHeaderKey(name)
			}
			values[name] = append(values[name], h.Value)
		}
		m.Header = t.Values(values)
	case cloudevent.AMQP, cloudevent.MQTT:
		for _, h := range headers { // a property of its own there
			if name := strings.ToLower(h.Key); name == "content-type" || name == "contenttype" || name == "content type" {
				m.ContentType = h.Value
			}
		}
		m.Header = cloudevent.Properties(t, headers)
	default:
		m.Header = cloudevent.Properties(t, headers)
	}
	return m
}
