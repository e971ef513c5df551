package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/binding/spec"
	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/protocol"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cloudevent/receiver"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot"
)

func TestRefuses(t *testing.T) {
	inner, f := &list{}, member(t, 0)
	percent := f.WithRule(rule(t, "subject,id percent"))
	for _, test := range []struct {
		name   string
		inner  any
		filter *slot.Filter
		topic  func(binding.Message) string
		o      receiver.Options
		want   error
		says   string
	}{
		{"inner", nil, f, noTopic, receiver.Options{}, receiver.ErrNil, "receiver: nil argument: inner"},
		{"filter", inner, nil, noTopic, receiver.Options{}, receiver.ErrNil, "receiver: nil argument: filter"},
		{"topic", inner, f, nil, receiver.Options{}, receiver.ErrNil, "receiver: nil argument: topic"},
		{"nothing to receive", 7, f, noTopic, receiver.Options{}, receiver.ErrInner, "int is neither a protocol.Receiver nor a protocol.Responder"},
		{"percent", inner, percent, noTopic, receiver.Options{}, receiver.ErrTransport, `the rule is "fnv1a32-fmix32 subject,id percent"`},
		{"transport", inner, f, noTopic, receiver.Options{Transport: 99}, receiver.ErrTransport, "Options.Transport is 99"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := receiver.New(test.inner, test.filter, test.topic, test.o)
			if v != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, %v, want an error that is %v and says %q", v, err, test.want, test.says)
			}
		})
	}
	if _, err := receiver.New(inner, percent, noTopic, receiver.Options{Transport: cloudevent.HTTP}); err != nil {
		t.Error(err)
	}
}

// setAttributes writes attributes and extensions as a binding does.
func setAttributes(pairs ...any) func(binding.BinaryWriter) error {
	return func(w binding.BinaryWriter) error {
		for i := 0; i < len(pairs); i += 2 {
			name, value := pairs[i].(string), pairs[i+1]
			var err error
			if a := spec.V1.Attribute(name); a != nil {
				err = w.SetAttribute(a, value)
			} else {
				err = w.SetExtension(name, value)
			}
			if err != nil {
				return err
			}
		}
		return w.SetData(strings.NewReader("hello"))
	}
}

func bareBinary(pairs ...any) func() binding.Message {
	return func() binding.Message {
		return &bare{encoding: binding.EncodingBinary, binary: setAttributes(pairs...)}
	}
}

