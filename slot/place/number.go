package place

import (
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/slot"
)

// maxDigits keeps every number within 32 bits, far above any index.
const maxDigits = 9

// Number returns the index that text stands for on a platform that counts from base: the number in text, minus
// base. The text is a plain decimal number: digits only, no leading zero. Whether the index is below the
// group's size, [FromEnvAt] and slot.New check. Every error is an [*Error].
func Number(text string, base int) (int, error) {
	return indexOf("index", text, text, base)
}

// Ordinal returns the index of an instance by its name, which ends in "-" and a plain decimal
// number, as the names of a StatefulSet's pods do: web-2 is index 2, if they count from base 0.
// Every error is an [*Error]. Refused are
//
//	web-1.ns.svc   a domain name: give the pod's name alone
//	web--1, -1     no name before the ordinal
//	web-, web      no ordinal
//	web-007        a leading zero, which no StatefulSet writes
//	ip-10-0-0-12   a host's address in a name, as EC2 has it: what a pod under hostNetwork sees
//
// A Deployment's pod can end in digits too, such as api-6d4cf56db6-24567 (about one in 850 does). That is
// ordinal 24567, and fails on the range: these suffixes have five digits and no 0, 1 or 3
// (https://github.com/kubernetes/apimachinery/blob/master/pkg/util/rand/rand.go), so the least is 22222, and no
// group is as large.
func Ordinal(name string, base int) (int, error) {
	fail := func(rule string) (int, error) { return 0, &Error{"name", quote(name), rule, slot.ErrIndex} }
	dash := strings.LastIndexByte(name, '-')
	switch {
	case name == "":
		return fail("is empty; is the variable that should hold it set?")
	case strings.IndexByte(name, '.') >= 0:
		return fail("is a domain name; give the instance's name alone, such as web-1")
	case dash < 0 || dash == len(name)-1:
		return fail(`does not end in "-" and an ordinal, such as web-1`)
	case dash == 0 || name[dash-1] == '-':
		return fail(`has no name before the "-" of its ordinal`)
	case isHostAddress(name):
		return fail("is a host's address, not an instance's name with its ordinal (a pod under hostNetwork sees it; hand down metadata.name)")
	}
	return indexOf("name", name, name[dash+1:], base)
}

// isHostAddress reports whether name is of the form ip-10-0-0-12, the host names of EC2
// (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html).
func isHostAddress(name string) bool {
	octets := strings.Split(name, "-")
	if len(octets) != 5 || octets[0] != "ip" {
		return false
	}
	for _, octet := range octets[1:] {
		if _, err := strconv.ParseUint(octet, 10, 8); err != nil {
			return false
		}
	}
	return true
}

// indexOf reads digits, a part of the value that came under name.
func indexOf(name, value, digits string, base int) (int, error) {
	n, rule := parse(digits)
	switch {
	case rule != "":
	case base < 0:
		rule = "cannot be counted from the base " + strconv.Itoa(base) + ", which is below 0"
	case n < base:
		rule = "is below the base of " + strconv.Itoa(base)
	default:
		return n - base, nil
	}
	return 0, &Error{name, quote(value), rule, slot.ErrIndex}
}

// parse reads a plain decimal number, or returns the rule that digits breaks.
func parse(digits string) (n int, rule string) {
	if digits == "" {
		return 0, "is empty; is the variable that should hold it set?"
	}
	for i, c := range digits {
		if c < '0' || c > '9' {
			return 0, "is not a plain decimal number: " + strconv.QuoteRune(c) + " at byte " + strconv.Itoa(i)
		}
	}
	switch {
	case len(digits) > 1 && digits[0] == '0':
		return 0, "has a leading zero"
	case len(digits) > maxDigits:
		return 0, "is too large for any group"
	}
	n, _ = strconv.Atoi(digits) // cannot fail: digits only, and few
	return n, ""
}
