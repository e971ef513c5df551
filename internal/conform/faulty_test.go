package conform_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/internal/conform"
	"github.com/slotkey/slotkey/internal/pin"
)

// doubles multiplies in floating point, as JavaScript and PHP do when nothing stops them.
func doubles(a, b uint32) uint32 { return uint32(math.Mod(float64(a)*float64(b), 1<<32)) }

// A mistake is a port that is right but for one thing, and what the runner must say of it.
type mistake struct {
	name  string
	port  port
	stage conform.Stage
	cause string
}

// mistakes are the bugs that ports of a hash have had. The first nine have each split keys in a well-known client.
var mistakes = []mistake{
	{"signed modulo", port{slot: func(sum uint32, size int64) int64 { return int64(int32(sum) % int32(size)) }},
		conform.StageModulo, "the remainder is signed: the hash must count as unsigned"},
	{"abs", port{slot: func(sum uint32, size int64) int64 { return max(int64(int32(sum)), -int64(int32(sum))) % size }},
		conform.StageModulo, "the absolute value of a signed number is taken: the hash must count as unsigned"},
	{"no finalizer", port{mix: func(state uint32) uint32 { return state }},
		conform.StageFinalizer, "there is no finalizer: the hash is the FNV state"},
	{"UTF-16", port{state: units(utf16ish)},
		conform.StageBytes, "UTF-16 code units are hashed, not the bytes of UTF-8"},
	{"signed bytes", port{state: units(func(key []byte) (out []uint32) {
		for _, b := range key {
			out = append(out, uint32(int8(b)))
		}
		return out
	})}, conform.StageBytes, "bytes count as signed: 0x80 to 0xff must be 128 to 255"},
	{"doubles", port{state: func(key []byte) uint32 {
		h := pin.Offset
		for _, b := range key {
			h = doubles(h^uint32(b), pin.Prime)
		}
		return h
	}}, conform.StageFNV, "products are computed in doubles and lose their low bits: multiply in 32-bit integers"},
	{"first duplicate", port{json: firstJSON},
		conform.StageJSON, "of several members with one name the first is taken, want the last"},
	{"trimmed key", port{key: func(subject, id []byte) []byte {
		return rightKey(trim(subject), trim(id))
	}}, conform.StageKey, "an attribute is trimmed: white space counts"},
	{"empty subject kept", port{key: func(subject, id []byte) []byte {
		if subject != nil {
			return subject
		}
		return rightKey(nil, id)
	}}, conform.StageKey, "the empty subject is kept: an empty attribute is absent"},

	{"finalizer in doubles", port{mix: func(h uint32) uint32 {
		h = doubles(h^h>>16, 0x85ebca6b)
		h = doubles(h^h>>13, 0xc2b2ae35)
		return h ^ h>>16
	}}, conform.StageFinalizer, "products are computed in doubles and lose their low bits: multiply in 32-bit integers"},
	{"signed shifts", port{mix: func(state uint32) uint32 {
		h := int32(state)
		h = int32(uint32(h^h>>16) * 0x85ebca6b)
		h = int32(uint32(h^h>>13) * 0xc2b2ae35)
		return uint32(h ^ h>>16)
	}}, conform.StageFinalizer, "shifts keep the sign: they must shift zeros in"},
	{"FNV-1", port{state: func(key []byte) uint32 {
		h := pin.Offset
		for _, b := range key {
			h = h*pin.Prime ^ uint32(b)
		}
		return h
	}}, conform.StageFNV, "this is FNV-1: FNV-1a first XORs the byte and then multiplies"},
	{"C strings", port{state: func(key []byte) uint32 {
		before, _, _ := bytes.Cut(key, []byte{0})
		return pin.Add(pin.Offset, before)
	}}, conform.StageBytes, "the key ends at a NUL"},
	{"replaced bytes", port{state: func(key []byte) uint32 { return pin.Add(pin.Offset, string([]rune(string(key)))) }},
		conform.StageBytes, "bytes that are no valid UTF-8 are replaced by U+FFFD"},
	{"trimmed in the hash", port{state: func(key []byte) uint32 { return pin.Add(pin.Offset, trim(key)) }},
		conform.StageBytes, "the key is trimmed"},
	{"unknown arithmetic", port{state: func(key []byte) uint32 { return pin.Add(pin.Offset, key) + uint32(len(key)) }},
		conform.StageFNV, ""},
	{"unknown encoding", port{state: func(key []byte) uint32 {
		h := pin.Add(pin.Offset, key)
		for _, b := range key {
			h += uint32(b >> 7)
		}
		return h
	}}, conform.StageBytes, ""},
	{"no key is the empty key", port{key: func(subject, id []byte) []byte {
		return append([]byte{}, rightKey(subject, id)...)
	}}, conform.StageKey, "no key is answered as the empty key: the answer is -"},
	{"wrapped size", port{size: func(size int64) int64 { return int64(uint32(size)) }},
		conform.StageLimits, "a value out of range was answered: SPEC 4.4 wants it refused, not wrapped, clamped or replaced"},
	{"lowest member gives", port{deal: func(slots, members int) []int {
		return dealBy(slots, members, func(hands [][]int, giver, m int) bool { return len(hands[m]) > len(hands[giver]) })
	}}, conform.StageDeal, "among the members that have most the lowest-numbered gives, want the highest-numbered"},
}

