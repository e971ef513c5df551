package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/slotkey/slotkey/slot/commit"
)

// A record is a line of evidence: an event was handled. It says how the broker delivered it, which
// has to explain whatever is handled again.
type record struct {
	Number uint64 `json:"n"` // of the event, as its publisher counted
	Entity string `json:"e"`
	place
	// Deliveries is the broker's count of how often it has delivered the event to this reader; 0
	// where it does not count.
	Deliveries uint64 `json:"d,omitempty"`
	// Cursor is JetStream's count of deliveries to this reader. It only rises, unless the broker
	// has forgotten the last of what it did.
	Cursor uint64 `json:"c,omitempty"`
	// First is the cursor of the first delivery that this process had, or had since the cursor
	// fell; Falls is how often it fell.
	First uint64 `json:"s,omitempty"`
	Falls int    `json:"r,omitempty"`
	// From is 1 + the committed position, in this log, from which the process began to read, where
	// it keeps positions; 0: it does not.
	From uint64 `json:"f,omitempty"`
}

// A place is where an event stands.
type place struct {
	Log      int             `json:"l,omitempty"` // the partition
	Position commit.Position `json:"p"`
}

// An evidence file has what one process handled, in that order. It is its own: no process reads it
// before its writer has ended.
type evidence struct {
	mu   sync.Mutex
	file *os.File
}

func evidencePath(dir, incarnation string) string { return filepath.Join(dir, incarnation+".ndjson") }

func newEvidence(dir, incarnation string) (*evidence, error) {
	file, err := os.OpenFile(evidencePath(dir, incarnation), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	return &evidence{file: file}, err
}

// add appends a record in one write. When it returns, the record no longer depends on this process.
func (e *evidence) add(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err = e.file.Write(append(line, '\n'))
	return err
}

// readEvidence returns what a process handled. A process that was killed while it wrote may leave
// half a line at the end: that one was not acknowledged, and does not count.
func readEvidence(dir, incarnation string) ([]record, error) {
	file, err := os.Open(evidencePath(dir, incarnation))
	if os.IsNotExist(err) {
		return nil, nil // it was killed before it began
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	var records []record
	for reader := bufio.NewReader(file); ; {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return records, nil
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		records = append(records, r)
	}
}
