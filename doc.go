// Package slotkey holds the conformance vectors of the slot rule, [Vectors], and the map of the module. The library
// itself is in its packages; this one imports none of them, and most programs do not import it.
//
// slotkey is for consumers that all receive every event and must divide the work without talking to each other: each
// event has one slot, each slot one member, and a member drops what is not its own.
//
//   - [github.com/slotkey/slotkey/cloudevent]: the verdict on a raw message, from its bytes and headers. Start here.
//   - [github.com/slotkey/slotkey/cloudevent/webhook]: the same in front of an HTTP handler.
//   - [github.com/slotkey/slotkey/cloudevent/receiver]: the same in front of the CloudEvents SDK, a module of its own.
//   - [github.com/slotkey/slotkey/slot]: who owns an event; members, filters, verdicts.
//   - [github.com/slotkey/slotkey/routing]: which key places an event, and which topics carry commands.
//   - [github.com/slotkey/slotkey/hashpin]: the hash of a key.
//   - [github.com/slotkey/slotkey/slot/place]: where a member's place comes from.
//   - [github.com/slotkey/slotkey/slot/fleet]: whether every slot has a member that runs.
//   - [github.com/slotkey/slotkey/slot/resize]: another number of members.
//   - [github.com/slotkey/slotkey/slot/commit]: the position that a member may commit.
//   - [github.com/slotkey/slotkey/slot/slottest]: keys for a wanted slot, for tests.
//
// Imports point one way: cloudevent needs slot, slot needs routing, routing needs hashpin, and none of them needs
// anything outside the standard library.
//
// # Stability
//
// Placement never changes. A key has the same hash and, at a given size, the same slot in every release, on every
// platform and in every language; [SPEC.md] defines them, and the vectors pin them. A published vector is never
// changed or removed; new ones are added. A different rule would have a different name.
//
// The Go API follows semantic versioning. Texts of errors are for people and may change; match errors with
// [errors.Is] and [errors.As].
//
// [SPEC.md]: https://github.com/slotkey/slotkey/blob/main/SPEC.md
package slotkey

import "embed"

// Vectors holds the published conformance vectors: the README.md that says how to read them, a JSON and a TSV file for
// each suite, and a JSON Schema for each JSON file. Names begin with "testdata/vectors/"; [io/fs.Sub] takes that off:
//
//	files, err := fs.Sub(slotkey.Vectors, "testdata/vectors")
//	hash, err := fs.ReadFile(files, "hash.v1.json")
//
// It is read-only and safe for concurrent use.
//
//go:embed testdata/vectors/README.md testdata/vectors/*.json testdata/vectors/*.tsv testdata/vectors/schema/*.json
var Vectors embed.FS
