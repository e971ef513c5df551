package main

// faults make a run go wrong on purpose, so that the tests can see the proof fail. The zero value
// is a run that goes right.
type faults struct {
	// Deaf is 1 + the number of a member that never hears of a longer plan.
	Deaf int `json:"deaf,omitempty"`
	// Ahead is how many events a member leaves out when it goes on after a restart.
	Ahead uint64 `json:"ahead,omitempty"`
}

func (f faults) deaf(member int) bool { return f.Deaf == member+1 }
