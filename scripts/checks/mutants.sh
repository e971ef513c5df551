#!/usr/bin/env bash
# Breaks the rule on purpose, in a copy of the tree, one fault at a time, and demands that tests notice: a test that
# cannot fail is worth nothing. Each fault is one that an implementation of the rule has had, or could easily have.
#
# A fault that no longer applies to the source is a failure too: put it right here.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git ls-files -z -co --exclude-standard -- go.mod go.sum doc.go cloudevent hashpin internal routing slot testdata |
  tar -cf - --null -T - | tar -xf - -C "$tree"
cd "$tree"

packages=(./hashpin ./routing ./slot ./cloudevent)
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

# Structured JSON. Names and values:
in=cloudevent
names='switch name := body[n.start:n.end]; {'
fault 'the first subject wins' $in/json.go "$names" "if _, found := subject.Sum(); found && equalText(body[n.start:n.end], \"subject\", false) {
			return f
		}
		$names" ./$in
fault 'a later null leaves the subject' $in/json.go "$names" "if equalText(body[n.start:n.end], \"subject\", false) && v.kind == scalar {
			return f
		}
		$names" ./$in
fault 'null is the text null' $in/json.go '&& string(raw) == "null":
		return nil' '&& string(raw) == "null":
		return raw' ./$in
fault 'a number is its text' $in/json.go 'return nil, false, fault{notAString, v.start}' 'return raw, true, fault{}' ./$in
fault 'names with escapes are other names' $in/json.go 'case equalText(name, "subject", false):' 'case false:' ./$in
fault 'names without regard to case' $in/json.go 'case string(name) == "subject":' 'case equalFold(name, "subject"):' ./$in
fault 'values as they stand' $in/json.go 'case clean(raw):' 'case true:' ./$in
fault 'commands are judged by their key' $in/json.go 'if rule.Command(topic) {' 'if false {' ./$in
fault 'a lone surrogate is a question mark' $in/text.go 'return piece, utf8.EncodeRune(piece[:], r), size' 'if r == utf8.RuneError {
			r = 63
		}
		return piece, utf8.EncodeRune(piece[:], r), size' ./$in
