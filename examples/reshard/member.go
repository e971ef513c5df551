package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
	"github.com/slotkey/slotkey/slot/resize"
)

// memberVariable holds the configuration of a member's process. The program starts itself with it.
const memberVariable = "SLOTKEY_RESHARD_MEMBER"

// commitEvery is how often a member stores its position. What it handled since then is handled again after a kill.
const commitEvery = 100 * time.Millisecond

// A memberConfig is what a member's process is told.
type memberConfig struct {
	URL         string        `json:"url"`
	Run         string        `json:"run"`
	Member      int           `json:"member"`
	Incarnation string        `json:"incarnation"` // random: tells the process from those before it
	Work        time.Duration `json:"work"`        // the longest time that a handler takes
	Faults      faults        `json:"faults"`
}

// A member is a consumer: a process that reads the whole log and handles its own events.
type member struct {
	memberConfig
	*stage
	started  time.Time
	sw       *resize.Switch
	frontier *commit.Frontier
	lanes    *lanes
	others   *others
	stored   stored // as it was stored last
}

// memberMain is the whole of a member's process, and returns its exit status. It ends when ctx
// does, when its parent does (which closes stdin), or when it has left the group by plan.
func memberMain(ctx context.Context, config string, stdin io.Reader, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		io.Copy(io.Discard, stdin)
		cancel()
	}()
	m := &member{started: time.Now()}
	err := json.Unmarshal([]byte(config), &m.memberConfig)
	if err == nil {
		err = m.run(ctx)
	}
	if err != nil {
		fmt.Fprintf(stderr, "member %d: %v\n", m.Member, err)
		return 1
	}
	return 0
}

func (m *member) run(ctx context.Context) error {
	// What is finished is stored also after ctx ends, so the requests to the broker do not end with it.
	requests := context.WithoutCancel(ctx)
	nc, js, err := connect(requests, m.URL, fmt.Sprintf("member %d", m.Member))
	if err != nil {
		return err
	}
	defer nc.Close()
	m.stage = &stage{run: m.Run, js: js}
	if err := m.stage.open(requests); err != nil {
		return err
	}
	watching, stopWatching := context.WithCancel(requests)
	defer stopWatching()
	plans := make(chan string, 1)
	m.others = newOthers()
	if err := errors.Join(
		m.watch(watching, planKey, func(_ string, text []byte) { plans <- string(text) }),
		m.watch(watching, commitKey("*"), m.others.update),
	); err != nil {
		return err
	}
	first, err := m.begin(requests, <-plans)
	if err != nil {
		return err
	}
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	inbox, err := m.read(reading, first)
	if err != nil {
		return err
	}
	m.lanes = newLanes(ctx, m)
	left, err := m.loop(ctx, inbox, plans)
	m.others.stop()
	err = errors.Join(err, m.lanes.wait(), m.store(requests))
	if err != nil {
		return err
	}
	kind := "stopped"
	if left {
		kind = "left"
	}
	return m.log(requests, record{Kind: kind, Member: m.Member, Incarnation: m.Incarnation})
}

// begin takes up the plan and the position, and returns the sequence from which to read.
func (m *member) begin(ctx context.Context, text string) (first uint64, err error) {
	plan, err := resize.ParsePlan(text)
	if err != nil {
		return 0, err
	}
	if m.sw, err = plan.Switch(group, m.Member, routing.Rule{}); err != nil {
		return 0, err
	}
	key, err := m.sw.Checkpoint(m.eventStream()).Key()
	if err != nil {
		return 0, err
	}
	found, err := m.get(ctx, commitKey(key), &m.stored)
	if err != nil {
		return 0, err
	}
	if !found { // a newcomer
		m.frontier = commit.From(m.sw.Start())
		first = max(1, m.sw.Start().Major) // sequences begin at 1
	} else {
		if err := m.resume(plan); err != nil {
			return 0, err
		}
		m.frontier = commit.After(m.stored.Committed)
		first = m.stored.Committed.Major + 1
	}
	if err := m.others.follow(plan, m.eventStream()); err != nil {
		return 0, err
	}
	if found && m.Faults.Ahead > 0 {
		first += m.Faults.Ahead
		m.frontier = commit.From(commit.At(first))
	}
	err = m.log(ctx, record{Kind: "started", Member: m.Member, Incarnation: m.Incarnation, Sequence: first, Plan: plan.String()})
	return first, errors.Join(err, m.announce(ctx))
}

