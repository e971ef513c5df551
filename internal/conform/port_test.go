package conform_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/slotkey/slotkey/internal/pin"
)

// The test binary is also the port under test: with -port NAME it speaks the protocol, rightly or
// with one deliberate fault.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-port" {
		p, ok := ports[os.Args[2]]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such port:", os.Args[2])
			os.Exit(2)
		}
		os.Exit(p.run(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

const rightHello = "slotkey-port/1\tGo\t1.0\tnul bytes deal json\n"

// A port is one implementation of each stage; a nil one is right.
type port struct {
	hello string
	state func(key []byte) uint32
	mix   func(state uint32) uint32
	slot  func(sum uint32, size int64) int64
	key   func(subject, id []byte) []byte // nil: absent
	json  func(body []byte) []byte
	deal  func(slots, members int) []int
	size  func(size int64) int64 // changes a size before it is checked
	// act does what a right port would not: it may print something else than the answer, and end the port.
	act func(number int, answer string) (line string, exit int)
	end func() int // after the last answer
}

const goOn = -1 // act's exit

func (p port) run(in io.Reader, stdout io.Writer) int {
	out := bufio.NewWriter(stdout)
	hello := p.hello
	if hello == "" {
		hello = rightHello
	}
	out.WriteString(hello)
	out.Flush()
	lines := bufio.NewReaderSize(in, 1<<16)
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, exit := fields[0]+"\t"+p.answer(fields[1], fields[2:])+"\n", goOn
		if p.act != nil {
			text, exit = p.act(number, text)
		}
		out.WriteString(text)
		if exit != goOn {
			out.Flush()
			return exit
		}
	}
	out.Flush()
	if p.end != nil {
		return p.end()
	}
	return 0
}

func (p port) answer(operation string, f []string) string {
	switch operation {
	case "hash":
		return p.sums(unhex(f[0]))
	case "slot":
		slot, ok := p.slotOf(unhex(f[0]), f[1])
		if !ok {
			return "error\tsize"
		}
		return p.sums(unhex(f[0])) + "\t" + strconv.FormatInt(slot, 10)
	case "owns":
		slot, ok := p.slotOf(unhex(f[0]), f[1])
		index := number(f[2])
		if !ok || index < 0 || index >= number(f[1]) {
			return "error\tindex"
		}
		return strconv.FormatBool(slot == index)
	case "key":
		choose := rightKey
		if p.key != nil {
			choose = p.key
		}
		return show(choose(unhex(f[0]), unhex(f[1])))
	case "json":
		read := rightJSON
		if p.json != nil {
			read = p.json
		}
		return show(read(unhex(f[0])))
	case "deal":
		slots, members := number(f[0]), number(f[1])
		if members < 1 || members > slots || slots > 1024 {
			return "error\tmembers"
		}
		deal := rightDeal
		if p.deal != nil {
			deal = p.deal
		}
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(deal(int(slots), int(members))), " ", ","), "[]")
	}
	return "error\tunknown operation"
}

func (p port) stages(key []byte) (state, sum uint32) {
	state = pin.Add(pin.Offset, key)
	if p.state != nil {
		state = p.state(key)
	}
	if p.mix != nil {
		return state, p.mix(state)
	}
	return state, pin.Mix(state)
}

func (p port) sums(key []byte) string {
	state, sum := p.stages(key)
	return fmt.Sprintf("%08x\t%08x", state, sum)
}

func (p port) slotOf(key []byte, sizeText string) (slot int64, ok bool) {
	size := number(sizeText)
	if p.size != nil {
		size = p.size(size)
	}
	if size < 1 || size > 1024 {
		return 0, false
	}
	_, sum := p.stages(key)
	if p.slot != nil {
		return p.slot(sum, size), true
	}
	return int64(sum) % size, true
}

func number(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }

// unhex returns nil for an absent attribute, and never nil for an empty one.
func unhex(field string) []byte {
	if field == "-" {
		return nil
	}
	b, err := hex.DecodeString(field)
	if err != nil {
		panic(err)
	}
	return append([]byte{}, b...)
}

func show(key []byte) string {
	if key == nil {
		return "-"
	}
	return hex.EncodeToString(key)
}

func rightKey(subject, id []byte) []byte {
	if len(subject) > 0 {
		return subject
	}
	if len(id) > 0 {
		return id
	}
	return nil
}

func rightDeal(slots, members int) []int {
	return dealBy(slots, members, func(hands [][]int, giver, m int) bool { return len(hands[m]) >= len(hands[giver]) })
}

func dealBy(slots, members int, takeFrom func(hands [][]int, giver, m int) bool) []int {
	hands := make([][]int, 1, members)
	for s := range slots {
		hands[0] = append(hands[0], s)
	}
	for len(hands) < members {
		var taken []int
		for range slots / (len(hands) + 1) {
			giver := 0
			for m := range hands {
				if takeFrom(hands, giver, m) {
					giver = m
				}
			}
			last := len(hands[giver]) - 1
			taken = append(taken, hands[giver][last])
			hands[giver] = hands[giver][:last]
		}
		slices.Sort(taken)
		hands = append(hands, taken)
	}
	holders := make([]int, slots)
	for m, hand := range hands {
		for _, s := range hand {
			holders[s] = m
		}
	}
	return holders
}

// units makes a state function of what is taken for one unit of a key.
func units(of func(key []byte) []uint32) func([]byte) uint32 {
	return func(key []byte) uint32 {
		h := pin.Offset
		for _, unit := range of(key) {
			h = (h ^ unit) * pin.Prime
		}
		return h
	}
}

// hang stays alive and does nothing.
func hang() int { time.Sleep(time.Hour); return 0 }

func at(wanted int, line string, exit int) func(int, string) (string, int) {
	return func(number int, answer string) (string, int) {
		if number == wanted {
			return line, exit
		}
		return answer, goOn
	}
}

// ASCII white space, as trim() takes it off in many languages.
func trim(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }

func utf16ish(key []byte) (out []uint32) {
	for rest := key; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		if c >= 0x10000 {
			c -= 0x10000
			out = append(out, 0xd800+uint32(c>>10), 0xdc00+uint32(c&0x3ff))
		} else {
			out = append(out, uint32(c))
		}
	}
	return out
}
