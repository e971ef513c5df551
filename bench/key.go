package main

import (
	"fmt"

	"github.com/slotkey/slotkey/bench/internal/measure"
	"github.com/slotkey/slotkey/bench/internal/payload"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/slot"
)

// Names of contenders that goals refer to.
const (
	owns     = "slot.Member.Owns"
	ownSlot  = "slot.Member.Slot"
	hashOnly = "hashpin.Sum32String, the hash alone"
	bareFNV  = "bare FNV-1a loop, the limit"
	xxhash   = "xxhash, mod n (as vmagent)"
)

// sameKeys is the number of keys that a contender goes through, over and over: more than a branch predictor learns, few
// enough for the nearest cache. It is a power of two.
const sameKeys = 64

// A partitioner finds the slot of keys, and whether it is slot 1.
type partitioner struct {
	name string
	slot func(i int) int
	loop func(n int) // decides key i for i from 0 up to n, modulo sameKeys
}

// The results of loops, so that no compiler leaves them out.
var (
	ours bool
	sums uint32
)

// keyTable: decide from a key.
var keyTable = table{
	name:  "key",
	title: "Decide from a key",
	about: "Is this key mine, member 1 of a group? Keys of 8, 36 and 100 bytes, groups of 3, 12 and 1024. The hash alone and the bare loop give a number and no slot. " +
		"Calls that follow each other overlap in the processor.",
	groups: func() ([]measure.Group, error) {
		var groups []measure.Group
		for _, length := range []int{8, 36, 100} {
			for _, size := range []int{3, 12, 1024} {
				g, err := keyGroup(length, size)
				if err != nil {
					return nil, err
				}
				groups = append(groups, g)
			}
		}
		return groups, nil
	},
}

// turnTable: decide from a key, when nothing overlaps.
var turnTable = table{
	name:  "turn",
	title: "Decide from a key, one after the other",
	about: "The slot of a key, and here it says which key is next, so that calls do not overlap: how long a consumer waits for the answer.",
	groups: func() ([]measure.Group, error) {
		var groups []measure.Group
		for _, length := range []int{8, 36, 100} {
			g, err := turnGroup(length, 12)
			if err != nil {
				return nil, err
			}
			groups = append(groups, g)
		}
		return groups, nil
	},
}

func keyGroup(length, size int) (measure.Group, error) {
	keys := payload.Keys(length, sameKeys)
	g := measure.Group{Name: fmt.Sprintf("%d B, %d slots", length, size)}
	all, err := partitioners(keys, size)
	for _, p := range all {
		g.Contenders = append(g.Contenders, measure.Contender{Name: p.name, Run: p.loop})
	}
	g.Contenders = append(g.Contenders,
		measure.Contender{Name: hashOnly, Run: func(n int) {
			for i := range n {
				sums = hashpin.Sum32String(keys[i%sameKeys])
			}
		}},
		measure.Contender{Name: bareFNV, Run: func(n int) {
			for i := range n {
				sums = bare(keys[i%sameKeys])
			}
		}})
	return g, err
}

func turnGroup(length, size int) (measure.Group, error) {
	keys := payload.Keys(length, sameKeys)
	g := measure.Group{Name: fmt.Sprintf("%d B, %d slots", length, size)}
	all, err := partitioners(keys, size)
	if err != nil {
		return g, err
	}
	all[0].name = ownSlot // a yes or no would be guessed by the processor, which then does not wait
	all = append(all,
		partitioner{name: hashOnly, slot: func(i int) int { return int(hashpin.Sum32String(keys[i])) }},
		partitioner{name: bareFNV, slot: func(i int) int { return int(bare(keys[i])) }})
	for _, p := range all {
		g.Contenders = append(g.Contenders, measure.Contender{Name: p.name, Run: func(n int) {
			i := 0
			for range n {
				i = (i + 1 + p.slot(i)&1) % sameKeys
			}
			ours = i == 0
		}})
	}
	return g, nil
}

// partitioners are ours and those of others, checked.
func partitioners(keys []string, size int) ([]partitioner, error) {
	m := memberOf(size)
	all := append([]partitioner{{owns,
		func(i int) int { return m.Slot(keys[i]) },
		func(n int) {
			for i := range n {
				ours = m.Owns(keys[i%sameKeys])
			}
		},
	}}, peerPartitioners(keys, size)...)
	for _, p := range all {
		if err := checkPartitioner(p, size); err != nil {
			return nil, fmt.Errorf("%d slots: %s: %w", size, p.name, err)
		}
	}
	return all, nil
}

// memberOf returns member 1 of a group.
func memberOf(size int) slot.Member {
	m, err := slot.New(slot.Config{Group: "bench", Size: size, Index: 1})
	if err != nil {
		panic(err) // the sizes are constants
	}
	return m
}

// bare is the chain that the rule demands: one exclusive-or and one multiplication a byte, each of
// which waits for the one before.
func bare(key string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(key); i++ {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return h
}

// checkPartitioner wants slots in the range, the same each time, and more than one of them.
func checkPartitioner(p partitioner, size int) error {
	seen := map[int]bool{}
	for i := range sameKeys {
		s := p.slot(i)
		if s < 0 || s >= size {
			return fmt.Errorf("key %d has slot %d of %d", i, s, size)
		}
		if again := p.slot(i); again != s {
			return fmt.Errorf("key %d has slot %d, then %d", i, s, again)
		}
		seen[s] = true
	}
	if len(seen) < 2 {
		return fmt.Errorf("%d keys share one slot of %d", sameKeys, size)
	}
	return nil
}
