package routing

// A Route is what placement needs to know of an event: the hash of its key, or that it
// is a command, or that it has no key. The zero Route has no key. Routes are
// comparable values of eight bytes; sources make them and package slot judges them.
type Route struct {
	sum  uint32
	kind routeKind
}

type routeKind uint8

const (
	noKey routeKind = iota
	hashed
	command
)

// Hashed returns the route of a key whose hash is sum, as [hashpin.Sum32] computes it:
// for publishers, and for callers that have a key and no event.
//
// [hashpin.Sum32]: https://pkg.go.dev/github.com/slotkey/slotkey/hashpin#Sum32
func Hashed(sum uint32) Route { return Route{sum, hashed} }

// Sum returns the hash of the routing key; ok is false for a command and for an event
// without a key.
func (r Route) Sum() (sum uint32, ok bool) { return r.sum, r.kind == hashed }

// Command reports whether the event addresses one worker by its topic, so that the
// slot rule does not apply and every member takes it.
func (r Route) Command() bool { return r.kind == command }
