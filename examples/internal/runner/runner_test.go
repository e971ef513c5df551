package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/examples/internal/runner"
	"github.com/slotkey/slotkey/examples/internal/runner/runnertest"
	"github.com/slotkey/slotkey/slot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A pipe is a broker of channels, which the runner is tried on, and which can be made to do wrong
// what brokers do wrong.
type pipe struct {
	site  *runner.Site
	mu    sync.Mutex
	lines map[*runner.Member]chan message
	kept  map[*runner.Member][]message // for members that are away; nil where nothing is kept
	sent  int
	last  message

	deliver func(p *pipe, m *runner.Member, msg message) []message // nil: as it came
	publish func(sent int) error
	filter  func(*runner.Member) *slot.Filter
	blind   bool // the consumer does not look at headers
}

type message struct {
	topic string
	runner.Event
	again bool
}

func program(set func(*pipe)) runner.Program {
	return runner.Program{
		Name: "pipe", Summary: "pipe is for tests.",
		Address: runner.Address{Flag: "url", Meaning: "nothing", Example: "x", Check: func(url string) error {
			if url != "here" {
				return errors.New("-url is not here")
			}
			return nil
		}},
		Open: func(_ context.Context, site *runner.Site) (runner.Engine, error) {
			p := &pipe{site: site, lines: map[*runner.Member]chan message{}}
			if set != nil {
				set(p)
			}
			return p, nil
		},
	}
}

func (p *pipe) Describe() string { return "channels" }

func (p *pipe) Publish(_ context.Context, topic string, e runner.Event) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent++
	if p.publish != nil {
		if err := p.publish(p.sent); err != nil {
			return err
		}
	}
	for _, m := range p.site.Members {
		list := []message{{topic, e, false}}
		if p.deliver != nil {
			list = p.deliver(p, m, list[0])
		}
		for _, msg := range list {
			if line := p.lines[m]; line != nil {
				line <- msg
			} else if p.kept != nil {
				p.kept[m] = append(p.kept[m], msg)
			}
		}
	}
	return nil
}

func (p *pipe) Join(_ context.Context, m *runner.Member) (func() error, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := make(chan message, 2000)
	for _, msg := range p.kept[m] {
		line <- msg
	}
	p.lines[m] = line
	filter := m.Filter
	if p.filter != nil {
		filter = p.filter(m)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for msg := range line {
			header := func(name string) string { return msg.Attributes[name] }
			lookup := cloudevent.HTTP.Lookup(func(name string) (string, bool) {
				if name == "content-type" {
					return msg.ContentType, true
				}
				value, ok := msg.Attributes[strings.TrimPrefix(name, "ce-")]
				return value, ok
			})
			if p.blind {
				lookup = cloudevent.Header{}
			}
			verdict := m.Counter.Count(cloudevent.DecideMessage(filter, cloudevent.Message{Topic: msg.topic, Header: lookup, Body: msg.Body}))
			if verdict.Admit() {
				received, err := runner.Read(msg.Body, header)
				m.Handle(verdict, received, msg.again, err)
			}
		}
	})
	return func() error {
		p.mu.Lock()
		delete(p.lines, m)
		p.mu.Unlock()
		close(line)
		running.Wait()
		return nil
	}, nil
}

func (p *pipe) Close() error { return nil }

func keep(p *pipe) { p.kept = map[*runner.Member][]message{} }

const wantTable = `stream: 324 events (112 in binary mode), 64 subjects -> 324 handled, 648 dropped by 3 member(s)
  PASS  each event handled once, by its one member, in the order of its subject; 36 of 324 had no subject and went by id
        member              handled   dropped     again      keys
        demo:0/3                104       220         0        33
        demo:1/3                 90       234         0        29
        demo:2/3                130       194         0        38
command: 1 event on wrk.demo.command.member-2 -> 3 member(s)
  PASS  as a command it reaches all
away: member-2 stops, 60 events, member-2 is back, 60 events more
`

func TestPasses(t *testing.T) {
	runnertest.Passes(t, program(nil), nil, wantTable+"  PASS  its 28 events are lost, as nothing keeps them")
	p := program(keep)
	p.Keeps = true
	runnertest.Passes(t, p, nil, wantTable+"  PASS  its 28 events waited for it, and no other member took them", "meanwhile: group demo on [demo.events] has 2 of 3 members running")
	for _, members := range []string{"1", "2", "40"} {
		runnertest.Passes(t, program(nil), []string{"-members", members}, members+" of "+members+" members running")
		runnertest.Passes(t, p, []string{"-members", members})
	}
}

// On a server that others use as well, names are the run's own.
func TestSpace(t *testing.T) {
	seen := map[string]bool{}
	for range 2 {
		p := program(func(p *pipe) {
			for _, name := range []string{p.site.Space, p.site.Events, p.site.Command(), p.site.Members[0].Name} {
				if seen[name] {
					t.Errorf("%s twice", name)
				}
				seen[name] = true
			}
		})
		runnertest.Passes(t, p, []string{"-url", "here"})
	}
}