// Every kind of message, given to all members: one hands it on, as it was; the others finish it
// with nil, once, and nothing decodes it.
func TestEncodings(t *testing.T) {
	k := key(t, 1)
	eventMessage := func() binding.Message { e := newEvent(k); return binding.ToMessage(&e) }
	for _, test := range []struct {
		name string
		make func() binding.Message
		want int
	}{
		{"event", eventMessage, 1},
		{"event, wrapped", func() binding.Message { return binding.WithFinish(eventMessage(), func(error) {}) }, 1},
		{"event without a context", func() binding.Message { return (*binding.EventMessage)(&event.Event{}) }, emptySlot(t)},
		{"binary, HTTP", func() binding.Message { return binaryHTTP(k) }, 1},
		{"binary, HTTP, subject", func() binding.Message { return binaryHTTP(key(t, 0), "Ce-Subject", " \u00a0"+k) }, 1},
		{"binary, no body", func() binding.Message {
			return cehttp.NewMessage(http.Header{"Ce-Specversion": {"1.0"}, "Ce-Id": {k}}, nil)
		}, 1},
		{"binary, no metadata", bareBinary("specversion", "1.0", "id", k, "type", "t", "source", "/s"), 1},
		{"binary, no version", bareBinary("id", k, "type", "t", "source", "/s"), 1},
		{"binary, set twice", bareBinary("id", key(t, 2), "id", k), 1},
		{"binary, subject deleted", bareBinary("id", k, "subject", key(t, 2), "subject", nil), 1},
		{"binary, no key", bareBinary("type", "t"), emptySlot(t)},
		{"binary, a value of no type", bareBinary("id", struct{}{}), emptySlot(t)},
		{"binary, a value of no type beside a key", bareBinary("subject", struct{}{}, "id", k), emptySlot(t)},
		{"binary, says not binary", func() binding.Message { return &bare{encoding: binding.EncodingBinary, fails: binding.ErrNotBinary} }, emptySlot(t)},
		{"binary, panics", func() binding.Message { return &bare{encoding: binding.EncodingBinary, panics: "oh"} }, emptySlot(t)},
		{"structured, HTTP", func() binding.Message { return structuredHTTP(structuredJSON(k)) }, 1},
		{"structured, no Len", func() binding.Message {
			return cehttp.NewMessage(http.Header{"Content-Type": {"application/cloudevents+json"}}, io.NopCloser(io.MultiReader(strings.NewReader(structuredJSON(k)))))
		}, 1},
		{"structured, no metadata", func() binding.Message {
			return &bare{encoding: binding.EncodingStructured, structured: structuredJSON(k)}
		}, 1},
		{"structured, broken", func() binding.Message { return structuredHTTP(structuredJSON(k)[1:]) }, emptySlot(t)},
		{"structured, empty", func() binding.Message { return structuredHTTP("") }, emptySlot(t)},
		{"structured, says not structured", func() binding.Message {
			return &bare{encoding: binding.EncodingStructured, fails: binding.ErrNotStructured}
		}, emptySlot(t)},
		{"structured, panics", func() binding.Message { return &bare{encoding: binding.EncodingStructured, panics: "oh"} }, emptySlot(t)},
		{"structured, nil body", func() binding.Message {
			return cehttp.NewMessage(http.Header{"Content-Type": {"application/cloudevents+json"}}, nil)
		}, emptySlot(t)},
		{"batch", func() binding.Message {
			return httpMessage("["+structuredJSON(k)+"]", "Content-Type", "application/cloudevents-batch+json")
		}, emptySlot(t)},
		{"unknown", func() binding.Message { return httpMessage(structuredJSON(k), "Content-Type", "application/json") }, emptySlot(t)},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range size {
				original := &finisher{Message: test.make()}
				got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{original}}, member(t, i), noTopic, receiver.Options{}))
				if i != test.want {
					if len(got) != 0 || fmt.Sprint(original.finished()) != "[<nil>]" {
						t.Errorf("member %d: got %d messages, finished with %v, want none, [<nil>]", i, len(got), original.finished())
					}
					continue
				}
				if len(got) != 1 || len(original.finished()) != 0 {
					t.Fatalf("member %d: got %d messages, finished with %v, want one, []", i, len(got), original.finished())
				}
				checkSame(t, got[0], test.make)
				if err := got[0].Finish(io.ErrClosedPipe); err != nil {
					t.Error(err)
				}
				if fmt.Sprint(original.finished()) != fmt.Sprint([]error{io.ErrClosedPipe}) {
					t.Errorf("finished with %v", original.finished())
				}
			}
		})
	}
}

// checkSame compares a message that was handed on with a fresh one of its kind: by its encoding,
// what it holds inside, and what decoding gives, with panics as errors.
func checkSame(t *testing.T, got binding.Message, fresh func() binding.Message) {
	t.Helper()
	want := fresh()
	if g, w := got.ReadEncoding(), want.ReadEncoding(); g != w {
		t.Errorf("got encoding %v, want %v", g, w)
	}
	if g, w := reflect.TypeOf(binding.UnwrapMessage(got)), reflect.TypeOf(binding.UnwrapMessage(want)); g != w {
		t.Errorf("got %v inside, want %v", g, w)
	}
	gotEvent, gotErr := binding.ToEvent(context.Background(), got)
	wantEvent, panicked, wantErr := toEvent(want)
	if panicked != nil {
		if p := (*receiver.PanicError)(nil); !errors.As(gotErr, &p) || fmt.Sprint(p.Value) != fmt.Sprint(panicked) || len(p.Stack) == 0 {
			t.Errorf("got error %v, want a PanicError of %v", gotErr, panicked)
		}
		return
	}
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(gotEvent, wantEvent) {
		t.Errorf("got %v, %v, want %v, %v", gotEvent, gotErr, wantEvent, wantErr)
	}
}

