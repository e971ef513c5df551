package hashpin_test

import (
	"hash/fnv"
	"testing"

	"github.com/spaolacci/murmur3"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
)

// oracle computes the hash from two packages of other authors (SPEC 3.5): murmur3's sum of no bytes is its
// finalizer over the seed.
func oracle(key []byte) uint32 {
	h := fnv.New32a()
	h.Write(key)
	return murmur3.Sum32WithSeed(nil, h.Sum32())
}

func TestAgreesWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOf(rapid.Byte()).Draw(t, "key")
		if got, want := hashpin.Sum32(key), oracle(key); got != want {
			t.Fatalf("Sum32(%x) = %#08x, want %#08x", key, got, want)
		}
		if got, want := hashpin.Sum32String(string(key)), oracle(key); got != want {
			t.Fatalf("Sum32String(%x) = %#08x, want %#08x", key, got, want)
		}
	})
}
