// Package number has what packages of the library do alike with whole numbers.
package number

// Parse reads a decimal number without sign, space or leading zero. Numbers too large for any limit
// of the library become one that is still too large, and fits 32 bits.
func Parse(text string) (n int, ok bool) {
	if text == "" || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), 1e8)
	}
	return n, true
}

// GCD returns the greatest common divisor of two numbers that are not negative; of 0 and a number, that number.
func GCD(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