// The messages of one transport by the topic that they came on; commands are handed on unread, whatever they hold.
func TestCommands(t *testing.T) {
	topics := map[binding.Message]string{}
	var all []binding.Message
	unread := &bare{encoding: binding.EncodingStructured}
	for topic, m := range map[string]binding.Message{
		"wrk.feed.command.7": structuredHTTP("{"),
		"wrk.feed.command.8": binaryHTTP(key(t, 0)),
		"wrk.feed.command.9": unread,
	} {
		topics[m] = topic
		all = append(all, m)
	}
	var counter slot.Counter
	topic := func(m binding.Message) string { return topics[m] }
	for i := range size {
		got := receiveAll(t, newReceiver(t, &list{messages: all}, member(t, i), topic, receiver.Options{Verdict: counter.Count}))
		if len(got) != len(all) {
			t.Errorf("member %d: got %d commands, want %d", i, len(got), len(all))
		}
	}
	if got, want := counter.Counts(), (slot.Counts{Bypass: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if unread.reads != 0 {
		t.Errorf("a command was read %d times", unread.reads)
	}
}

func TestTransport(t *testing.T) {
	k := key(t, 1)
	encoded := strings.ReplaceAll(k, "-", "%2D")
	for _, test := range []struct {
		rule      string
		transport cloudevent.Transport
		topic     string
		message   binding.Message
		want      slot.Verdict
	}{
		{"subject,id percent", cloudevent.HTTP, "", binaryHTTP(encoded), verdict(t, slot.Own, k)},
		{"subject,id percent", cloudevent.NATS, "", bareBinary("id", `"`+encoded+`"`)(), verdict(t, slot.Own, k)},
		{"subject,id percent", cloudevent.Kafka, "", bareBinary("id", k)(), verdict(t, slot.Own, k)},
		{"subject,id percent", cloudevent.AMQP, "", bareBinary("id", k)(), verdict(t, slot.Own, k)},
		{"subject,id percent", cloudevent.Kafka, "", bareBinary("id", "%6b")(), verdict(t, 0, "%6b")},
		{"subject,id percent", cloudevent.HTTP, "", structuredHTTP(structuredJSON(k)), verdict(t, slot.Own, k)},
		{"subject,id", 0, "", bareBinary("id", "%6b")(), verdict(t, 0, "%6b")},
		{"subject,id", cloudevent.MQTT, "wrk/feed/command/7", bareBinary("id", k)(), slot.Verdict{Kind: slot.Bypass, Slot: -1}},
		{"subject,id", cloudevent.MQTT, "ticks", bareBinary("id", k, "subject", nil)(), verdict(t, slot.Own, k)},
		{"subject,id", 0, "wrk/feed/command/7", bareBinary("id", k)(), verdict(t, slot.Own, k)},
		{"topic[1]", 0, "ticks." + k, bareBinary()(), verdict(t, slot.Own, k)},
		{"topic[1]", 0, "ticks." + k, structuredHTTP("{}"), verdict(t, slot.Own, k)},
		{"partitionkey,id", 0, "", bareBinary("PartitionKey", "a", "partitionkey", k, "PARTITIONKEY", "b")(), verdict(t, slot.Own, k)},
		{"partitionkey,id", cloudevent.AMQP, "", bareBinary("Partitionkey", "a", "PARTITIONKEY", k)(), verdict(t, slot.Own, k)},
		{"partitionkey,id", cloudevent.Kafka, "", bareBinary("partitionkey", 7.5)(), verdict(t, 0, "7")},
		{"partitionkey,id", cloudevent.Kafka, "", bareBinary("partitionkey", []byte{1, 2})(), verdict(t, 0, "AQI=")},
		{"partitionkey,id", cloudevent.Kafka, "", bareBinary("partitionkey", "", "id", k)(), verdict(t, slot.Own, k)},
		{"specversion", 0, "", bareBinary("id", k)(), verdict(t, 0, "1.0")},
		{"datacontenttype", cloudevent.HTTP, "", binaryHTTP(k), verdict(t, 0, "text/plain")},
		{"datacontenttype,id", cloudevent.AMQP, "", bareBinary("id", k, "datacontenttype", " text/plain")(), verdict(t, 0, "text/plain")},
		{"datacontenttype,id", cloudevent.MQTT, "", bareBinary("id", k, "datacontenttype", "text/plain")(), verdict(t, 0, "text/plain")},
		{"datacontenttype,id", cloudevent.NATS, "", bareBinary("id", k, "datacontenttype", "application/cloudevents+json")(), verdict(t, slot.Own, k)},
	} {
		name := fmt.Sprintf("%s, %v, %s", test.rule, test.transport, test.topic)
		var got slot.Verdict
		see := func(v slot.Verdict) slot.Verdict { got = v; return v }
		f := member(t, 1).WithRule(rule(t, test.rule))
		topic := func(binding.Message) string { return test.topic }
		receiveAll(t, newReceiver(t, &list{messages: []binding.Message{test.message}}, f, topic, receiver.Options{Transport: test.transport, Verdict: see}))
		if got != test.want {
			t.Errorf("%s: got %v %x, want %v %x", name, got, got.Sum, test.want, test.want.Sum)
		}
	}
}

// verdict is that of member 1 on a key. A kind is checked against it where it is given.
func verdict(t *testing.T, kind slot.Kind, key string) slot.Verdict {
	t.Helper()
	v := member(t, 1).Judge(routeOf(key))
	if kind != 0 && v.Kind != kind {
		t.Fatalf("%q has the verdict %v, want %v", key, v, kind)
	}
	return v
}

// A message that its transport fails to deliver whole is nobody's: each member hands it on, so that
// its decoder and its broker see the failure, and no verdict is counted.
func TestTransportFailure(t *testing.T) {
	broken := errors.New("connection reset")
	for _, encoding := range []binding.Encoding{binding.EncodingStructured, binding.EncodingBinary} {
		for i := range size {
			o := receiver.Options{Verdict: func(v slot.Verdict) slot.Verdict { t.Errorf("got the verdict %v, want none", v); return v }}
			m := &bare{encoding: encoding, fails: broken}
			got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{m}}, member(t, i), noTopic, o))
			if len(got) != 1 {
				t.Fatalf("%v, member %d: got %d messages, want 1", encoding, i, len(got))
			}
			if _, err := binding.ToEvent(context.Background(), got[0]); err != broken {
				t.Errorf("%v, member %d: got %v, want %v", encoding, i, err, broken)
			}
		}
	}
}

