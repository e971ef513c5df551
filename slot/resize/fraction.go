package resize

import (
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/internal/number"
)

// A Fraction is an exact share of the keys, from 0 to 1, in lowest terms; fractions of one value
// are ==. The zero Fraction is no share.
type Fraction struct {
	Num, Den int
}

func fraction(num, den int) Fraction {
	d := number.GCD(num, den)
	return Fraction{num / d, den / d}
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

// UnmarshalText reads what MarshalText writes: a fraction in lowest terms above 0 and below 1, "0"
// or "1". Of "0" comes 0/1. On an error, which is an [*Error], f is unchanged.
func (f *Fraction) UnmarshalText(text []byte) error {
	numText, denText, ok := strings.Cut(string(text), "/")
	if !ok {
		denText = "1"
	}
	num, ok1 := number.Parse(numText)
	den, ok2 := number.Parse(denText)
	if ok1 && ok2 && den > 0 && num <= den {
		if got := fraction(num, den); got.String() == string(text) {
			*f = got
			return nil
		}
	}
	return &Error{"fraction", strconv.Quote(string(text)), "is not 0, 1, or a fraction between in lowest terms, such as 1/6", ErrText}
}

// less reports whether f is below g. Numbers of residues are below 1024², so nothing overflows.
func (f Fraction) less(g Fraction) bool { return int64(f.Num)*int64(g.Den) < int64(g.Num)*int64(f.Den) }
