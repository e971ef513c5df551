// Package pin holds the two halves of the pinned hash, so that a source which
// finds a key in pieces (an escaped JSON string, a joined key) hashes it without
// building it first. Users see the whole in package hashpin.
package pin

// The parameters of FNV-1a for 32 bits, from its authors
// (http://www.isthe.com/chongo/tech/comp/fnv/).
const (
	Offset uint32 = 2166136261
	Prime  uint32 = 16777619
)

// AddByte returns the FNV-1a state h after one more byte.
func AddByte(h uint32, b byte) uint32 { return (h ^ uint32(b)) * Prime }

// Add returns the FNV-1a state h after the bytes of s. The first state is Offset.
func Add[S string | []byte](h uint32, s S) uint32 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * Prime
	}
	return h
}

// Sum returns the whole hash of s. Eight bytes a turn leave the processor little beside the chain
// of the rule itself, so that calls which follow each other overlap.
func Sum[S string | []byte](s S) uint32 {
	h := Offset
	for len(s) >= 8 {
		h = (h ^ uint32(s[0])) * Prime
		h = (h ^ uint32(s[1])) * Prime
		h = (h ^ uint32(s[2])) * Prime
		h = (h ^ uint32(s[3])) * Prime
		h = (h ^ uint32(s[4])) * Prime
		h = (h ^ uint32(s[5])) * Prime
		h = (h ^ uint32(s[6])) * Prime
		h = (h ^ uint32(s[7])) * Prime
		s = s[8:]
	}
	return Mix(Add(h, s))
}

// Mix finishes a state: the 32-bit finalizer of MurmurHash3
// (https://github.com/aappleby/smhasher, fmix32). It is a bijection. Without it the
// lowest bit of FNV-1a is the parity of the input's bytes, and whole families of
// keys share a slot.
func Mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h
}
