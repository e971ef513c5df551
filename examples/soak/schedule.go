package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// A fault is something that happens in a run.
type fault string

const (
	killMember  fault = "kill"   // SIGKILL, and started again
	stopMember  fault = "stop"   // asked to stop, and started again
	pauseMember fault = "pause"  // SIGSTOP, and SIGCONT
	slowMember  fault = "slow"   // its handlers take longer
	downBroker  fault = "broker" // all servers are ended, and started again
	downNode    fault = "node"   // SIGKILL to one node of the cluster, and started again
	twin        fault = "twin"   // an intruder runs with the slot of a member
	otherSize   fault = "size"   // an intruder runs with another size
)

// A step is a fault in a schedule.
type step struct {
	at     time.Duration // since the first event
	fault  fault
	target int           // the member or node
	hold   time.Duration // until it is undone; none for intruders, which leave when they are found
	hard   bool          // downBroker: by SIGKILL; twin: under the name of the member that has the slot
}

func (s step) String() string {
	hold := s.hold.Round(time.Millisecond)
	switch s.fault {
	case killMember:
		return fmt.Sprintf("member %d is killed, for %v", s.target, hold)
	case stopMember:
		return fmt.Sprintf("member %d stops, for %v", s.target, hold)
	case pauseMember:
		return fmt.Sprintf("member %d is paused, for %v", s.target, hold)
	case slowMember:
		return fmt.Sprintf("member %d is slow, for %v", s.target, hold)
	case downBroker:
		if s.hard {
			return fmt.Sprintf("the broker is killed, for %v", hold)
		}
		return fmt.Sprintf("the broker stops, for %v", hold)
	case downNode:
		return fmt.Sprintf("node %d is killed, for %v", s.target, hold)
	case twin:
		if s.hard {
			return fmt.Sprintf("a second process starts as member %d", s.target)
		}
		return fmt.Sprintf("an intruder starts with the slot of member %d", s.target)
	}
	return fmt.Sprintf("an intruder starts with slot %d and another size", s.target)
}

// ackWait is how long JetStream waits for an acknowledgement before it delivers again.
func (o options) ackWait() time.Duration { return min(5*time.Second, o.duration/12) }

// schedule draws what happens in a run. It is the same for the same options. Each member is under
// one fault at a time, the broker, too, but they may overlap; intruders come when all is well. All
// faults are over by the end of the duration. In 25 seconds or more each kind happens.
func schedule(o options) []step {
	if !o.faults {
		return nil
	}
	rng := rand.New(rand.NewPCG(o.seed, 1))
	between := func(low, high time.Duration) time.Duration { return low + time.Duration(rng.Int64N(int64(high-low))) }
	kinds := []fault{killMember, stopMember, pauseMember, slowMember, downBroker, twin, otherSize} // at first each once
	often := []fault{killMember, pauseMember}
	if o.nodes > 1 {
		kinds, often = append(kinds, downNode), append(often, downNode)
	}
	longest := o.ackWait() * 3 / 2 // of pauses
	paused := false
	pace := min(max(o.duration/32, 600*time.Millisecond), 5*time.Second)
	free := make([]time.Duration, o.members) // when a member is past its last fault
	var brokerFree time.Duration
	var steps []step
	var bag []fault
	for now := time.Second; ; now += between(pace/2, pace*3/2) {
		if len(bag) == 0 {
			for _, i := range rng.Perm(len(kinds)) {
				bag = append(bag, kinds[i])
			}
			kinds, often = append(kinds, often...), nil
		}
		s := step{fault: bag[0], target: rng.IntN(o.members), hard: rng.IntN(2) == 0}
		bag = bag[1:]
		switch s.fault {
		case killMember, stopMember:
			s.hold = between(200*time.Millisecond, 2*time.Second)
		case pauseMember:
			s.hold = between(longest/15, longest)
			if !paused { // for once, past what JetStream waits for
				s.hold, paused = max(s.hold, longest*3/4), true
			}
		case slowMember:
			s.hold = between(time.Second, 4*time.Second)
		case downBroker:
			s.hold = between(100*time.Millisecond, 2*time.Second)
		case downNode:
			s.target = rng.IntN(o.nodes)
			s.hold = between(500*time.Millisecond, 4*time.Second)
		}
		s.hold = min(s.hold, max(o.duration/6, 200*time.Millisecond))
		switch s.fault {
		case downBroker, downNode:
			now = max(now, brokerFree)
			brokerFree = now + s.hold + 2*time.Second // a node has to catch up before the next goes
		case twin, otherSize:
			now = max(now, brokerFree)
			for m := range free {
				now = max(now, free[m])
			}
			brokerFree = now + time.Second
			for m := range free {
				free[m] = now + time.Second
			}
		default:
			now = max(now, free[s.target])
			free[s.target] = now + s.hold + 500*time.Millisecond
		}
		if s.at = now; s.at+s.hold > o.duration-time.Second {
			return steps
		}
		steps = append(steps, s)
	}
}