// failures are ports that do not keep to the protocol.
var failures = []struct {
	name   string
	port   port
	kind   conform.Kind
	reason string
}{
	{"dies at once", port{hello: "\n", act: at(1, "", 3)}, conform.BadHello, `it must begin with "slotkey-port/1" and a tab`},
	{"dies", port{act: at(100, "", 3)}, conform.Died, "it ended with exit status 3 before answer 100 of "},
	{"dies in a line", port{act: at(100, "100\t12", 1)}, conform.Died, "it ended with exit status 1 before answer 100 of "},
	{"dies at the end", port{end: func() int { return 1 }}, conform.Died, "after the last answer it ended with exit status 1, where status 0 was due"},
	{"ends early", port{act: at(100, "", 0)}, conform.Missing, "it ended with status 0 before answer 100 of "},
	{"ends in a line", port{act: at(100, "100\t12", 0)}, conform.Garbage, "the output ends in the middle of a line, before answer 100 of "},
	{"garbage", port{act: at(50, "debug: here I am\n", goOn)}, conform.Garbage, "an answer begins with the request's number and a tab"},
	{"empty line", port{act: at(50, "\n", goOn)}, conform.Garbage, "an answer begins with the request's number and a tab"},
	{"CR LF", port{act: func(_ int, line string) (string, int) { return line[:len(line)-1] + "\r\n", goOn }}, conform.Garbage, "the line ends with CR LF, want LF alone"},
	{"upper case", port{act: func(_ int, line string) (string, int) { return string(bytes.ToUpper([]byte(line))), goOn }},
		conform.Garbage, `"811C9DC5" is not a number in 8 lower-case hexadecimal digits`},
	{"a field too many", port{act: at(3, "3\t00000000\t00000000\t0\n", goOn)}, conform.Garbage, "the answer to hash has 3 fields behind the number, want 2"},
	{"endless line", port{act: at(2, string(bytes.Repeat([]byte("x"), 2<<20)), goOn)}, conform.Garbage, "a line is longer than 1048576 bytes"},
	{"leaves a line out", port{act: at(70, "", goOn)}, conform.Missing, "this is answer 71 where answer 70 was due"},
	{"answers twice", port{act: func(n int, line string) (string, int) {
		if n == 70 {
			line += line
		}
		return line, goOn
	}}, conform.Extra, "this is answer 70, a second time or out of order, where answer 71 was due"},
	{"a line after the last", port{end: func() int { os.Stdout.WriteString("bye\n"); return 0 }}, conform.Extra, "this line came after the last answer"},
	{"refuses", port{act: at(60, "60\terror\ttoo long\n", goOn)}, conform.Refused, "the port refuses a request that it must answer: too long"},
	{"hangs", port{act: func(n int, line string) (string, int) {
		if n == 40 {
			hang()
		}
		return line, goOn
	}}, conform.Silent, "the port neither read nor wrote"},
	{"lingers", port{end: hang}, conform.Lingers, "all is answered and standard input has ended, but the port does not end its output and exit within "},
	{"lingers without output", port{end: func() int { os.Stdout.Close(); return hang() }}, conform.Lingers, "all is answered and standard output closed, but the port does not exit within "},
	{"closes its output", port{act: func(n int, line string) (string, int) {
		if n == 40 {
			os.Stdout.Close()
			hang()
		}
		return line, goOn
	}}, conform.Missing, "standard output was closed before answer "},
	{"a capability too many", port{hello: "slotkey-port/1\tGo\t1.0\tnul fast\n"}, conform.BadHello, `unknown capability "fast": there are deal, json, nul, bytes, separated by one space`},
	{"a capability twice", port{hello: "slotkey-port/1\tGo\t1.0\tnul nul\n"}, conform.BadHello, `capability "nul" stands there twice`},
	{"no version", port{hello: "slotkey-port/1\tGo\t\tnul\n"}, conform.BadHello, "the version must have 1 to 64 printable ASCII characters and no space at its ends"},
	{"spaces for tabs", port{hello: "slotkey-port/1 Go 1.0\n"}, conform.BadHello, `it must begin with "slotkey-port/1" and a tab`},
	{"three fields", port{hello: "slotkey-port/1\tGo\t1.0\n"}, conform.BadHello, "it has 3 fields separated by tabs, want 4: slotkey-port/1, name, version, capabilities"},
}

