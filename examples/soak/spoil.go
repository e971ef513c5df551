package main

import "time"

// spoil makes a run go wrong on purpose, so that the tests can see the proof fail. The zero value
// is a run that goes right.
type spoil struct {
	// EarlyAck: members acknowledge an event before they handle it.
	EarlyAck bool `json:"early_ack,omitempty"`
	// Size is that of member 0; 0: the group's.
	Size int `json:"size,omitempty"`
	// Mute: records do not say how their event was delivered.
	Mute bool `json:"mute,omitempty"`
	// Hold: members do not acknowledge what is foreign.
	Hold bool `json:"hold,omitempty"`
	// Work is by how many milliseconds handlers are slower from the start.
	Work int `json:"work,omitempty"`
	// Steps replace the schedule.
	Steps []step `json:"-"`
	// Drain is how long members have to come to the end of the log; 0: as long as in other runs.
	Drain time.Duration `json:"-"`
}

// meant reports whether the run is one that is to go wrong: nobody wants its data.
func (s spoil) meant() bool { return s.EarlyAck || s.Mute || s.Hold || s.Size > 0 }
