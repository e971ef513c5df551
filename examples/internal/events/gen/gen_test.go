package main

import (
	"os"
	"strings"
	"testing"
)

// The committed sample is what the generator writes.
func TestSampleIsCurrent(t *testing.T) {
	want, err := os.ReadFile("../sample.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, e := range day(newDice(seed)) {
		got.WriteString(e.text + "\n")
	}
	if got.String() != string(want) {
		t.Error("sample.ndjson differs from what gen writes; run go generate in its folder")
	}
}
