package slot_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// benchKeys are keys of usual lengths: a short code, a UUID, a path.
var benchKeys = map[int]string{
	8:   "EUR/USD1",
	36:  "8d7f3c5a-90c1-4b3e-a2d4-6f1e0b9c7a58",
	100: strings.Repeat("/shops/42/orders/7", 6)[:100],
}

// forEachKey runs body once for each length, as a sub-benchmark of that name.
func forEachKey(b *testing.B, body func(b *testing.B, key string)) {
	for _, length := range []int{8, 36, 100} {
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(length))
			body(b, benchKeys[length])
		})
	}
}

// bareFNV is the loop that sets the price of the rule: one exclusive-or and one multiplication a
// byte, each waiting for the one before. Like Owns it is a function that is called: inlined into a
// loop, its speed would be that of the loop's alignment.
//
//go:noinline
func bareFNV(key string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(key); i++ {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return h
}

func BenchmarkBareFNV(b *testing.B) {
	forEachKey(b, func(b *testing.B, key string) {
		for b.Loop() {
			bareFNV(key)
		}
	})
}

func BenchmarkSum32String(b *testing.B) {
	forEachKey(b, func(b *testing.B, key string) {
		for b.Loop() {
			hashpin.Sum32String(key)
		}
	})
}

func BenchmarkOwns(b *testing.B) {
	m := member(b, "pairs", 3, 1)
	forEachKey(b, func(b *testing.B, key string) {
		for b.Loop() {
			m.Owns(key)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	f := slot.NewFilter(member(b, "pairs", 3, 1))
	forEachKey(b, func(b *testing.B, key string) {
		for b.Loop() {
			f.Judge(routing.Hashed(hashpin.Sum32String(key)))
		}
	})
}

func BenchmarkDecide(b *testing.B) {
	f := slot.NewFilter(member(b, "pairs", 3, 1))
	forEachKey(b, func(b *testing.B, key string) {
		e := routing.Event{Topic: "ticks.eurusd", Subject: key, ID: "1"}
		for b.Loop() {
			f.Decide(e)
		}
	})
}

func BenchmarkAdmit(b *testing.B) {
	f := slot.NewFilter(member(b, "pairs", 3, 1))
	forEachKey(b, func(b *testing.B, key string) {
		e := routing.Event{Topic: "ticks.eurusd", Subject: key, ID: "1"}
		for b.Loop() {
			f.Admit(e)
		}
	})
}
