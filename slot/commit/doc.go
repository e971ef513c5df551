// Package commit keeps the position of one member in one ordered log: what may be committed while
// it handles its own events and passes over the others', and under which name the position is
// stored.
//
// It is for transports that keep a position rather than a mark on each message: a Kafka partition,
// a Redis stream read by ID, a JetStream stream read by sequence. There a dropped event must move
// the position, or it sticks where no own event follows; and it must not move it past an own event
// that is not finished, or a crash loses that one. A consumer that handles in order, and commits
// behind its handler, commits dropped events with the rest and needs no more; a [Frontier] is for
// handlers that run beside the loop.
//
//	frontier := commit.After(stored)            // Kafka: commit.From(commit.At(stored)); see below
//	…
//	if !filter.Admit(event) {                   // in the order of delivery,
//		return frontier.Skip(position)
//	}
//	fresh, err := frontier.Begin(position)      // and before the handler starts
//	if err != nil || !fresh {
//		return err
//	}
//	go func() {
//		handle(event)
//		report(frontier.Done(position))
//	}()
//	…
//	if position, ok := frontier.Committable(); ok {
//		// store it, durably, under Checkpoint.Key (Kafka: commit position.Major+1)
//	}
//
// What is stored decides how to start, and the two must not be mixed up:
//
//	the position that Committable returned   After(stored)      the log is read from behind it
//	the next position to read, as in Kafka   From(At(stored))   the log is read from it
//	nothing                                  From(first)        the log is read from first
//
// After takes its position for finished. Of the next position to read it would take the first event
// that is read for one that has come again: Begin says so by fresh = false, and each restart loses
// an event. A log that is read again from an earlier position, without a new start, needs a new
// Frontier as well: an event that is not behind [Frontier.Delivered] is the sign.
//
// A [Position] is two numbers, so that a Redis stream ID fits. SPEC section 12 defines the frontier
// and section 13 the key (https://github.com/slotkey/slotkey/blob/main/SPEC.md);
// testdata/vectors/checkpoint.v1.json pins the key. Nothing here does input or output, has a clock
// or starts a goroutine.
package commit
