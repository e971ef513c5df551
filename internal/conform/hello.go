package conform

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// protocol begins a port's first line.
const protocol = "slotkey-port/1"

// The capabilities that a port can declare. What is not listed here every port must have.
const (
	capDeal  = "deal"
	capJSON  = "json"
	capNUL   = "nul"
	capBytes = "bytes"
)

var capabilities = []string{capDeal, capJSON, capNUL, capBytes}

// A Hello is a port's first line.
type Hello struct {
	Name         string // of the language or the program
	Version      string // of the language's implementation
	Capabilities []string
}

// Has reports whether the port declares the capability.
func (h Hello) Has(capability string) bool { return slices.Contains(h.Capabilities, capability) }

// parseHello returns a reason where the line is none.
func parseHello(line []byte) (h Hello, reason string) {
	fields := strings.Split(string(line), "\t")
	if fields[0] != protocol {
		return h, fmt.Sprintf("it must begin with %q and a tab", protocol)
	}
	if len(fields) != 4 {
		return h, fmt.Sprintf("it has %d fields separated by tabs, want 4: %s, name, version, capabilities", len(fields), protocol)
	}
	for i, what := range []string{"name", "version"} {
		if !plain(fields[i+1]) {
			return h, "the " + what + " must have 1 to 64 printable ASCII characters and no space at its ends"
		}
	}
	h = Hello{Name: fields[1], Version: fields[2]}
	if fields[3] == "" {
		return h, ""
	}
	for name := range strings.SplitSeq(fields[3], " ") {
		if !slices.Contains(capabilities, name) {
			return h, fmt.Sprintf("unknown capability %q: there are %s, separated by one space", name, strings.Join(capabilities, ", "))
		}
		if h.Has(name) {
			return h, fmt.Sprintf("capability %q stands there twice", name)
		}
		h.Capabilities = append(h.Capabilities, name)
	}
	return h, ""
}

func plain(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return s != "" && len(s) <= 64 && s == strings.TrimSpace(s)
}

// fit returns the requests that the port can be asked by its capabilities.
func (h Hello) fit(all []request) []request {
	var fit []request
	for _, r := range all {
		if h.canTake(&r) {
			fit = append(fit, r)
		}
	}
	return fit
}

func (h Hello) canTake(r *request) bool {
	if r.op() == opDeal && !h.Has(capDeal) || r.op() == opJSON && !h.Has(capJSON) {
		return false
	}
	for _, key := range r.strings() {
		if slices.Contains(key, 0) && !h.Has(capNUL) || !utf8.Valid(key) && !h.Has(capBytes) {
			return false
		}
	}
	return true
}
