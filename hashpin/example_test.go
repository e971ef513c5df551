package hashpin_test

import (
	"fmt"

	"github.com/slotkey/slotkey/hashpin"
)

// A producer in another language has the same hash if it prints the same numbers.
func ExampleSum32String() {
	for _, key := range []string{"EUR/USD", "order-7-7", "é", ""} {
		sum := hashpin.Sum32String(key)
		fmt.Printf("%-11q %08x  slot %d of 3\n", key, sum, sum%3)
	}
	// Output:
	// "EUR/USD"   b429da2d  slot 1 of 3
	// "order-7-7" 91dd3a0e  slot 0 of 3
	// "é"         8e4756c7  slot 0 of 3
	// ""          ab3e7c0b  slot 2 of 3
}

func ExampleSum32() {
	fmt.Printf("%s %08x\n", hashpin.Algorithm, hashpin.Sum32([]byte("EUR/USD")))
	// Output: fnv1a32-fmix32 b429da2d
}
