package number_test

import (
	"testing"

	"github.com/slotkey/slotkey/internal/number"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "7": 7, "1024": 1024, "99999999": 99999999,
		"100000000": 1e8, "100000001": 1e8, "4294967297": 1e8, "99999999999999999999999": 1e8,
	} {
		if got, ok := number.Parse(text); !ok || got != want {
			t.Errorf("Parse(%q) = %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "00", "07", "+7", "-7", " 7", "7 ", "7.0", "1e3", "0x7", "１", "7\x00"} {
		if got, ok := number.Parse(text); ok {
			t.Errorf("Parse(%q) = %d, want none", text, got)
		}
	}
}

func TestGCD(t *testing.T) {
	for a := range 40 {
		for b := range 40 {
			want := max(a, b) // of 0 and a number
			for d := 1; a > 0 && b > 0 && d <= min(a, b); d++ {
				if a%d == 0 && b%d == 0 {
					want = d
				}
			}
			if got := number.GCD(a, b); got != want {
				t.Errorf("GCD(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}
