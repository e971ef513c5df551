package conform

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
)

// diagnose names the stage that a wrong answer comes from, and its likely cause where the answer is
// what a known mistake makes.
func diagnose(r *request, got []string) (Stage, string) {
	if string(r.want) == refusal {
		return StageLimits, "a value out of range was answered: SPEC 4.4 wants it refused, not wrapped, clamped or replaced"
	}
	want := strings.Split(string(r.want), "\t")
	switch r.op() {
	case opHash, opSlot:
		key := r.keys()[0]
		switch {
		case got[0] != want[0]:
			return wrongState(badState{key, parse32(got[0])})
		case got[1] != want[1]:
			return StageFinalizer, wrongSum(parse32(want[0]), parse32(got[1]))
		}
		return StageModulo, wrongSlot(parse32(want[1]), number(r.fields()[1]), got[2])
	case opOwns:
		return StageOwns, ""
	case opKey:
		return StageKey, wrongKey(r, got[0])
	case opJSON:
		return StageJSON, wrongJSON(r.keys()[0], r.want, got[0])
	}
	return StageDeal, wrongDeal(r, got[0])
}

func parse32(s string) uint32 {
	n, _ := strconv.ParseUint(s, 16, 32) // judge has seen that it is one
	return uint32(n)
}

func number(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}

// A mistake is a way to compute an FNV state that people have taken.
type mistake struct {
	stage Stage
	cause string
	state func(key []byte) uint32
}

// on makes a mistake of a change to the bytes before they are hashed.
func on(cause string, change func([]byte) []byte) mistake {
	return mistake{StageBytes, cause, func(key []byte) uint32 { return pin.Add(pin.Offset, change(key)) }}
}

// each makes a mistake of what is taken for one unit of the key.
func each(cause string, units func([]byte) []uint32) mistake {
	return mistake{StageBytes, cause, func(key []byte) uint32 {
		h := pin.Offset
		for _, unit := range units(key) {
			h = (h ^ unit) * pin.Prime
		}
		return h
	}}
}

var mistakes = []mistake{
	each("UTF-16 code units are hashed, not the bytes of UTF-8", func(key []byte) (units []uint32) {
		for _, unit := range utf16.Encode([]rune(string(key))) {
			units = append(units, uint32(unit))
		}
		return units
	}),
	each("code points are hashed, not the bytes of UTF-8", func(key []byte) (units []uint32) {
		for _, c := range string(key) {
			units = append(units, uint32(c))
		}
		return units
	}),
	each("bytes count as signed: 0x80 to 0xff must be 128 to 255", func(key []byte) (units []uint32) {
		for _, b := range key {
			units = append(units, uint32(int32(int8(b))))
		}
		return units
	}),
	each("only the low byte of each UTF-16 code unit is hashed", func(key []byte) (units []uint32) {
		for _, unit := range utf16.Encode([]rune(string(key))) {
			units = append(units, uint32(unit&0xff))
		}
		return units
	}),
	on("the hexadecimal digits of the request are hashed, not the bytes that they stand for", func(key []byte) []byte { return []byte(hex.EncodeToString(key)) }),
	on("the bytes are encoded to UTF-8 a second time", func(key []byte) []byte {
		var b []byte
		for _, c := range key {
			b = utf8.AppendRune(b, rune(c))
		}
		return b
	}),
	on("the key is trimmed", bytes.TrimSpace),
	on("the key is trimmed of ASCII white space and NUL", func(key []byte) []byte { return bytes.Trim(key, " \t\n\r\v\f\x00") }),
	on("the key ends at a NUL", func(key []byte) []byte { before, _, _ := bytes.Cut(key, []byte{0}); return before }),
	on("NULs are left out", func(key []byte) []byte { return bytes.ReplaceAll(key, []byte{0}, nil) }),
	on("bytes that are no valid UTF-8 are replaced by U+FFFD", func(key []byte) []byte { return []byte(string([]rune(string(key)))) }),
	on("runs of bytes that are no valid UTF-8 are replaced by U+FFFD", func(key []byte) []byte { return bytes.ToValidUTF8(key, []byte("\uFFFD")) }),
	on("bytes that are no valid UTF-8 are left out", func(key []byte) []byte { return bytes.ToValidUTF8(key, nil) }),
	on("the key is folded to lower case", func(key []byte) []byte {
		return bytes.Map(unicode.ToLower, bytes.ToValidUTF8(key, nil))
	}),
	on("the key is folded to upper case", func(key []byte) []byte {
		return bytes.Map(unicode.ToUpper, bytes.ToValidUTF8(key, nil))
	}),
	on("characters outside of ASCII are replaced by ?", func(key []byte) []byte {
		return bytes.Map(func(c rune) rune {
			if c > 0x7e {
				return '?'
			}
			return c
		}, key)
	}),
	on("characters beyond U+FFFF are encoded as two surrogates (CESU-8)", func(key []byte) []byte {
		var b []byte
		for _, unit := range utf16.Encode([]rune(string(key))) {
			if unit < 0x800 {
				b = utf8.AppendRune(b, rune(unit))
			} else {
				b = append(b, 0xe0|byte(unit>>12), 0x80|byte(unit>>6&0x3f), 0x80|byte(unit&0x3f))
			}
		}
		return b
	}),
	on("a NUL is added at the end", func(key []byte) []byte { return append(bytes.Clone(key), 0) }),
	on("a line feed is added at the end", func(key []byte) []byte { return append(bytes.Clone(key), '\n') }),
	on("the bytes are taken from the last to the first", func(key []byte) []byte {
		b := bytes.Clone(key)
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
		return b
	}),
	{StageFNV, "products are computed in doubles and lose their low bits: multiply in 32-bit integers", func(key []byte) uint32 {
		h := pin.Offset
		for _, b := range key {
			h = inDoubles(h^uint32(b), pin.Prime)
		}
		return h
	}},
	{StageFNV, "this is FNV-1: FNV-1a first XORs the byte and then multiplies", func(key []byte) uint32 {
		h := pin.Offset
		for _, b := range key {
			h = h*pin.Prime ^ uint32(b)
		}
		return h
	}},
	{StageFNV, "the state begins with 0, want 2166136261", func(key []byte) uint32 { return pin.Add(0, key) }},
	{StageFNV, "the state is that of the 64-bit hash, cut to 32 bits", func(key []byte) uint32 { return uint32(fnv64(key)) }},
	{StageFNV, "the state is that of the 64-bit hash, folded to 32 bits", func(key []byte) uint32 { h := fnv64(key); return uint32(h ^ h>>32) }},
	{StageFNV, "bytes are added, not XORed", func(key []byte) uint32 {
		h := pin.Offset
		for _, b := range key {
			h = (h + uint32(b)) * pin.Prime
		}
		return h
	}},
	{StageFNV, "this is the hash: the first field of an answer is the state before the finalizer", func(key []byte) uint32 { return pin.Mix(pin.Add(pin.Offset, key)) }},
}

