package cli

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/internal/pin"
	"github.com/slotkey/slotkey/slot/resize"
)

const slotLong = `Slot tells for each key its hash, its slot and the member that owns it.

A key is taken as it stands, byte by byte. The key - stands for standard input, and each --file for a file, with a key on each line; what ends with a carriage
return is reported, as it is part of the key. With --hex keys are bytes, two hexadecimal digits each.

FNV is the state of the hash before its second stage, which helps to find out where a port of the rule goes wrong.`

const slotExample = `  $ slotkey slot --size 12 order-7 customer/Müller
  FNV       HASH      SLOT  OWNER      KEY
  257fc3fb  42bc63bc     4  member 4   order-7
  5ecb8e55  5af53c19     9  member 9   customer/Müller

  $ printf 'a\nb\n' | slotkey slot --size 360 --members 5 -`

type keyLine struct {
	Key   *string `json:"key,omitempty"` // where it is UTF-8
	Hex   string  `json:"key_hex"`
	FNV   string  `json:"fnv1a32"`
	Hash  string  `json:"hash"`
	Size  int     `json:"size"`
	Slot  int     `json:"slot"`
	Owner int     `json:"owner"`
}

// A slotRun is one run of the command slot.
type slotRun struct {
	*app
	layout  resize.Layout
	hex     bool
	returns int // keys that end with a carriage return
}

func (a *app) slotCommand() *cobra.Command {
	var size, members int
	var files []string
	run := &slotRun{app: a}
	c := &cobra.Command{
		Use:               "slot --size N KEY…",
		Short:             "Which slot a key has, and which member owns it",
		Long:              slotLong,
		Example:           slotExample,
		ValidArgsFunction: none,
		RunE: func(c *cobra.Command, keys []string) (err error) {
			if err := needSize(c); err != nil {
				return err
			}
			if run.layout, err = layout(size, members); err != nil {
				return err
			}
			if len(keys) == 0 && len(files) == 0 {
				return errors.New("slot: give keys, or - to read them from standard input")
			}
			return run.all(keys, files)
		},
	}
	c.Flags().IntVar(&size, "size", 0, "the group's number of slots, `N`")
	c.Flags().IntVar(&members, "members", 0, membersHelp)
	c.Flags().BoolVar(&run.hex, "hex", false, "keys are in hexadecimal")
	c.Flags().StringArrayVar(&files, "file", nil, "read keys from `FILE`, or from all files of a folder")
	return c
}

func (r *slotRun) all(keys, files []string) error {
	if !r.asJSON {
		r.printf("%s\n", r.out.Faint("FNV       HASH      SLOT  "+pad("OWNER", r.ownerWidth())+"  KEY"))
	}
	for _, key := range keys {
		if key == input.Stdin {
			files = append(files, key)
			continue
		}
		if err := r.key([]byte(key)); err != nil {
			return err
		}
	}
	err := r.each("keys", files, func(path string, file io.Reader) error {
		number := 0
		return input.Lines(file, func(line []byte) error {
			number++
			if err := r.key(line); err != nil {
				return fmt.Errorf("%s, line %d: %w", path, number, err)
			}
			return nil
		})
	})
	if r.returns > 0 && err == nil {
		fmt.Fprintf(r.errs, "slotkey: note: %s with a carriage return, which is part of the key\n", keysEnd(r.returns))
	}
	return err
}

func keysEnd(n int) string {
	if n == 1 {
		return "1 key ends"
	}
	return show.Number(n) + " keys end"
}

func (r *slotRun) key(key []byte) error {
	if r.hex {
		bytes, err := hex.DecodeString(string(key))
		if err != nil {
			return fmt.Errorf("--hex: %q is not made of pairs of hexadecimal digits", key)
		}
		key = bytes
	}
	if len(key) > 0 && key[len(key)-1] == '\r' {
		r.returns++
	}
	state := pin.Add(pin.Offset, key)
	sum := pin.Mix(state)
	slot := int(sum % uint32(r.layout.Size()))
	owner := r.layout.Holder(slot)
	if r.asJSON {
		line := keyLine{Hex: hex.EncodeToString(key), FNV: word(state), Hash: word(sum), Size: r.layout.Size(), Slot: slot, Owner: owner}
		if utf8.Valid(key) {
			text := string(key)
			line.Key = &text
		}
		return r.object(line)
	}
	r.printf("%s  %s  %4d  %s  %s\n", word(state), word(sum), slot, pad(member(owner), r.ownerWidth()), show.Key(string(key)))
	return nil
}

func (r *slotRun) ownerWidth() int { return len(member(r.layout.Members() - 1)) }

// member is how people read a member's number.
func member(number int) string { return fmt.Sprint("member ", number) }

// word writes a hash as the vectors do.
func word(n uint32) string { return fmt.Sprintf("%08x", n) }

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-show.Width(text)))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