// ports are all by name.
var ports = func() map[string]port {
	all := map[string]port{
		"right":           {},
		"no capabilities": {hello: "slotkey-port/1\tGo\t1.0\t\n"},
		"bytes alone":     {hello: "slotkey-port/1\tGo\t1.0\tbytes\n"},
		"nul alone":       {hello: "slotkey-port/1\tGo\t1.0\tnul\n"},
	}
	for _, m := range mistakes {
		all[m.name] = m.port
	}
	for _, f := range failures {
		all[f.name] = f.port
	}
	return all
}()

func rightJSON(body []byte) []byte {
	e, err := cloudevent.Peek(body)
	if err != nil {
		return nil
	}
	return rightKey([]byte(e.Subject), []byte(e.ID))
}

// firstJSON takes the first of several members with one name.
func firstJSON(body []byte) []byte {
	if rightJSON(body) == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if _, err := d.Token(); err != nil {
		return rightJSON(body)
	}
	first := map[string]*string{}
	for d.More() {
		name, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			return rightJSON(body)
		}
		if _, there := first[name.(string)]; !there {
			text, isText := value.(string)
			if !isText {
				text = ""
			}
			first[name.(string)] = &text
		}
	}
	seen := 0
	for _, name := range []string{"subject", "id"} {
		if first[name] != nil && *first[name] != "" {
			seen++
		}
	}
	if seen == 0 || !json.Valid(body) {
		return rightJSON(body)
	}
	var subject, id []byte
	if p := first["subject"]; p != nil {
		subject = []byte(*p)
	}
	if p := first["id"]; p != nil {
		id = []byte(*p)
	}
	return rightKey(subject, id)
}

// mustStart skips a test, by name, where the system cannot start this test's binary: on an emulated processor.
func mustStart(t *testing.T) {
	t.Helper()
	if err := exec.Command(self(t), "-test.run=^$").Run(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this system cannot start a binary of the processor that the test is compiled for")
	}
}

// command returns the command that runs a port in a process of its own.
func command(t *testing.T, name string) []string {
	t.Helper()
	return []string{self(t), "-port", name}
}

func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}