func fnv64(key []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range key {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// inDoubles multiplies as a language does that has only 64-bit floating point numbers, and reduces
// the product to 32 bits.
func inDoubles(a, b uint32) uint32 {
	return uint32(math.Mod(float64(a)*float64(b), 1<<32))
}

// A badState is an FNV state that is not its key's.
type badState struct {
	key []byte
	got uint32
}

// wrongState looks for the mistake that makes the first of several wrong states and, of those, the
// most of the others. Where none does, a first key of nothing but ASCII speaks for the arithmetic,
// as its bytes are the same in every encoding, and any other one for the bytes.
func wrongState(first badState, others ...badState) (Stage, string) {
	var best mistake
	most := -1
	for _, m := range mistakes {
		if m.state(first.key) != first.got {
			continue
		}
		explained := 0
		for _, other := range others {
			if m.state(other.key) == other.got {
				explained++
			}
		}
		if explained > most {
			best, most = m, explained
		}
	}
	if most >= 0 {
		return best.stage, best.cause
	}
	key := first.key
	for _, b := range key {
		if b == 0 || b >= 0x80 {
			return StageBytes, ""
		}
	}
	return StageFNV, ""
}

// wrongSum looks for the mistake that makes a sum of a right state.
func wrongSum(state, got uint32) string {
	signed := func(h int32) uint32 { // >> keeps the sign
		h ^= h >> 16
		h = int32(uint32(h) * 0x85ebca6b)
		h ^= h >> 13
		h = int32(uint32(h) * 0xc2b2ae35)
		h ^= h >> 16
		return uint32(h)
	}
	doubles := func(h uint32) uint32 {
		h ^= h >> 16
		h = inDoubles(h, 0x85ebca6b)
		h ^= h >> 13
		h = inDoubles(h, 0xc2b2ae35)
		return h ^ h>>16
	}
	switch got {
	case state:
		return "there is no finalizer: the hash is the FNV state"
	case signed(int32(state)):
		return "shifts keep the sign: they must shift zeros in"
	case doubles(state):
		return "products are computed in doubles and lose their low bits: multiply in 32-bit integers"
	case pin.Mix(pin.Mix(state)):
		return "the finalizer is applied twice"
	case pin.Mix(state) ^ pin.Mix(state)>>16:
		return "the last step is done twice"
	}
	return ""
}

// wrongSlot looks for the mistake that makes a slot of a right sum.
func wrongSlot(sum uint32, size int, text string) string {
	got, err := strconv.Atoi(text)
	if err != nil {
		return "the slot is out of all range"
	}
	signed := int(int32(sum))
	floored := (signed%size + size) % size
	switch {
	case got == signed%size && got < 0:
		return "the remainder is signed: the hash must count as unsigned"
	case got == abs(signed)%size || got == abs(signed%size):
		return "the absolute value of a signed number is taken: the hash must count as unsigned"
	case got == floored:
		return "the hash counts as signed, with a remainder rounded down: it must count as unsigned"
	case got == int(sum&0x7fffffff)%size:
		return "the top bit is cleared: the hash must count as unsigned"
	case got == int(uint64(sum)*uint64(size)>>32):
		return "the hash is scaled to the size: the slot is its remainder"
	case got == int(sum%uint32(size))+1:
		return "slots are counted from 1, want from 0"
	case size&(size-1) != 0 && got == int(sum)&(size-1):
		return "bits are masked: the slot is a remainder"
	}
	return ""
}

func abs(n int) int { return max(n, -n) }
