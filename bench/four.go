package main

import (
	"fmt"

	xx "github.com/cespare/xxhash/v2"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/hashpin"
)

// Names of contenders that goals refer to.
const (
	fourSingle      = "hashpin.Sum32String, four calls"
	fourInterleaved = "four keys interleaved, not in the library"
	fourXXHash      = "xxhash, four calls"
)

// fourTable is an experiment: what a form of the hash for several keys at once would bring.
var fourTable = table{
	name:  "four",
	title: "Four keys at once, an experiment",
	about: "The bytes of one key wait for each other, those of four keys do not. Costs are of four keys of one length.",
	groups: func() ([]measure.Group, error) {
		var groups []measure.Group
		for _, length := range []int{8, 36, 100} {
			keys := payload.Keys(length, sameKeys)
			for i := 0; i < sameKeys; i += 4 {
				got := sumFour(keys[i], keys[i+1], keys[i+2], keys[i+3])
				for j, sum := range got {
					if want := hashpin.Sum32String(keys[i+j]); sum != want {
						return nil, fmt.Errorf("%s: key %d has sum %08x, want %08x", fourInterleaved, i+j, sum, want)
					}
				}
			}
			groups = append(groups, measure.Group{Name: fmt.Sprintf("4 keys of %d B", length), Contenders: []measure.Contender{
				{Name: fourSingle, Run: func(n int) {
					for range n {
						for _, key := range keys[:4] {
							sums = hashpin.Sum32String(key)
						}
					}
				}},
				{Name: fourInterleaved, Run: func(n int) {
					for range n {
						sums = sumFour(keys[0], keys[1], keys[2], keys[3])[3]
					}
				}},
				{Name: fourXXHash, Run: func(n int) {
					for range n {
						for _, key := range keys[:4] {
							sums = uint32(xx.Sum64String(key))
						}
					}
				}},
			}})
		}
		return groups, nil
	},
}

// sumFour hashes four keys side by side, as far as all of them go.
func sumFour(a, b, c, d string) [4]uint32 {
	const offset, prime = 2166136261, 16777619
	h0, h1, h2, h3 := uint32(offset), uint32(offset), uint32(offset), uint32(offset)
	for len(a) >= 4 && len(b) >= 4 && len(c) >= 4 && len(d) >= 4 {
		h0, h1, h2, h3 = (h0^uint32(a[0]))*prime, (h1^uint32(b[0]))*prime, (h2^uint32(c[0]))*prime, (h3^uint32(d[0]))*prime
		h0, h1, h2, h3 = (h0^uint32(a[1]))*prime, (h1^uint32(b[1]))*prime, (h2^uint32(c[1]))*prime, (h3^uint32(d[1]))*prime
		h0, h1, h2, h3 = (h0^uint32(a[2]))*prime, (h1^uint32(b[2]))*prime, (h2^uint32(c[2]))*prime, (h3^uint32(d[2]))*prime
		h0, h1, h2, h3 = (h0^uint32(a[3]))*prime, (h1^uint32(b[3]))*prime, (h2^uint32(c[3]))*prime, (h3^uint32(d[3]))*prime
		a, b, c, d = a[4:], b[4:], c[4:], d[4:]
	}
	return [4]uint32{finish(h0, a), finish(h1, b), finish(h2, c), finish(h3, d)}
}

// finish hashes the rest of a key and mixes.
func finish(h uint32, rest string) uint32 {
	for i := 0; i < len(rest); i++ {
		h = (h ^ uint32(rest[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
