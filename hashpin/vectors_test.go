package hashpin_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"testing"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/internal/vectors"
)

type hashTest struct {
	vectors.Test
	Key     *string       `json:"key"`
	KeyHex  vectors.Bytes `json:"key_hex"`
	FNV1a32 string        `json:"fnv1a32"`
	Hash    string        `json:"hash"`
	Slots   []int         `json:"slots"`
}

func TestHashVectors(t *testing.T) {
	var header struct {
		Sizes []uint32 `json:"sizes"`
	}
	for _, test := range vectors.Load[hashTest](t, "hash.v1", &header) {
		key := string(test.KeyHex)
		if test.Key != nil && *test.Key != key {
			t.Errorf("%v: key %q, and its bytes are %q", test, *test.Key, key)
		}
		if got := hex32(pin.Add(pin.Offset, key)); got != test.FNV1a32 {
			t.Errorf("%v: first stage of %.40q is %s, want %s", test, key, got, test.FNV1a32)
		}
		sum := hashpin.Sum32String(key)
		if hex32(sum) != test.Hash {
			t.Errorf("%v: Sum32String(%.40q) = %s, want %s", test, key, hex32(sum), test.Hash)
		}
		if got := hashpin.Sum32([]byte(key)); got != sum {
			t.Errorf("%v: Sum32(%.40q) = %s, and Sum32String has %s", test, key, hex32(got), hex32(sum))
		}
		if len(test.Slots) != len(header.Sizes) {
			t.Fatalf("%v: %d slots for %d sizes", test, len(test.Slots), len(header.Sizes))
		}
		for i, size := range header.Sizes {
			if got := int(sum % size); got != test.Slots[i] {
				t.Errorf("%v: slot of %.40q is %d of %d, want %d", test, key, got, size, test.Slots[i])
			}
		}
	}
}

type digestTest struct {
	vectors.Test
	Count  int    `json:"count"`
	States string `json:"fnv1a32_sha256"`
	Sums   string `json:"hash_sha256"`
}

func TestDigestVectors(t *testing.T) {
	for _, test := range vectors.Load[digestTest](t, "digest.v1", nil) {
		states, sums := sha256.New(), sha256.New()
		var key []byte
		var number [4]byte
		for n := range test.Count {
			key = strconv.AppendInt(key[:0], int64(n), 10)
			binary.BigEndian.PutUint32(number[:], pin.Add(pin.Offset, key))
			states.Write(number[:])
			binary.BigEndian.PutUint32(number[:], hashpin.Sum32(key))
			sums.Write(number[:])
		}
		if got := hex.EncodeToString(states.Sum(nil)); got != test.States {
			t.Errorf("%v: first stage: got %s, want %s", test, got, test.States)
		}
		if got := hex.EncodeToString(sums.Sum(nil)); got != test.Sums {
			t.Errorf("%v: got %s, want %s", test, got, test.Sums)
		}
	}
}

func hex32(n uint32) string { return fmt.Sprintf("%08x", n) }
