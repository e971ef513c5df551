package main

import "math/rand/v2"

// Dice are the only source of chance. PCG's numbers are fixed by its definition; the step from a number
// to a choice is written out here, so that no release of Go can change the sample.
type dice struct{ pcg *rand.PCG }

func newDice(seed uint64) dice { return dice{rand.NewPCG(seed, seed)} }

// n returns a number from 0 to below limit.
func (d dice) n(limit int) int { return int(d.pcg.Uint64() % uint64(limit)) }

// between returns a number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.n(high-low+1) }

// oneIn is true once in n times.
func (d dice) oneIn(n int) bool { return d.n(n) == 0 }

func (d dice) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.pcg.Uint64())
	}
	return b
}

func pick[T any](d dice, from []T) T { return from[d.n(len(from))] }

func shuffle[T any](d dice, all []T) {
	for i := len(all) - 1; i > 0; i-- {
		j := d.n(i + 1)
		all[i], all[j] = all[j], all[i]
	}
}