fault 'pairs of surrogates are two characters' $in/text.go '!= utf8.RuneError {
				size = 12' '!= utf8.RuneError && false {
				size = 12' ./$in
fault 'a low surrogate is any second escape' $in/text.go "bytes.HasPrefix(raw[size:], []byte(\`\\u\`))" 'len(raw) > size+2' ./$in
fault 'any escape' $in/text.go 'if i < 0 {
		return piece, 0, 0' 'if i < 0 {
		piece[0] = raw[1]
		return piece, 1, 2' ./$in
fault 'any control character' $in/text.go "case c < ' ':
		return piece, 0, 0" 'case false:' ./$in
fault 'the end of a value is not looked at' $in/text.go 'for ; i < len(raw); i++ {' 'for ; false; i++ {' ./$in

# The object's own syntax:
fault 'something may follow the object' $in/object.go 'pos < len(body) {
		return fault{afterTheObject' 'false {
		return fault{afterTheObject' ./$in
fault 'a comma may be the last' $in/object.go "if pos = skipSpace(body, pos+1); at(body, pos) != '\"' {" "if pos = skipSpace(body, pos+1); at(body, pos) == '}' {
				return finish(body, pos+1)
			} else if at(body, pos) != '\"' {" ./$in
fault 'a byte-order mark is white space' $in/object.go 'pos := skipSpace(body, 0)' 'pos := skipSpace(body, 0)
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		pos = 3
	}' ./$in
fault 'the empty name is the end' $in/object.go 'if escaped || wanted.mayWant(end-start) {' 'if end == start {
			return fault{}
		}
		if escaped || wanted.mayWant(end-start) {' ./$in
fault 'an object that is cut' $in/object.go "default:
			return fault{noCommaOrEnd, pos}" "case 0:
			return fault{}
		default:
			return fault{noCommaOrEnd, pos}" ./$in
fault 'escapes beside short strings' $in/object.go 'v.end <= 0 || v.end >= slash' 'v.end <= 0' ./$in
fault 'names beyond 63 bytes' $in/object.go 'length >= 63 || ' '' ./$in
fault 'more in numbers' $in/skip.go "b == '+' || " "b == '+' || b == '_' || " ./$in

# Skipping what does not count:
fault 'brackets in strings' $in/skip.go 'x |= inString' 'x |= 0' ./$in
fault 'strings that cross words' $in/skip.go 'in = uint64(int64(inString) >> 63)' 'in = 0' ./$in
fault 'bytes beyond ASCII as brackets' $in/skip.go '((open ^ everyFlip) + every7 | x) >> 7' '((open^everyFlip)+every7|inString)>>7' ./$in
fault 'bytes beyond ASCII as quotes' $in/skip.go '((ascii^everyQuote)+every7|x)>>7' '((ascii^everyQuote)+every7)>>7' ./$in
fault 'an escaped quote ends a string' $in/skip.go '(end-slash)&1 == 0' 'true' ./$in
fault 'an escaped quote ends a string in a container' $in/skip.go 'pos = slash + 1 + int(in&1)' 'pos = slash + 1' ./$in
fault 'a backslash outside of strings escapes' $in/skip.go 'pos = slash + 1 + int(in&1)' 'pos = slash + 2' ./$in
fault 'a depth of 128 is forgotten' $in/skip.go 'depth, deeper = depth-64, deeper+64' 'depth = depth - 64' ./$in
fault 'a step too wide' $in/skip.go '		pos += 8
	}
	if i := bytes' '		pos += 9
	}
	if i := bytes' ./$in
fault 'braces alone' $in/skip.go 'everyCase  = everyLow * 0x20' 'everyCase  = everyLow * 0' ./$in

# Attributes that only some rules name:
fault 'extensions with regard to case' $in/peek.go 'equalText(name, a, !isCore(a))' 'equalText(name, a, false)' ./$in
fault 'fractions are kept' $in/peek.go 'strconv.Itoa(int(f))' 'text' ./$in

# Batches:
fault 'a batch ends where it cannot be read' $in/batch.go 'yield(body[pos:], &SyntaxError{len(body), unendedValue})
				' '' ./$in
fault 'elements that run into each other' $in/batch.go 'body[pos:end:end]' 'body[pos:end]' ./$in

# Headers:
fault 'the first of a list counts' $in/header.go 'for i := h.n - 1; i >= 0 && h.bytesAt != nil; i-- {' 'for i := 0; i < h.n && h.bytesAt != nil; i++ {' ./$in
fault 'the last of several values counts' $in/header.go 'return values[0]' 'return values[len(values)-1]' ./$in
fault 'names folded beyond ASCII' $in/header.go 'len(n) == len(own) && ' '' ./$in
fault 'headers without a specversion' $in/header.go 'h.text(&p.specversion) != "" || ' 'h.text(&p.subject) != "" || ' ./$in
fault 'values with their white space' $in/value.go 'strings.TrimSpace(s)' 'strings.Trim(s, "")' ./$in
fault 'white space is ASCII' $in/value.go 'strings.TrimSpace(s)' 'strings.Trim(s, "\t\n\v\f\r ")' ./$in
fault 'extensions are trimmed' $in/message.go 'if isCore(name) {' 'if true {' ./$in
fault 'content types with regard to case' $in/value.go '!equalFold(media[:len(eventMedia)], eventMedia)' 'string(media[:len(eventMedia)]) != eventMedia' ./$in
fault 'a format that nobody knows is read as JSON' $in/value.go 'return ModeUnreadable' 'return ModeStructured' ./$in
fault 'a batch is read as an event' $in/value.go 'return ModeBatch' 'return ModeStructured' ./$in
fault 'one form of AMQP' $in/transport.go ', newPrefix("cloudEvents:")' '' ./$in
fault 'commands of MQTT with dots' $in/transport.go ', slashes: true' '' ./$in

# Percent-encoding:
fault 'decoded whatever the rule' $in/message.go 'return rule.Percent() && ' 'return ' ./$in
fault 'decoded whatever the transport' $in/message.go 'return rule.Percent() && m.Header.transport.binding().encoded' 'return rule.Percent()' ./$in
fault 'a bad id beside a good subject' $in/message.go 'reason1 != "" || reason2 != ""' 'reason1 != "" || reason2 != "" && len(decodedSubject) == 0' ./$in
fault 'a bad percent is kept' $in/value.go 'if !ok1 || !ok2 {
				return nil, badPercent
			}' 'if !ok1 || !ok2 {
				decoded = append(decoded, c)
				continue
			}' ./$in
fault 'quotes are kept' $in/value.go 'if last < 1 || ' 'if last > -2 || ' ./$in
fault 'decoded to no UTF-8' $in/value.go '!utf8.Valid(decoded)' '!utf8.Valid(decoded[:0])' ./$in

if [ ${#survivors[@]} -gt 0 ]; then
  printf 'not noticed: %s\n' "${survivors[@]}"
  exit 1
fi
echo "note: $faults faults, each noticed"
