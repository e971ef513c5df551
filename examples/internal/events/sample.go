package events

import _ "embed"

//go:generate go run ./gen -o sample.ndjson

// sample is written by the generator in gen; a test compares the two.
//
//go:embed sample.ndjson
var sample []byte

// Sample returns the events that ship with the examples: some hundred events of a small shop, a glasshouse, a café,
// an archive and their users, made for this project, and as varied as what a consumer meets in the open.
func Sample() []Event {
	events, err := Read("sample.ndjson", sample)
	if err != nil {
		panic(err) // compiled in, and read by a test
	}
	return events
}