// What a dedicated member gets is not read, and Guard judges nothing.
func TestUnread(t *testing.T) {
	structured, binary := &bare{encoding: binding.EncodingStructured}, &bare{encoding: binding.EncodingBinary}
	unread := func() *list { return &list{messages: []binding.Message{structured, binary}} }
	var verdicts []slot.Verdict
	observed := func(v slot.Verdict) slot.Verdict { verdicts = append(verdicts, v); return v }
	if got := receiveAll(t, newReceiver(t, unread(), new(slot.Filter), noTopic, receiver.Options{Verdict: observed})); len(got) != 2 {
		t.Errorf("got %d messages, want 2", len(got))
	}
	own := slot.Verdict{Kind: slot.Own, Slot: -1, Sum: hashpin.Sum32String("")}
	if want := []slot.Verdict{own, own}; !slices.Equal(verdicts, want) {
		t.Errorf("got the verdicts %+v, want %+v", verdicts, want)
	}
	guarded, err := receiver.Guard(unread(), receiver.Options{Verdict: func(v slot.Verdict) slot.Verdict { t.Errorf("got the verdict %v, want none", v); return v }})
	if err != nil {
		t.Fatal(err)
	}
	if got := receiveAll(t, guarded.(protocol.Receiver)); len(got) != 2 {
		t.Errorf("got %d messages, want 2", len(got))
	}
	if structured.reads+binary.reads != 0 {
		t.Errorf("read %d and %d times, want never", structured.reads, binary.reads)
	}
}

