package payload

import (
	"fmt"
	"strconv"
)

// Keys returns n routing keys of a length that is usual: 8 (a code), 36 (a UUID) or 100 (a path).
func Keys(length, n int) []string {
	m := newMaker(uint64(length))
	keys := make([]string, n)
	for i := range keys {
		switch length {
		case 8:
			keys[i] = fmt.Sprintf("SKU%05d", m.IntN(100_000))
		case 36:
			keys[i] = m.uuid()
		case 100:
			keys[i] = "/tenants/" + m.uuid() + "/orders/" + m.uuid() + "/items/" + strconv.Itoa(1000+m.IntN(9000))
		default:
			panic("no keys of length " + strconv.Itoa(length))
		}
	}
	return keys
}
