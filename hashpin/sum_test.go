package hashpin_test

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/hashpin"
)

func TestEmptyKey(t *testing.T) {
	const want uint32 = 0xab3e7c0b // SPEC 3.4
	for name, got := range map[string]uint32{
		"nil":    hashpin.Sum32(nil),
		"empty":  hashpin.Sum32([]byte{}),
		"string": hashpin.Sum32String(""),
	} {
		if got != want {
			t.Errorf("%s: got %#08x, want %#08x", name, got, want)
		}
	}
}

// A hash that reads several bytes at a time would go wrong at the edges of its stride: every length
// of several strides, at every alignment.
func TestEveryLength(t *testing.T) {
	data := make([]byte, 200)
	for i := range data {
		data[i] = byte(i*7 + 129)
	}
	for start := range 16 {
		for end := start; end <= len(data); end++ {
			key := data[start:end]
			if got, want := hashpin.Sum32(key), oracle(key); got != want {
				t.Fatalf("Sum32 of %d bytes = %#08x, want %#08x", len(key), got, want)
			}
			if got, want := hashpin.Sum32String(string(key)), oracle(key); got != want {
				t.Fatalf("Sum32String of %d bytes = %#08x, want %#08x", len(key), got, want)
			}
		}
	}
}

// The key is bytes: neither runes, nor UTF-16 units, nor a normal form, nor a trimmed or folded text.
func TestBytesCountAsTheyAre(t *testing.T) {
	same := map[uint32]string{}
	for _, key := range []string{
		"é", "e\u0301", "É", "\xe9", "\uFFFD", "\xff", "\xfe", "\xed\xa0\xbd\xed\xb8\x80", "😀",
		"a", "A", " a", "a ", "a\n", "\ta", "\ufeffa", "a\x00", "\x00a", "\x00", "\x00\x00", "",
	} {
		got := hashpin.Sum32String(key)
		if want := oracle([]byte(key)); got != want {
			t.Errorf("Sum32String(%q) = %#08x, want %#08x", key, got, want)
		}
		if other, ok := same[got]; ok {
			t.Errorf("%q and %q have one hash, %#08x", key, other, got)
		}
		same[got] = key
	}
}

// For a given byte each step of FNV-1a is a bijection of the state, for a given state different bytes give different
// states, and the finalizer is a bijection: keys that differ in one byte never collide.
func TestOneByteNeverCollides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "key")
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		seen := map[uint32]int{}
		for b := range 256 {
			key[at] = byte(b)
			sum := hashpin.Sum32(key)
			if other, ok := seen[sum]; ok {
				t.Fatalf("bytes %#02x and %#02x at %d of %x have one hash", b, other, at, key)
			}
			seen[sum] = b
		}
	})
}

// What the finalizer is for: each bit of the hash depends on the whole key. In FNV-1a alone the
// lowest bit is the parity of the bytes' lowest bits, whatever their order.
func TestLowBitIsNotParity(t *testing.T) {
	ones, n := 0, 4096
	for i := range n {
		key := binary.BigEndian.AppendUint32(nil, uint32(i))
		if parity := bits.OnesCount32(uint32(i)&0x01010101) & 1; parity == int(hashpin.Sum32(key)&1) {
			ones++
		}
	}
	if ones < n*45/100 || ones > n*55/100 {
		t.Errorf("the lowest bit equals the parity for %d of %d keys", ones, n)
	}
}

func TestDoesNotAllocate(t *testing.T) {
	key := strings.Repeat("order-7-", 32)
	asBytes := []byte(key)
	for name, f := range map[string]func(){
		"Sum32":       func() { hashpin.Sum32(asBytes) },
		"Sum32String": func() { hashpin.Sum32String(key) },
	} {
		if got := testing.AllocsPerRun(100, f); got != 0 {
			t.Errorf("%s: %v allocations, want 0", name, got)
		}
	}
}

func FuzzSum32(f *testing.F) {
	for _, key := range []string{"", "a", "foobar", "EUR/USD", "order-7-7", "é", "\xff\x00\xfe", strings.Repeat("\x80", 257)} {
		f.Add([]byte(key))
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		want := oracle(key)
		if got := hashpin.Sum32(key); got != want {
			t.Errorf("Sum32(%x) = %#08x, want %#08x", key, got, want)
		}
		if got := hashpin.Sum32String(string(key)); got != want {
			t.Errorf("Sum32String(%x) = %#08x, want %#08x", key, got, want)
		}
	})
}
