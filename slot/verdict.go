package slot

import (
	"log/slog"
	"slices"
	"strconv"
)

// A Kind is what a member does with an event. The zero Kind is no verdict.
type Kind uint8

const (
	// Own: the member processes the event.
	Own Kind = iota + 1
	// Foreign: another member has it; acknowledge and forget.
	Foreign
	// Bypass: a command; every member takes it.
	Bypass
	// Malformed: the event has no routing key, and this member, the holder of the empty key's slot, answers for
	// it. All others say Foreign, so an event without a key is neither lost nor reported by all.
	Malformed
)

var kindNames = [...]string{"none", "own", "foreign", "bypass", "malformed"}

// String returns "own", "foreign", "bypass" or "malformed"; "none" for the zero Kind, and "Kind(9)"
// for a number that is none of them.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// MarshalText returns [Kind.String], so that JSON has "foreign" and no number. It never fails.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind, "none" included. On an error, which is an [*Error], k is unchanged.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return &Error{"kind", quote(string(text)), "is not own, foreign, bypass, malformed or none", ErrText}
	}
	*k = Kind(i)
	return nil
}

// A Verdict is the decision about one event, taken once and handed down. Verdicts are
// comparable. The zero Verdict is none, and admits.
type Verdict struct {
	Kind Kind
	// Slot is the slot of the event, from 0, also where it is foreign; -1 where it has none: for a
	// command, and in a dedicated member. An event without a key has the slot of the empty key.
	Slot int
	// Sum is the hash that placed the event: that of its key, or of the empty key if it has none; 0 for a command.
	//
	// Do not choose among n workers inside a member by Sum % n. All sums of one slot are equal
	// modulo the size, so they come to n/gcd(n, size) of the workers, and the others stay idle.
	// Hash the sum once more, which keeps the events of a key with one worker:
	//
	//	again := hashpin.Sum32(binary.BigEndian.AppendUint32(nil, verdict.Sum))
	//	worker := int(again % uint32(n))
	Sum uint32
}

// Admit reports whether the event goes on to the handler: whether it is not [Foreign]. A malformed
// event that this member answers for is admitted, and reaches the caller's decoder as it would have
// done without a filter.
func (v Verdict) Admit() bool { return v.Kind != Foreign }

// String returns the kind and, where there is one, the slot: "foreign slot 2".
func (v Verdict) String() string {
	if v.Slot < 0 || v.Kind == 0 {
		return v.Kind.String()
	}
	return v.Kind.String() + " slot " + strconv.Itoa(v.Slot)
}

// LogValue makes a group of verdict, slot and sum, the last in hexadecimal as vectors and tools show it.
func (v Verdict) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("verdict", v.Kind.String()),
		slog.Int("slot", v.Slot),
		slog.String("sum", hex32(v.Sum)),
	)
}

func hex32(sum uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[i] = digits[sum>>(28-4*i)&15]
	}
	return string(b[:])
}
