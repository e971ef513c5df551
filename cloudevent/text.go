package cloudevent

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
)

// Reasons of a string's own.
const (
	controlInText = "a control character in a string must be escaped"
	badEscape     = "an escape that JSON does not have"
)

// clean reports whether raw is its own value: without escapes and control characters.
func clean(raw []byte) bool {
	i := 0
	for ; i <= len(raw)-8; i += 8 {
		x := binary.LittleEndian.Uint64(raw[i : i+8])
		if firstZero(x^everySlash)|firstControl(x) != 0 {
			return false
		}
	}
	for ; i < len(raw); i++ {
		if raw[i] < ' ' || raw[i] == '\\' {
			return false
		}
	}
	return true
}

// decodeFirst returns the first byte or escape of raw, which is not empty: the bytes that it stands
// for, in piece[:n], and the size that it takes in raw. size is 0 where raw is wrong. An escaped
// surrogate without its other half becomes U+FFFD; bytes that are no valid UTF-8 are kept.
func decodeFirst(raw []byte) (piece [utf8.UTFMax]byte, n, size int) {
	c := raw[0]
	switch {
	case c < ' ':
		return piece, 0, 0
	case c != '\\':
		piece[0] = c
		return piece, 1, 1
	case len(raw) < 2:
		return piece, 0, 0
	case raw[1] == 'u':
		r, ok := hex4(raw[2:])
		if !ok {
			return piece, 0, 0
		}
		size = 6
		if utf16.IsSurrogate(r) {
			r2 := rune(0)
			if bytes.HasPrefix(raw[size:], []byte(`\u`)) {
				r2, _ = hex4(raw[size+2:])
			}
			if r = utf16.DecodeRune(r, r2); r != utf8.RuneError {
				size = 12
			}
		}
		return piece, utf8.EncodeRune(piece[:], r), size
	}
	i := bytes.IndexByte([]byte(`"\/bfnrt`), raw[1])
	if i < 0 {
		return piece, 0, 0
	}
	piece[0] = "\"\\/\b\f\n\r\t"[i]
	return piece, 1, 2
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		d, ok := unhex(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

func unhex(c byte) (d byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// checkText returns the place in raw where it is wrong and why, or an empty reason.
func checkText(raw []byte) (offset int, reason string) {
	for offset < len(raw) {
		_, _, size := decodeFirst(raw[offset:])
		if size == 0 {
			if raw[offset] < ' ' {
				return offset, controlInText
			}
			return offset, badEscape
		}
		offset += size
	}
	return 0, ""
}

// addText returns the FNV-1a state h after the bytes that raw stands for. raw has been checked.
func addText(h uint32, raw []byte) uint32 {
	for len(raw) > 0 {
		piece, n, size := decodeFirst(raw)
		for _, b := range piece[:n] {
			h = pin.AddByte(h, b)
		}
		raw = raw[max(size, 1):]
	}
	return h
}

// appendText appends the bytes that raw stands for to b. raw has been checked.
func appendText(b, raw []byte) []byte {
	for len(raw) > 0 {
		piece, n, size := decodeFirst(raw)
		b = append(b, piece[:n]...)
		raw = raw[max(size, 1):]
	}
	return b
}

// equalText reports whether raw stands for the bytes of name, or, with fold, for a text that is
// name, which is in lower case, without regard to ASCII case. A raw that is wrong equals nothing.
func equalText(raw []byte, name string, fold bool) bool {
	for len(raw) > 0 {
		piece, n, size := decodeFirst(raw)
		if fold && 'A' <= piece[0] && piece[0] <= 'Z' {
			piece[0] |= 0x20
		}
		if size == 0 || len(name) < n || name[:n] != string(piece[:n]) {
			return false
		}
		raw, name = raw[size:], name[n:]
	}
	return name == ""
}
