package main_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/slot"
)

// port speaks the protocol of docs/conformance.md. With the argument "signed" its remainder is
// signed, with "dies" it ends early.
func port() {
	fault := ""
	if len(os.Args) > 1 {
		fault = os.Args[1]
	}
	fmt.Println("slotkey-port/1\ttest\t1.0\tnul bytes")
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if fault == "dies" && n == 7 {
			out.Flush()
			os.Exit(3)
		}
		fields := strings.Split(lines.Text(), "\t")
		fmt.Fprintf(out, "%s\t%s\n", fields[0], answer(fields[1], fields[2:], fault == "signed"))
	}
}

func answer(operation string, fields []string, signed bool) string {
	if operation == "key" {
		for _, field := range fields {
			if field != "-" && field != "" {
				return field
			}
		}
		return "-"
	}
	key, _ := hex.DecodeString(fields[0])
	state := pin.Add(pin.Offset, key)
	sum := pin.Mix(state)
	hashes := fmt.Sprintf("%08x\t%08x", state, sum)
	if operation == "hash" {
		return hashes
	}
	size, _ := strconv.Atoi(fields[1])
	index := 0
	if operation == "owns" {
		index, _ = strconv.Atoi(fields[2])
	}
	member, err := slot.NewSet("port", size, index)
	switch {
	case err != nil:
		return "error\t" + err.Error()
	case operation == "owns":
		return strconv.FormatBool(member.Owns(string(key)))
	case signed:
		return fmt.Sprintf("%s\t%d", hashes, int32(sum)%int32(size))
	}
	return fmt.Sprintf("%s\t%d", hashes, member.Slot(string(key)))
}
