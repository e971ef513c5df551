module github.com/slotkey/slotkey

go 1.24.0

// Test dependencies only: nothing of these is imported outside of _test.go files.
require (
	github.com/google/go-cmp v0.7.0
	github.com/spaolacci/murmur3 v1.1.0
	pgregory.net/rapid v1.3.0
)
