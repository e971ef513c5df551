// Command gen writes sample.ndjson, the events that ship with the examples: one day in the life of a small shop, a
// glasshouse, a café, an archive and the people who use them. The same program always writes the same bytes.
//
//	go run ./gen -o sample.ndjson
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

// seed makes this day and no other.
const seed = 20260314

func main() {
	out := flag.String("o", "", "file to write (default: standard output)")
	flag.Parse()
	var text bytes.Buffer
	for _, e := range day(newDice(seed)) {
		text.WriteString(e.text)
		text.WriteByte('\n')
	}
	if *out == "" {
		os.Stdout.Write(text.Bytes())
		return
	}
	if err := os.WriteFile(*out, text.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
