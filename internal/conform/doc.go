// Package conform runs a port of the slot rule, a program in any language, and compares it with
// this library: first on the published vectors, then on generated keys. docs/conformance.md
// specifies the protocol between the two; this package is its runner, and `slotkey conform` is its
// command.
//
// Unlike the library it starts processes, goroutines and timers. Nothing in the library imports it.
package conform
