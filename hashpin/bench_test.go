package hashpin_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/hashpin"
)

func BenchmarkSum32(b *testing.B) {
	for _, length := range []int{0, 8, 36, 100, 1000} {
		key := []byte(strings.Repeat("0123456789", 100)[:length])
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(length))
			for b.Loop() {
				hashpin.Sum32(key)
			}
		})
	}
}
