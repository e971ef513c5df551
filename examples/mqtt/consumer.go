// Command mqtt is a consumer on MQTT 5 with QoS 1, run as the members of a group.
//
// The consumer is in consumer.go: config is how a member connects, and consume is its subscription,
// with a handler of publications that has one if. The rest of the program shows that it works, on a
// broker inside the process or, with -url, on yours.
//
// What to know of this broker:
//
//   - Every subscription receives everything, which is the broadcast. A shared subscription,
//     $share/NAME/…, gives each event to one of its members, which most often is not the owner: of
//     n members, (n-1)/n of the events are lost. A test of this program shows it.
//   - A client id for each member, and always the same. Two clients with one id throw each other
//     out, again and again. A test shows it.
//   - A session lives on while a member is away if it has a session expiry interval and connects
//     with clean start false. Then QoS 1 publications wait for it, up to the broker's limits:
//     mosquitto drops what is beyond max_queued_messages (1000), or does not fit max_queued_bytes,
//     and mochi-mqtt what is beyond MaximumInflight, or MaximumClientWritesPending (8192 each).
//     Neither tells the member.
//   - A broker that does not write its sessions to disk, as mosquitto does not unless it has
//     "persistence true", forgets them when it starts again, with the subscriptions and all that
//     waited. CONNACK then says that no session is present. Subscribe again, or the member is deaf
//     for ever; its events of meanwhile are lost, and failed is told.
//   - The client acknowledges when the handler returns, and in the order in which publications
//     came, as MQTT demands: what is dropped is acknowledged by returning. The session of a member
//     that is gone for good stays until it expires.
//   - There is no way to refuse an event for now. A PUBACK with a reason code of 0x80 or above is
//     an acknowledgement like any other, and the event does not come again. What cannot be handled
//     must be tried again by the handler, while all others wait, or be put aside (into a file, a
//     table, another topic) before the handler returns.
//   - A publication that was not acknowledged when the connection broke comes again with the DUP
//     flag, and in order, in front of the others. Within a connection nothing comes again. DUP is
//     no proof: mochi-mqtt sets it on all that waited. The embedded broker has to be helped to keep
//     that order: see embed.go.
//   - When the connection ends, by a break or because the member leaves, the handler is still given
//     what the client had read, and that comes again, too. It is as much as is unacknowledged at a
//     time: 20 with mosquitto, or what the client says as receive maximum.
//   - A session keeps subscriptions. A topic that a new version of the program does not read has to
//     be unsubscribed from.
//   - Topics have slashes: the command topic wrk.<type>.command.<id> is wrk/<type>/command/<id>
//     here, and is known as such.
//   - Attributes are user properties, "subject" as the protocol binding has it, or "ce-subject" as
//     the SDK for Go writes it; the content type is a property of its own. paho.golang connects
//     with "request problem information" 0 unless told otherwise, and mochi-mqtt then leaves the
//     user properties out, so that events in binary mode have no key: say 1, as config does. MQTT
//     3.1.1 has neither, and only carries events in structured mode.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/packets"
	"github.com/eclipse/paho.golang/paho"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/slot"
)

// sessionExpiry is how long, in seconds, the broker keeps the session of a member that is away, and what waits in it.
const sessionExpiry = 3600

// timeout limits connecting, and subscribing.
const timeout = 3 * time.Second

// config is how a member connects: by an id that it always has and nobody else, with a session that lives on.
func config(server *url.URL, id string) autopaho.ClientConfig {
	c := autopaho.ClientConfig{
		ServerUrls: []*url.URL{server}, KeepAlive: 20, ConnectTimeout: timeout,
		CleanStartOnInitialConnection: false, SessionExpiryInterval: sessionExpiry,
		ReconnectBackoff: autopaho.NewConstantBackoff(200 * time.Millisecond),
		ClientConfig:     paho.ClientConfig{ClientID: id},
		ConnectPacketBuilder: func(c *paho.Connect, _ *url.URL) (*paho.Connect, error) {
			if c.Properties == nil {
				c.Properties = &paho.ConnectProperties{}
			}
			c.Properties.RequestProblemInfo = true // without it some brokers take the user properties off publications
			return c, nil
		},
	}
	if server.User != nil {
		password, _ := server.User.Password()
		c.ConnectUsername, c.ConnectPassword = server.User.Username(), []byte(password)
	}
	return c
}

// errSessionLost says that a member came back to a broker that had forgotten it.
var errSessionLost = errors.New("the broker has lost the session, and with it what waited for this member")

