package commit

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// A Position is a place in one ordered log: a sequence, an offset, or the two numbers of a Redis
// stream ID. Positions are compared by Major, then by Minor. They are comparable by == and may be
// keys of a map. The zero Position is the lowest.
//
// A log that counts with one number has it in Major, and Minor is 0: see [At].
type Position struct {
	Major, Minor uint64
}

// At returns the position of a log that counts with one number: a JetStream sequence, a Kafka offset.
func At(n uint64) Position { return Position{Major: n} }

// Compare returns -1, 0 or 1 as p is before, at or behind q.
func (p Position) Compare(q Position) int {
	if c := cmp.Compare(p.Major, q.Major); c != 0 {
		return c
	}
	return cmp.Compare(p.Minor, q.Minor)
}

// Before reports whether p is before q.
func (p Position) Before(q Position) bool { return p.Compare(q) < 0 }

// String returns the text of the position: "1526919030474-55", and "120000" where Minor is 0. As a
// Redis stream ID both forms mean what they mean here.
func (p Position) String() string {
	text := strconv.FormatUint(p.Major, 10)
	if p.Minor != 0 {
		text += "-" + strconv.FormatUint(p.Minor, 10)
	}
	return text
}

// MarshalText returns the text of the position. It never fails.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is [ParsePosition]. On an error p is unchanged.
func (p *Position) UnmarshalText(text []byte) error {
	parsed, err := ParsePosition(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

// ParsePosition reads the text of a position: one or two numbers from 0 to 2^64-1 in decimal,
// joined by "-", without sign, space or leading zero. "120000-0" is the position of "120000". Every
// error is an [*Error].
func ParsePosition(text string) (Position, error) {
	majorText, minorText, two := strings.Cut(text, "-")
	if !two {
		minorText = "0"
	}
	major, ok1 := parseNumber(majorText)
	minor, ok2 := parseNumber(minorText)
	if !ok1 || !ok2 {
		return Position{}, &Error{"position", strconv.Quote(text), "is not a number, such as 120000, nor two, such as 1526919030474-55: plain decimals from 0 to 18446744073709551615", ErrText}
	}
	return Position{major, minor}, nil
}

func parseNumber(text string) (uint64, bool) {
	if len(text) > 1 && text[0] == '0' || strings.HasPrefix(text, "+") {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// next returns the lowest position above p; p itself at the end of all positions.
func (p Position) next() Position {
	switch {
	case p.Minor < math.MaxUint64:
		return Position{p.Major, p.Minor + 1}
	case p.Major < math.MaxUint64:
		return Position{p.Major + 1, 0}
	}
	return p
}

// follows reports whether no position of a log lies between q and p. In a log that counts with one
// number they are neighbours. In one that counts with two, whole numbers that are neighbours are
// taken for such, too.
func (p Position) follows(q Position) bool {
	return p == q.next() || p.Minor == 0 && q.Minor == 0 && q.Major != math.MaxUint64 && p.Major == q.Major+1
}
