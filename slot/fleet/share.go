package fleet

import (
	"github.com/slotkey/slotkey/internal/number"
	"github.com/slotkey/slotkey/slot/resize"
)

// maxResidues bounds the work of owned: two sizes never need more than 1024 · 1023.
const maxResidues = 1 << 22

// owned returns the shares of the keys that no member owns, and that several do, by counting the
// residues modulo the least common multiple of the sizes.
func owned(members []member) (unowned, several resize.Fraction) {
	period := 1
	for _, m := range members {
		factor := m.Size / number.GCD(period, m.Size)
		if period > maxResidues/factor {
			return
		}
		period *= factor
	}
	var owners [][][]member // for each size, by slot
	for _, sameSize := range split(members, member.sizeText) {
		owners = append(owners, byslot(sameSize, sameSize[0].Size))
	}
	none, many := 0, 0
	for residue := range period {
		n := 0
		for _, bySlot := range owners {
			n += len(bySlot[residue%len(bySlot)])
		}
		if n == 0 {
			none++
		} else if n > 1 {
			many++
		}
	}
	return fraction(none, period), fraction(many, period)
}

func fraction(num, den int) resize.Fraction {
	d := number.GCD(num, den)
	return resize.Fraction{Num: num / d, Den: den / d}
}
