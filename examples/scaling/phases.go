package main

import (
	"fmt"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// size is the number of workers in the phases before the stream.
const size = 3

// fanOut: dedicated workers belong to no group, and each takes every event of its topic.
func (s *stage) fanOut() error {
	topic := s.topic("fanout")
	var roles []role
	for i := range size {
		roles = append(roles, role{fmt.Sprintf("fanout-%d", i), slot.Member{}, []string{topic}})
	}
	c, err := s.assemble(topic, roles...)
	if err != nil {
		return err
	}
	defer c.disband()
	t, err := c.play(publication{topic: topic, event: orders()[0], receivers: size, takers: c.ids()})
	if err != nil {
		return err
	}
	s.report.Phase("fan-out", "1 event -> "+t.markers(),
		"dedicated workers on one topic: each handles every event", t.problems()...)
	return nil
}

// exactlyOne: each worker has a topic of its own, and the publisher puts each event where it belongs.
func (s *stage) exactlyOne() error {
	base := s.topic("routed")
	var roles []role
	for i := range size {
		roles = append(roles, role{fmt.Sprintf("routed-%d", i), slot.Member{}, []string{routing.PartitionTopic(base, i)}})
	}
	c, err := s.assemble(base, roles...)
	if err != nil {
		return err
	}
	defer c.disband()
	publisher, err := slot.NewSet(group, size) // knows the group, holds none of its slots
	if err != nil {
		return err
	}
	var plan []publication
	for _, e := range orders() {
		key, _ := routing.Key(routing.Event{Subject: e.Subject, ID: e.ID})
		place := publisher.Slot(key)
		plan = append(plan, publication{topic: routing.PartitionTopic(base, place), event: e, receivers: 1, takers: c.ids()[place : place+1]})
	}
	t, err := c.play(plan...)
	if err != nil {
		return err
	}
	s.report.Phase("exactly-one", t.perEvent(), "one topic per worker, and a publisher that routes: "+t.who(), t.problems()...)
	return nil
}

// groupAndCommand: one topic for all. Every worker receives every event and drops what is not its own, but a command
// reaches them all.
func (s *stage) groupAndCommand() error {
	topic, command := s.topic("group"), "wrk.demo.command."+s.id("group", 1)
	var roles []role
	for i := range size {
		member, err := slot.New(s.faults.config(slot.Config{Group: group, Size: size, Index: i}))
		if err != nil {
			return err
		}
		roles = append(roles, role{s.id("group", i), member, []string{topic, command}})
	}
	c, err := s.assemble(topic, roles...)
	if err != nil {
		return err
	}
	defer c.disband()
	outsider, err := slot.NewSet(group, size) // tells whose an event is
	if err != nil {
		return err
	}
	var plan []publication
	for _, e := range orders() {
		place := outsider.Slot(e.Key())
		plan = append(plan, publication{topic: topic, event: e, receivers: size, takers: c.ids()[place : place+1]})
	}
	t, err := c.play(plan...)
	if err != nil {
		return err
	}
	s.report.Phase("group", t.perEvent(), "one topic, group="+group+": "+t.who(), t.problems()...)

	t, err = c.play(publication{topic: command, event: orders()[0], receivers: size, takers: c.ids()})
	if err != nil {
		return err
	}
	problems := t.problems()
	for _, m := range t.marks {
		if m.Verdict != slot.Bypass.String() {
			problems = append(problems, fmt.Sprintf("%s says %s, not %s", m.Worker, m.Verdict, slot.Bypass))
		}
	}
	s.report.Phase("command", "1 event on "+command+" -> "+t.markers(),
		orders()[0].Key()+" went to one member of the group; as a command it reaches all", problems...)
	return nil
}
