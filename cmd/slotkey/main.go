// Command slotkey answers what operators of a group ask: which member owns this key, why was this
// event dropped, is the load even, what happens if the group changes its size, who is missing, is
// that port of the rule right.
//
//	go -C cmd/slotkey run . help
//
// The exit status is 0, 1 if the answer is bad news, and 2 if the command was used wrongly or cannot work.
package main

import (
	"os"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
