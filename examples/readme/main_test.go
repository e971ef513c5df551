package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// The README shows this program's loop: every line of its Go block but the error handling stands in main.go.
func TestREADMEShowsThisProgram(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(readme), "```go\n")
	if !ok {
		t.Fatal("README.md has no Go block")
	}
	block, _, _ = strings.Cut(block, "```")
	lines := 0
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, " //")
		line = strings.TrimSpace(line)
		line = strings.Replace(line, "Index: 1", "Index: index", 1)
		line = strings.Replace(line, "log.Fatal(err)", "return err", 1)
		if !strings.Contains(string(program), line) {
			t.Errorf("README.md has the line %q, which is not in main.go", line)
		}
		lines++
	}
	if lines < 10 {
		t.Errorf("README.md's Go block has %d lines, want the whole loop", lines)
	}
}

func TestConsumeDivides(t *testing.T) {
	ns, err := server.NewServer(&server.Options{DontListen: true, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() {
		ns.Shutdown()
		ns.WaitForShutdown()
	})
	nc, err := nats.Connect("", nats.InProcessServer(ns))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)

	var mu sync.Mutex
	handledBy := map[string][]int{}
	var all sync.WaitGroup
	const events = 60
	all.Add(events)
	for index := range 3 {
		err := consume(nc, index, func(msg *nats.Msg) {
			mu.Lock()
			defer mu.Unlock()
			handledBy[string(msg.Data)] = append(handledBy[string(msg.Data)], index)
			all.Done()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range events {
		msg := nats.NewMsg("orders.created")
		if i%2 == 0 { // structured mode
			msg.Data = fmt.Appendf(nil, `{"specversion":"1.0","id":"%d","source":"/shop","type":"created","subject":"order-%d"}`, i, i)
		} else { // binary mode
			msg.Data = fmt.Appendf(nil, "order %d", i)
			msg.Header.Set("ce-specversion", "1.0")
			msg.Header.Set("ce-id", fmt.Sprint(i))
			msg.Header.Set("ce-subject", fmt.Sprintf("order-%d", i))
		}
		if err := nc.PublishMsg(msg); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	if err := nc.Flush(); err != nil { // a second delivery would have come before the answer
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(handledBy) != events {
		t.Errorf("%d of %d events were handled", len(handledBy), events)
	}
	members := map[int]int{}
	for event, by := range handledBy {
		if len(by) != 1 {
			t.Errorf("%s was handled by the members %v, want one", event, by)
		}
		members[by[0]]++
	}
	if len(members) != 3 {
		t.Errorf("events by member: %v, want some for each of three", members)
	}
}

func TestConsumeRefusesAnIndexOutsideTheGroup(t *testing.T) {
	if err := consume(nil, 3, nil); err == nil {
		t.Error("index 3 of 3 was accepted")
	}
}