// consume connects a member, and subscribes it to topics. It returns when the member is subscribed;
// what waited for it may be handled before that. The connection is made again when it breaks, and
// the subscription if it has to be. handle is called for one publication after the other. failed is
// told, by another goroutine, what goes wrong later. leave waits for the handler, as long as its
// context allows, and keeps the session.
func consume(ctx context.Context, config autopaho.ClientConfig, topics []string, filter *slot.Filter, counter *slot.Counter,
	handle func(*paho.Publish, slot.Verdict), failed func(error)) (leave func(context.Context) error, err error) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &subscriber{topics: topics, running: running, down: func() {}, first: make(chan error, 1), failed: failed}
	config.OnPublishReceived = []func(paho.PublishReceived) (bool, error){divide(filter, counter, handle)}
	config.OnConnectionUp, config.OnConnectionDown = s.connectionUp, s.connectionDown
	manager, err := connect(ctx, config)
	if err != nil {
		stop()
		return nil, err
	}
	leave = func(ctx context.Context) error {
		stop()
		defer s.subscribing.Wait()
		return manager.Disconnect(ctx)
	}
	select {
	case err = <-s.first:
	case <-ctx.Done():
		err = fmt.Errorf("cannot subscribe: %w", ctx.Err())
	}
	if err != nil {
		return nil, errors.Join(err, leave(context.WithoutCancel(ctx)))
	}
	return leave, nil
}

// A subscriber subscribes on the first connection, and on those that find no session.
type subscriber struct {
	topics      []string
	running     context.Context
	down        context.CancelFunc // ends subscribing
	subscribing sync.WaitGroup
	joined      bool       // there was a subscription
	subscribed  bool       // in the session that the broker has
	first       chan error // of the first subscription
	failed      func(error)
}

// connectionUp must not block.
func (s *subscriber) connectionUp(manager *autopaho.ConnectionManager, connack *paho.Connack) {
	if connack.SessionPresent && s.subscribed {
		return
	}
	s.subscribed = false
	var ctx context.Context
	ctx, s.down = context.WithTimeout(s.running, timeout)
	s.subscribing.Go(func() {
		err := s.subscribe(ctx, manager)
		switch {
		case errors.Is(ctx.Err(), context.Canceled): // the connection is down, and the next one subscribes; or the member leaves
			return
		case s.joined && err != nil:
			s.failed(err)
			return
		case s.joined:
			s.failed(errSessionLost)
		default:
			s.first <- err
		}
		s.joined, s.subscribed = true, err == nil
	})
}

func (s *subscriber) connectionDown() (connectAgain bool) {
	s.down()
	s.subscribing.Wait()
	return true
}

func (s *subscriber) subscribe(ctx context.Context, manager *autopaho.ConnectionManager) error {
	subscription := &paho.Subscribe{}
	for _, topic := range s.topics {
		subscription.Subscriptions = append(subscription.Subscriptions, paho.SubscribeOptions{Topic: topic, QoS: 1})
	}
	suback, err := manager.Subscribe(ctx, subscription)
	// mochi-mqtt refuses an id that a publication to this member has, although these are others.
	// Each attempt has the next one.
	for err != nil && suback != nil && suback.Reasons[0] == packets.SubackPacketIdentifierinuse && ctx.Err() == nil {
		suback, err = manager.Subscribe(ctx, subscription)
	}
	if err != nil && suback == nil {
		<-ctx.Done() // soon, if the connection broke
	}
	if err != nil {
		return fmt.Errorf("cannot subscribe: %w", err)
	}
	return nil
}

// divide puts the filter in front of a handler. The client calls it for one publication after the other.
func divide(filter *slot.Filter, counter *slot.Counter, handle func(*paho.Publish, slot.Verdict)) func(paho.PublishReceived) (bool, error) {
	return func(received paho.PublishReceived) (bool, error) {
		p := received.Packet
		verdict := counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{
			Topic: p.Topic, ContentType: p.Properties.ContentType,
			Header: cloudevent.Properties(cloudevent.MQTT, p.Properties.User), Body: p.Payload}))
		if verdict.Admit() { // else another member has it
			handle(p, verdict)
		}
		return true, nil // the client acknowledges now
	}
}

// connect returns when there is a connection, which is made again when it breaks.
func connect(ctx context.Context, config autopaho.ClientConfig) (*autopaho.ConnectionManager, error) {
	var last atomic.Pointer[error]
	config.OnConnectError = func(err error) { last.Store(&err) }
	manager, err := autopaho.NewConnection(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := manager.AwaitConnection(waiting); err != nil {
		if why := last.Load(); why != nil {
			err = *why
		}
		manager.Disconnect(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("no MQTT 5 broker at %s: %s", config.ServerUrls[0].Host, strings.Join(strings.Fields(err.Error()), " "))
	}
	return manager, nil
}
