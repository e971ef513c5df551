package vectors

import "encoding/hex"

// Bytes is a field of hexadecimal digits, as the string of bytes that it stands for. A *Bytes tells
// an absent field from an empty one.
type Bytes string

// UnmarshalText reads the digits.
func (b *Bytes) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	*b = Bytes(raw)
	return err
}

// Or returns the bytes, or the empty string where the field is absent: as an attribute, that is the same.
func (b *Bytes) Or() string {
	if b == nil {
		return ""
	}
	return string(*b)
}
