package inbox

// Lane returns the lane, from 0, of a verdict's sum: a second pass of the finalizer that made the sum, modulo lanes.
//
// The sum alone will not do. Its remainder by the size of the group chose the member, so that in a
// member of size 4 all sums have one remainder by 4: of 4 lanes sum mod 4 leaves three idle, and of
// 6 lanes sum mod 6 leaves three. Nor will the quotient, sum / size mod lanes: it depends on the
// size, and a resize would move keys from one lane to another, past events that still wait. The
// finalizer depends on neither, and mixes every bit of the sum into every bit.
func Lane(sum uint32, lanes int) int { return int(fmix32(sum) % uint32(lanes)) }

// fmix32 is the finalizer of MurmurHash3, x86, 32 bits (Austin Appleby, public domain).
func fmix32(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