// A message that has a context keeps it; one that has none gets none.
func TestContext(t *testing.T) {
	type mark struct{}
	ctx := context.WithValue(context.Background(), mark{}, 7)
	k := key(t, 1)
	for _, with := range []bool{true, false} {
		for _, m := range []*bare{
			{encoding: binding.EncodingStructured, structured: structuredJSON(k), ctx: ctx},
			{encoding: binding.EncodingBinary, binary: setAttributes("id", k), ctx: ctx},
		} {
			var message binding.Message = m
			if with {
				message = bareWithContext{m}
			}
			got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{message}}, member(t, 1), noTopic, receiver.Options{}))
			if len(got) != 1 {
				t.Fatalf("got %d messages, want 1", len(got))
			}
			c, has := got[0].(binding.MessageContext)
			if has != with || has && c.Context() != ctx {
				t.Errorf("%v: got a context: %v, want %v", m.encoding, has, with)
			}
		}
	}
}

// GetAttribute panics in many bindings for structured messages, and does not here.
func TestMetadata(t *testing.T) {
	f := member(t, 1)
	for _, m := range []binding.Message{
		binaryHTTP(key(t, 1), "Ce-Partitionkey", "p"),
		&bare{encoding: binding.EncodingStructured, structured: structuredJSON(key(t, 1))},
		struct{ binding.Message }{structuredHTTP(structuredJSON(key(t, 1)))}, // without methods for metadata
	} {
		got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{m}}, f, noTopic, receiver.Options{}))
		if len(got) != 1 {
			t.Fatalf("got %d messages, want 1", len(got))
		}
		r := got[0].(binding.MessageMetadataReader)
		_, id := r.GetAttribute(spec.ID)
		extension := r.GetExtension("partitionkey")
		if binary := m.ReadEncoding() == binding.EncodingBinary; binary && (id != key(t, 1) || extension != "p") || !binary && (id != nil || extension != nil) {
			t.Errorf("got id %v and extension %v of %v", id, extension, m.ReadEncoding())
		}
	}
}

// A message that says that it holds an event and holds none makes the SDK search for ever, and here
// is as good as one of no known encoding.
func TestEventless(t *testing.T) {
	for i := range size {
		for name, m := range map[string]binding.Message{
			"no event": &bare{encoding: binding.EncodingEvent},
			"nil":      (*binding.EventMessage)(nil),
		} {
			got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{m}}, member(t, i), noTopic, receiver.Options{}))
			if i != emptySlot(t) {
				if len(got) != 0 {
					t.Errorf("%s, member %d: got %d messages, want none", name, i, len(got))
				}
				continue
			}
			if len(got) != 1 {
				t.Fatalf("%s, member %d: got %d messages, want 1", name, i, len(got))
			}
			if _, err := binding.ToEvent(context.Background(), got[0]); err != binding.ErrUnknownEncoding {
				t.Errorf("%s: got %v, want ErrUnknownEncoding", name, err)
			}
		}
	}
}

