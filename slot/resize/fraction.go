package resize

import "strconv"

// A Fraction is an exact share of the keys, from 0 to 1, in lowest terms; fractions of one value are ==. The zero Fraction is no share.
type Fraction struct {
	Num, Den int
}

func fraction(num, den int) Fraction {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return Fraction{num / a, den / a}
}

// Float64 returns the nearest float64; 0 for the zero Fraction.
func (f Fraction) Float64() float64 {
	if f.Den == 0 {
		return 0
	}
	return float64(f.Num) / float64(f.Den)
}

// String returns "1/6", and "0" and "1" for none and all.
func (f Fraction) String() string {
	if f.Den <= 1 {
		return strconv.Itoa(f.Num)
	}
	return strconv.Itoa(f.Num) + "/" + strconv.Itoa(f.Den)
}

// MarshalText returns [Fraction.String]. It never fails.
func (f Fraction) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// less reports whether f is below g. Numbers of residues are below 1024², so nothing overflows.
func (f Fraction) less(g Fraction) bool { return int64(f.Num)*int64(g.Den) < int64(g.Num)*int64(f.Den) }
