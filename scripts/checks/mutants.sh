#!/usr/bin/env bash
# Breaks the rule on purpose, in a copy of the tree, one fault at a time, and demands that tests notice: a test that
# cannot fail is worth nothing. Each fault is one that an implementation of the rule has had, or could easily have.
#
# A fault that no longer applies to the source is a failure too: put it right here.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git ls-files -z -co --exclude-standard -- go.mod go.sum doc.go hashpin internal routing slot testdata |
  tar -cf - --null -T - | tar -xf - -C "$tree"
cd "$tree"

packages=(./hashpin ./routing ./slot)
survivors=() faults=0

# tests PACKAGE...: the tests, without the search of properties for a smallest example.
tests() {
  go test -trimpath -vet=off -short -run '^Test' "$@" -rapid.shrinktime=1ms -rapid.nofailfile >log 2>&1
}

# fault NAME FILE OLD NEW PACKAGE...: puts NEW in the place of OLD, which must be in FILE exactly once, and runs the tests of
# the packages.
fault() {
  local name=$1 file=$2 old=$3 new=$4 source rest red
  shift 4
  faults=$((faults + 1))
  source=$(<"$file")
  rest=${source#*"$old"}
  if [ "$rest" = "$source" ] || [ "${rest#*"$old"}" != "$rest" ]; then
    echo "$name: is not once in $file: $old"
    survivors+=("$name")
    return
  fi
  printf '%s\n' "${source/"$old"/"$new"}" >"$file"
  if tests "$@"; then
    echo "$name: no test of $* fails"
    survivors+=("$name")
  elif red=$(grep -aoE '^--- FAIL: [^ ]+' log | cut -d ' ' -f 3 | paste -s -d ' '); [ -n "$red" ]; then
    echo "$name: $red"
  else
    echo "$name: no test ran"
    tail -n 20 log
    survivors+=("$name")
  fi
  printf '%s\n' "$source" >"$file"
}

tests "${packages[@]}" || { echo 'the tests fail without any fault:'; cat log; exit 1; }

# The hash.
pin=internal/pin/pin.go
fault 'no finalizer' $pin 'func Mix(h uint32) uint32 {' 'func Mix(h uint32) uint32 { return h' ./hashpin
fault 'arithmetic in 64 bits' $pin 'func Mix(h uint32) uint32 {' 'func Mix(h32 uint32) uint32 { return uint32(mix64(uint64(h32))) }
func mix64(h uint64) uint64 {' ./hashpin
fault 'signed bytes' $pin 'uint32(s[i])' 'uint32(int8(s[i]))' ./hashpin
fault 'FNV-1 in place of FNV-1a' $pin '(h ^ uint32(s[i])) * Prime' 'h*Prime ^ uint32(s[i])' ./hashpin
fault 'runes in place of bytes' hashpin/hashpin.go 'func Sum32String(key string) uint32 {' 'func Sum32String(key string) uint32 {
	h := pin.Offset
	for _, r := range key {
		h = (h ^ uint32(r)) * pin.Prime
	}
	if true {
		return pin.Mix(h)
	}
' ./hashpin
fault 'UTF-16 in place of UTF-8' hashpin/hashpin.go 'func Sum32String(key string) uint32 {' 'func Sum32String(key string) uint32 {
	h := pin.Offset
	for _, r := range key {
		if r > 0xffff {
			h = (h ^ uint32(0xd7c0+r>>10)) * pin.Prime
			r = 0xdc00 + r&0x3ff
		}
		h = (h ^ uint32(r)) * pin.Prime
	}
	if true {
		return pin.Mix(h)
	}
' ./hashpin

# The slot.
modulo='slot := sum % f.member.size'
fault 'signed modulo' slot/member.go 'int(hashpin.Sum32String(key) % m.size)' 'int(int32(hashpin.Sum32String(key)) % int32(m.size))' ./slot
fault 'signed modulo, made positive' slot/filter.go "$modulo" 'n := int32(f.member.size)
	slot := uint32((int32(sum)%n + n) % n)' ./slot
fault 'absolute value' slot/filter.go "$modulo" 'signed := int32(sum)
	if signed < 0 {
		signed = -signed
	}
	slot := uint32(signed) % f.member.size' ./slot
fault 'scaled in place of modulo' slot/filter.go "$modulo" 'slot := uint32(uint64(sum) * uint64(f.member.size) >> 32)' ./slot
fault 'the group in the hash' slot/filter.go 'sum, hasKey := r.Sum()' 'sum, hasKey := r.Sum()
	sum ^= uint32(len(f.member.group))' ./slot
fault 'index equal to the size' slot/config.go 'case index >= size:' 'case index > size:' ./slot
fault 'a missing index is 0' slot/config.go 'present > 0 && present < len(configNames)' 'false' ./slot
fault 'a null index is 0' slot/config.go 'string(value) == "null"' 'false' ./slot
fault 'ranges of slots off by one' slot/text.go 'm.Holds(last + 1)' 'm.Holds(last + 2)' ./slot

# The routing key.
route='func (r Rule) Route(e Event) Route {'
fault 'a trimmed key' routing/rule.go "$route" "$route
	e.Subject = strings.TrimSpace(e.Subject)" ./routing
fault 'a folded key' routing/rule.go "$route" "$route
	e.Subject = strings.ToLower(e.Subject)" ./routing
fault 'an empty subject is present' routing/rule.go "$route" "$route
	if e.Subject == \"\" && e.ID != \"\" && r == (Rule{}) {
		return Hashed(hashpin.Sum32String(\"\"))
	}" ./routing
fault 'an attribute not fetched is absent' routing/part.go 'func (f form) choose(e *Event) (alternative string, ok bool) {' \
  'func (f form) choose(e *Event) (alternative string, ok bool) {
	if e.Attributes == nil {
		e.Attributes = map[string]string{}
	}' ./routing
fault 'joined keys without lengths' routing/part.go "return append(strconv.AppendInt(b, int64(len(value)), 10), ':')" \
  '_ = strconv.AppendInt
	return b' ./routing

# Commands and verdicts.
fault 'the default bypass is off' routing/rule.go 'func (r Rule) Command(topic string) bool {' 'func (r Rule) Command(topic string) bool {
	if r == (Rule{}) {
		return false
	}' ./routing
fault 'a command of five tokens' routing/topic.go "return ok && id != \"\" && strings.IndexByte(id, '.') < 0" 'return ok && id != ""' ./routing
fault 'a star for an empty token' routing/topic.go 'case got == "":' 'case got == "" && want != "*":' ./routing
fault 'commands are filtered' slot/filter.go 'if r.Command() {' 'if false {' ./slot
fault 'every member answers for no key' slot/filter.go 'if !f.member.holds(slot) {' 'if hasKey && !f.member.holds(slot) {' ./slot
fault 'no member answers for no key' slot/filter.go 'emptySum, Malformed' 'emptySum, Foreign' ./slot

if [ ${#survivors[@]} -gt 0 ]; then
  printf 'not noticed: %s\n' "${survivors[@]}"
  exit 1
fi
echo "note: $faults faults, each noticed"
