package main

// spoil makes a run go wrong on purpose, so that the tests can see the proof fail. The zero value is a run that goes right.
type spoil struct {
	// EarlyAck: members acknowledge an event before they handle it.
	EarlyAck bool `json:"early_ack,omitempty"`
	// Size is that of member 0; 0: the group's.
	Size int `json:"size,omitempty"`
	// Mute: records do not say how their event was delivered.
	Mute bool `json:"mute,omitempty"`
	// Work is by how many milliseconds handlers are slower from the start.
	Work int `json:"work,omitempty"`
	// Steps replace the schedule.
	Steps []step `json:"-"`
}

// meant reports whether the run is one that is to go wrong: nobody wants its data.
func (s spoil) meant() bool { return s.EarlyAck || s.Mute || s.Size > 0 }
