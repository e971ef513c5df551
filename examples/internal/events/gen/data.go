package main

import (
	"encoding/base64"
	"strings"
)

// jsonData is a JSON value as data; written is its JSON text.
func (y *diary) jsonData(written string) []field {
	fields := []field{{"data", written}}
	if !y.oneIn(4) { // absent means JSON
		fields = append([]field{{"datacontenttype", `"application/json"`}}, fields...)
	}
	return fields
}

// text is data of another media type that travels as a JSON string.
func text(mediaType, s string) []field {
	return []field{{"datacontenttype", quote(mediaType)}, {"data", quote(s)}}
}

// binary is data that travels as base64.
func binary(mediaType string, b []byte) []field {
	return []field{{"datacontenttype", quote(mediaType)}, {"data_base64", quote(base64.StdEncoding.EncodeToString(b))}}
}

// fields writes an object of data, names and JSON values in turn.
func fields(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(pairs[i]) + ":" + pairs[i+1])
	}
	return "{" + b.String() + "}"
}
