// Package hashpin is the pinned hash of slotkey: a key's bytes to 32 bits, the same
// in every release, on every platform and in every language, for ever.
//
// The hash is FNV-1a (32 bit) followed by the 32-bit finalizer of MurmurHash3; SPEC
// section 3 defines it and testdata/vectors/hash.v1.json pins it. There is no seed, no
// option and no second algorithm: a different hash would be a different package with
// a different [Algorithm].
//
// It spreads keys over slots. It is not keyed and not cryptographic: whoever chooses
// the keys can choose their slots.
package hashpin

import "github.com/slotkey/slotkey/internal/pin"

// Algorithm names the hash in rule texts, vectors and announcements.
const Algorithm = "fnv1a32-fmix32"

// Sum32 returns the hash of key. A nil and an empty key have the same hash,
// 0xab3e7c0b. It never fails, does not allocate, does not keep key, and is safe for
// concurrent use. The cost is one exclusive-or and one multiplication a byte, each waiting
// for the one before.
func Sum32(key []byte) uint32 { return pin.Sum(key) }

// Sum32String returns Sum32([]byte(key)) without the copy. The bytes count as they
// are: invalid UTF-8 is neither refused nor replaced.
func Sum32String(key string) uint32 { return pin.Sum(key) }