// resume holds the plan against the one by which the member lived when it last stored its position.
// It may have been delivered more than it could store. But the publisher does not pass a switch
// before every process that runs has the text; so whatever this member was delivered without the
// text lies before the switch.
func (m *member) resume(plan resize.Plan) error {
	before, err := resize.ParsePlan(m.stored.Plan)
	if err == nil {
		_, err = before.Adopt(plan, m.stored.Delivered)
	}
	return err
}

// read delivers the log from a sequence on, in its order. Nothing is acknowledged: the position is ours to keep.
func (m *member) read(ctx context.Context, first uint64) (<-chan jetstream.Msg, error) {
	consumer, err := m.js.OrderedConsumer(ctx, m.eventStream(), jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: first,
	})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, messages.Stop)
	inbox := make(chan jetstream.Msg)
	go func() {
		defer close(inbox)
		for {
			msg, err := messages.Next()
			if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
				return
			} else if err != nil {
				continue // the consumer is made anew, from where it was
			}
			select {
			case inbox <- msg:
			case <-ctx.Done():
				return
			}
		}
	}()
	return inbox, nil
}

// loop is the consumer's loop. left is true when the plan no longer has the member.
func (m *member) loop(ctx context.Context, inbox <-chan jetstream.Msg, plans <-chan string) (left bool, err error) {
	tick := time.NewTicker(commitEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, nil
		case text := <-plans:
			err = m.adopt(ctx, text)
		case msg, ok := <-inbox:
			if !ok {
				if ctx.Err() != nil {
					return false, nil
				}
				return false, errors.New("the log is no longer delivered")
			}
			err = m.take(msg)
		case <-tick.C:
			err = m.store(context.WithoutCancel(ctx))
			if end, ok := m.sw.End(); ok && !m.stored.Committed.Before(end) {
				return true, err
			}
		case err = <-m.lanes.failed:
		}
		if err != nil {
			return false, err
		}
	}
}

// take decides on one message, on its raw bytes. These are the lines that a consumer adds.
func (m *member) take(msg jetstream.Msg) error {
	meta, err := msg.Metadata()
	if err != nil {
		return err
	}
	position := commit.At(meta.Sequence.Stream)
	verdict := cloudevent.Decide(m.sw.Filter(position), msg.Subject(), msg.Data())
	if !verdict.Admit() {
		return m.frontier.Skip(position)
	}
	fresh, err := m.frontier.Begin(position)
	if fresh {
		m.lanes.add(job{position, verdict, msg.Data()})
	}
	return err
}

// adopt takes up another text of the plan while the member runs.
func (m *member) adopt(ctx context.Context, text string) error {
	if m.Faults.deaf(m.Member) {
		return nil
	}
	next, err := resize.ParsePlan(text)
	if err != nil {
		return err
	}
	delivered, _ := m.frontier.Delivered()
	if next, err = m.sw.Plan().Adopt(next, delivered); err != nil {
		return err
	}
	if m.sw, err = next.Switch(group, m.Member, routing.Rule{}); err != nil {
		return err
	}
	if err := m.others.follow(next, m.eventStream()); err != nil {
		return err
	}
	m.lanes.judgeBy(m.sw)
	return errors.Join(
		m.announce(context.WithoutCancel(ctx)),
		m.log(context.WithoutCancel(ctx), record{Kind: "adopted", Member: m.Member, Incarnation: m.Incarnation, Plan: text}),
	)
}

// store stores the position, if it has moved, under the checkpoint's key and without expiry.
func (m *member) store(ctx context.Context) error {
	committed, ok := m.frontier.Committable()
	if !ok || committed == m.stored.Committed {
		return nil
	}
	checkpoint := m.sw.Checkpoint(m.eventStream())
	key, err := checkpoint.Key()
	if err != nil {
		return err
	}
	text, err := checkpoint.Text()
	if err != nil {
		return err
	}
	delivered, _ := m.frontier.Delivered()
	now := stored{Checkpoint: text, Committed: committed, Delivered: delivered, Plan: m.sw.Plan().String()}
	if err := m.put(ctx, commitKey(key), now); err != nil {
		return err
	}
	m.stored = now
	return m.announce(ctx)
}

// announce tells the fleet where the member stands.
func (m *member) announce(ctx context.Context) error {
	delivered, _ := m.frontier.Delivered()
	w := fleet.Worker{
		Name: fmt.Sprintf("member-%d", m.Member), Filter: m.sw.Filter(delivered), Topics: []string{m.eventTopic()}, Plan: m.sw.Plan().String(),
	}
	a := w.Announce(m.Incarnation, m.started, time.Now())
	a.Delivered, a.Committed = delivered, m.stored.Committed
	return m.put(ctx, announceKey(m.Member), a)
}