func TestRateAndDuration(t *testing.T) {
	start := time.Now()
	runnertest.Passes(t, program(nil), []string{"-duration", "300ms", "-rate", "100", "-members", "2"})
	if took := time.Since(start); took < 300*time.Millisecond {
		t.Errorf("took %v", took)
	}
	runnertest.Passes(t, program(nil), []string{"-rate", "5000"}, "324 handled")
	runnertest.Passes(t, program(nil), []string{"-rate", "0.7", "-duration", "1200ms"}, "stream: 1 events")
}

// Whatever a broker does wrong is noticed and said.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*pipe)
		want []string
	}{
		{"one member misses an event", func(p *pipe) {
			p.deliver = func(p *pipe, m *runner.Member, msg message) []message {
				if p.sent == 20 && m.Index == 1 {
					return nil
				}
				return []message{msg}
			}
		}, []string{"member-1 received "}},
		{"a shared queue", func(p *pipe) {
			p.deliver = func(p *pipe, m *runner.Member, msg message) []message {
				if p.sent%3 != m.Index {
					return nil
				}
				return []message{msg}
			}
		}, []string{"lost: ", "the broker shares the events out"}},
		{"each member is sent its own events only", func(p *pipe) {
			p.deliver = func(_ *pipe, m *runner.Member, msg message) []message {
				if !m.Filter.Member().Owns(msg.Key) {
					return nil
				}
				return []message{msg}
			}
		}, []string{"member-0 never drops, although it is one of 3"}},
		{"delivered twice without saying so", func(p *pipe) {
			p.deliver = func(p *pipe, _ *runner.Member, msg message) []message { return []message{msg, msg} }
		}, []string{"handled again: "}},
		{"out of order", func(p *pipe) {
			p.deliver = func(p *pipe, m *runner.Member, msg message) []message {
				if p.sent%2 == 1 && p.sent < 324 {
					p.last = msg
					return nil
				}
				return []message{msg, p.last}
			}
		}, []string{"out of order: "}},
		{"two members with one index", func(p *pipe) {
			p.filter = func(m *runner.Member) *slot.Filter { return p.site.Members[min(m.Index, 1)].Filter }
		}, []string{"lost: ", "handled again: "}},
		{"a member of another size", func(p *pipe) {
			other, err := slot.New(slot.Config{Group: "demo", Size: 4, Index: 2})
			if err != nil {
				t.Fatal(err)
			}
			p.filter = func(m *runner.Member) *slot.Filter {
				if m.Index == 2 {
					return slot.NewFilter(other)
				}
				return m.Filter
			}
		}, []string{"lost: "}},
		{"headers are not read", func(p *pipe) { p.blind = true }, []string{" events as malformed: are their headers read"}},
		{"a member never has the command", func(p *pipe) {
			p.deliver = func(p *pipe, m *runner.Member, msg message) []message {
				if msg.topic == p.site.Command() && m.Index == 0 {
					return nil
				}
				return []message{msg}
			}
		}, []string{"member-0 handled the command 0 times", "FAIL: command"}},
		{"events are kept by one that keeps nothing", keep, []string{"FAIL: away"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // they wait for events that do not come
			p := program(c.set)
			p.Silence = 300 * time.Millisecond
			runnertest.Fails(t, p, nil, c.want...)
		})
	}
	t.Run("events are lost by one that keeps them", func(t *testing.T) {
		p := program(nil)
		p.Keeps = true
		runnertest.Fails(t, p, nil, "lost: 28 (first: ", "FAIL: away")
	})
	t.Run("a publisher that routes wrong", func(t *testing.T) {
		p := program(nil)
		p.Routed = true
		runnertest.Fails(t, p, nil, "member-1 was sent ", " events of other members: publisher and members disagree")
	})
}

// A ledger of the broker's own is looked at in the end.
func TestCursors(t *testing.T) {
	p := program(nil)
	inner := p.Open
	for pending, want := range map[int]string{0: "cursors: 3 member(s)\n  PASS  nothing is pending", 2: "FAIL  member-1 has 2 events pending"} {
		p.Open = func(ctx context.Context, site *runner.Site) (runner.Engine, error) {
			engine, err := inner(ctx, site)
			return pender{engine, pending}, err
		}
		if pending == 0 {
			runnertest.Passes(t, p, nil, want)
		} else {
			runnertest.Fails(t, p, nil, want)
		}
	}
}

type pender struct {
	runner.Engine
	pending int
}

func (p pender) Pending(_ context.Context, m *runner.Member) (int, error) {
	if m.Index == 1 {
		return p.pending, nil
	}
	return 0, nil
}

// A repeat that the broker owns up to is counted and no fault.
func TestRedelivery(t *testing.T) {
	p := program(func(p *pipe) {
		p.deliver = func(p *pipe, _ *runner.Member, msg message) []message {
			again := msg
			again.again = true
			if p.sent == 324 {
				return []message{msg, again}
			}
			return []message{msg}
		}
	})
	runnertest.Passes(t, p, nil, "\nagain: 1 event(s) came to their own member once more, marked as delivered again\nPASS: all ")
}

