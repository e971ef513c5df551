package slot_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// enough keys for ten in each slot of the largest group: chi-square wants five.
const enough = 10 * slot.MaxSize

// keyShapes are ways in which people name things, each a generator of different keys from a fixed seed.
var keyShapes = map[string]func(random *rand.Rand, i int) string{
	"counters":  func(_ *rand.Rand, i int) string { return fmt.Sprint(i) },
	"order-7-7": func(_ *rand.Rand, i int) string { return fmt.Sprintf("order-%d-%d", i, i) },
	"UUIDs": func(random *rand.Rand, _ int) string {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:], random.Uint64())
		binary.BigEndian.PutUint64(b[8:], random.Uint64())
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // version 4
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	},
	"paths": func(_ *rand.Rand, i int) string {
		return fmt.Sprintf("/shops/%d/orders/%d/items/%d", i%7, i/7%40, i/280)
	},
	"Zipf": func(random *rand.Rand, _ int) string {
		return fmt.Sprintf("user-%d", rand.NewZipf(random, 1.1, 1, 1<<40).Uint64())
	},
	"one character": func(_ *rand.Rand, i int) string {
		key := []byte(strings.Repeat("a", 200))
		key[i%len(key)] = byte(' ' + i/len(key)) // ' ' to 'S'
		return string(key)
	},
	"UTF-8 names": func(random *rand.Rand, _ int) string {
		syllables := []string{"Ł", "ó", "ź", "Ç", "é", "ß", "ñ", "Ø", "ü", "Ж", "и", "ва", "ン", "タ", "さ", "李", "王", "한", "글", "د", "م", "θ", "ή", "a", "e", "n"}
		name := make([]string, 6)
		for i := range name {
			name[i] = syllables[random.IntN(len(syllables))]
		}
		return strings.Join(name[:3], "") + " " + strings.Join(name[3:], "")
	},
}

// distinct collects different keys of a shape.
func distinct(shape func(*rand.Rand, int) string) []string {
	random := rand.New(rand.NewPCG(7, 7))
	seen := map[string]bool{}
	keys := make([]string, 0, enough)
	for i := 0; len(keys) < enough; i++ {
		if key := shape(random, i); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// chiSquare measures how uneven n things in slots are, as a number of standard deviations from what
// chance gives, by the approximation of Wilson and Hilferty
// (https://doi.org/10.1073/pnas.17.12.684): above is uneven, below too even for chance.
func chiSquare(slots []int, n int) float64 {
	expected := float64(n) / float64(len(slots))
	sum := 0.0
	for _, got := range slots {
		sum += (float64(got) - expected) * (float64(got) - expected) / expected
	}
	k := float64(len(slots) - 1)
	return (math.Cbrt(sum/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// unevenness returns the worst chi-square over group sizes.
func unevenness(sums []uint32, sizes []int) (worst float64, at int) {
	for _, size := range sizes {
		slots := make([]int, size)
		for _, sum := range sums {
			slots[sum%uint32(size)]++
		}
		if z := chiSquare(slots, len(sums)); z > worst {
			worst, at = z, size
		}
	}
	return worst, at
}

// sizesTo are the group sizes from 2 on, with -short only some of them.
func sizesTo() []int {
	var sizes []int
	for size := 2; size <= slot.MaxSize; size++ {
		if !testing.Short() || size < 20 || size%37 == 0 || size&(size-1) == 0 {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// Chance exceeds 4.5 standard deviations once in 300 000 times; here are seven shapes with 1023 sizes each.
const limit = 4.5

func TestKeysSpread(t *testing.T) {
	for name, shape := range keyShapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keys := distinct(shape)
			sums := make([]uint32, len(keys))
			for i, key := range keys {
				sums[i] = hashpin.Sum32String(key)
			}
			worst, at := unevenness(sums, sizesTo())
			t.Logf("%s: at worst %.2f standard deviations, at size %d", name, worst, at)
			if worst > limit {
				t.Errorf("at size %d: %.2f standard deviations, the limit is %v", at, worst, limit)
			}
		})
	}
}

// The measure must be able to fail: without the finalizer these shapes do.
func TestSpreadNeedsTheFinalizer(t *testing.T) {
	for _, name := range []string{"order-7-7", "one character", "counters"} {
		keys := distinct(keyShapes[name])
		sums := make([]uint32, len(keys))
		for i, key := range keys {
			h := fnv.New32a()
			h.Write([]byte(key))
			sums[i] = h.Sum32()
		}
		if worst, at := unevenness(sums, []int{2, 4, 8, 16, 64, 1024}); worst <= limit {
			t.Errorf("%s by FNV-1a alone: at worst %.2f standard deviations, at size %d", name, worst, at)
		}
	}
}

// What the doc of Verdict.Sum says of workers inside a member: by Sum % n most of them can be idle,
// by the sum hashed again none is.
func TestWorkersInsideAMember(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 6, 12, 360} {
		for _, n := range []uint32{1, 2, 3, 4, 5, 6, 8, 12} {
			filter := slot.NewFilter(member(t, "g", size, size-1))
			plain, again := map[uint32]bool{}, map[uint32]bool{}
			for i := range 500 * size {
				verdict := filter.Decide(routing.Event{ID: fmt.Sprint(i)})
				if verdict.Kind != slot.Own {
					continue
				}
				plain[verdict.Sum%n] = true
				again[hashpin.Sum32(binary.BigEndian.AppendUint32(nil, verdict.Sum))%n] = true
			}
			gcd := n
			for uint32(size)%gcd != 0 || n%gcd != 0 {
				gcd--
			}
			if len(plain) != int(n/gcd) || len(again) != int(n) {
				t.Errorf("size %d: of %d workers %d are busy by the sum, want %d; %d by the sum hashed again", size, n, len(plain), n/gcd, len(again))
			}
		}
	}
}