// The hook is told once, whatever reads the message how often.
func TestMalformedHook(t *testing.T) {
	for _, test := range []struct {
		name    string
		message binding.Message
		want    string
	}{
		{"data_base64", structuredHTTP(`{"specversion":"1.0","id":"` + key(t, 1) + `","type":"t","source":"/s","data_base64":1}`), "slice bounds out of range"},
		{"datacontentencoding", structuredHTTP(`{"id":"` + key(t, 1) + `","type":"t","source":"/s","datacontentencoding":"","specversion":"0.3"}`), "nil pointer"},
		{"not JSON", structuredHTTP(`{"id":"` + key(t, 1) + `","data":nonsense}`), "invalid character"},
		{"bad time", binaryHTTP(key(t, 1), "Ce-Time", "yesterday"), "invalid value for time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var errs []error
			var of []binding.Message
			o := receiver.Options{Malformed: func(m binding.Message, err error) { of, errs = append(of, m), append(errs, err) }}
			f := &finisher{Message: test.message}
			got := receiveAll(t, newReceiver(t, &list{messages: []binding.Message{f}}, member(t, 1), noTopic, o))
			if len(got) != 1 {
				t.Fatalf("got %d messages, want 1", len(got))
			}
			for range 3 {
				if e, err := binding.ToEvent(context.Background(), got[0]); e != nil || err == nil {
					t.Errorf("got %v, %v, want an error", e, err)
				}
			}
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), test.want) || of[0] != binding.Message(f) {
				t.Errorf("got %v, want one error with %q", errs, test.want)
			}
		})
	}
	t.Run("good", func(t *testing.T) {
		o := receiver.Options{Malformed: func(m binding.Message, err error) { t.Error(err) }}
		inner := &list{messages: []binding.Message{structuredHTTP(structuredJSON(key(t, 1))), binaryHTTP(key(t, 1))}}
		for _, m := range receiveAll(t, newReceiver(t, inner, member(t, 1), noTopic, o)) {
			if _, err := binding.ToEvent(context.Background(), m); err != nil {
				t.Error(err)
			}
		}
	})
}

// A function that returns the zero Verdict lets everything through, and sees what would have been dropped.
func TestObserve(t *testing.T) {
	var counter slot.Counter
	inner := &list{messages: []binding.Message{binaryHTTP(key(t, 0)), binaryHTTP(key(t, 1)), structuredHTTP("{")}}
	observe := func(v slot.Verdict) slot.Verdict { counter.Count(v); return slot.Verdict{} }
	if got := receiveAll(t, newReceiver(t, inner, member(t, 1), noTopic, receiver.Options{Verdict: observe})); len(got) != 3 {
		t.Errorf("got %d messages, want 3", len(got))
	}
	if got := counter.Counts(); got.Own != 1 || got.Foreign+got.Malformed != 2 {
		t.Errorf("got %+v", got)
	}
}

// Foreign messages of a responder are finished and answered, over HTTP with 204.
func TestRespond(t *testing.T) {
	e0, e1 := newEvent(key(t, 0)), newEvent(key(t, 1))
	inner := &listResponder{list: list{messages: []binding.Message{
		binding.ToMessage(&e0), binaryHTTP(key(t, 0)), binding.WithFinish(binaryHTTP(key(t, 0)), nil), binding.ToMessage(&e1), binaryHTTP(key(t, 2)),
	}}}
	v, err := receiver.New(inner, member(t, 1), noTopic, receiver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := v.(protocol.Receiver); ok {
		t.Error("got a Receiver, want none")
	}
	r := v.(protocol.Responder)
	m, respond, err := r.Respond(context.Background())
	if err != nil || m != binding.ToMessage(&e1) {
		t.Fatalf("got %v, %v, want the own event", m, err)
	}
	if err := respond(context.Background(), nil, protocol.ResultNACK); err != nil {
		t.Error(err)
	}
	if _, _, err := r.Respond(context.Background()); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
	var got []string
	for _, answer := range inner.answers {
		var result *cehttp.Result
		switch {
		case protocol.ResultAs(answer, &result):
			got = append(got, fmt.Sprint(result.StatusCode))
		default:
			got = append(got, fmt.Sprint(protocol.IsACK(answer)))
		}
	}
	if want := "[true 204 204 false 204]"; fmt.Sprint(got) != want {
		t.Errorf("got answers %v, want %v", got, want)
	}
}