// A mark of redelivery excuses the event's own member, and no other.
func TestRedeliveryToAnother(t *testing.T) {
	p := program(func(p *pipe) {
		p.deliver = func(p *pipe, _ *runner.Member, msg message) []message {
			msg.again = true
			return []message{msg}
		}
		p.filter = func(m *runner.Member) *slot.Filter { return p.site.Members[min(m.Index, 1)].Filter }
	})
	p.Silence = 300 * time.Millisecond
	runnertest.Fails(t, p, nil, "handled again: ")
}

func TestEnds(t *testing.T) {
	broken := program(func(p *pipe) {
		p.publish = func(sent int) error {
			if sent == 5 {
				return errors.New("it broke")
			}
			return nil
		}
	})
	o := runnertest.Run(t, broken)
	if want := "pipe: sample.ndjson, line 5: publishing to demo.events: it broke\n"; o.Status != 1 || o.Err != want {
		t.Errorf("status %d, %q, want %q", o.Status, o.Err, want)
	}
	lost := program(func(p *pipe) {
		p.publish = func(sent int) error {
			if sent == 200 {
				p.site.Members[1].Fail(errors.New("connection lost"))
			}
			return nil
		}
	})
	o = runnertest.Run(t, lost)
	if want := "pipe: member-1: connection lost\n"; o.Status != 1 || o.Err != want {
		t.Errorf("status %d, %q, want %q", o.Status, o.Err, want)
	}
}

// A signal ends publishing; what was published is finished and reported.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := program(func(p *pipe) {
		p.publish = func(sent int) error {
			if sent == 1000 {
				cancel()
			}
			return nil
		}
	})
	o := runnertest.RunContext(ctx, p, "-duration", "1h")
	if o.Status != 0 || !strings.Contains(o.Out, "1000 handled") || !strings.Contains(o.Out, "\ninterrupted: the members have finished what was published\nPASS: all 1 phases\n") {
		t.Errorf("status %d, %s\n%s", o.Status, o.Err, o.Out)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if o := runnertest.RunContext(ctx, p); o.Status != 0 || !strings.Contains(o.Out, "stream: 0 events") {
		t.Errorf("status %d, %s\n%s", o.Status, o.Err, o.Out)
	}
}

func TestEventsOfTheUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.json")
	text := `[{"specversion":"1.0","id":"1","type":"t","source":"s","subject":"a","x":"y"},
		{ "specversion":"1.0","id":"1","type":"t","source":"s","subject":"a","dataschema":"http://x","datacontenttype":"text/plain","data":"z"}]`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	runnertest.Passes(t, program(nil), []string{"-events", path, "-members", "2"}, "stream: 2 events (1 in binary mode), 1 subjects -> 2 handled, 2 dropped")
	o := runnertest.Run(t, program(nil), "-events", path+"x")
	if o.Status != 1 || !strings.Contains(o.Err, "no such file") {
		t.Errorf("status %d, %q", o.Status, o.Err)
	}
}

func TestCommandLine(t *testing.T) {
	p := program(nil)
	p.Listen = true
	for args, want := range map[string]string{
		"-members 0":                    "-members 0: slot: group_size 0 is below 1",
		"-members 1025":                 "above the limit of 1024",
		"-rate 0":                       "-rate 0 is not between 0 and 1e9",
		"-rate -1":                      "-rate -1 is not",
		"-rate NaN":                     "-rate NaN is not",
		"-rate 2e9":                     "-rate 2e+09 is not",
		"-duration 0s":                  "-duration 0s is not above 0",
		"-duration -1s":                 "-duration -1s is not",
		"-duration 5":                   "invalid value",
		"-url there":                    "-url is not here",
		"-url=":                         "-url is empty",
		"-listen=":                      "-listen is empty",
		"-listen a:1,b:2":               "-listen has 2 addresses for 3 members",
		"more":                          `"more" is not a flag`,
		"-brokers x":                    "flag provided but not defined",
		"-members 2 -listen a:1":        "1 addresses for 2 members",
		"-events= -duration 1s":         "-events is empty",
		"-members 99999999999999999999": "invalid value",
	} {
		runnertest.Refuses(t, p, want, strings.Fields(args)...)
	}
	p.Address.PerMember = true
	runnertest.Refuses(t, p, "-url has 1 addresses for 3 members", "-url", "here", "-listen", "a:1,b:2,c:3")
	runnertest.Refuses(t, p, "-url needs -listen", "-url", "here", "-members", "1")
	o := runnertest.Run(t, p, "-h")
	if o.Status != 0 || o.Err != "" || !strings.Contains(o.Out, "  -url ADDRESS      use nothing, such as") || !strings.Contains(o.Out, "-listen") {
		t.Errorf("-h: %+v", o)
	}
}
