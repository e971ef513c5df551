package place_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/place"
	"pgregory.net/rapid"
)

// env is a lookup over "NAME=value" strings.
func env(vars ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, v := range vars {
			if n, value, _ := strings.Cut(v, "="); n == name {
				return value, true
			}
		}
		return "", false
	}
}

const (
	g = "SLOTKEY_GROUP="
	s = "SLOTKEY_GROUP_SIZE="
	i = "SLOTKEY_GROUP_INDEX="
)

func TestFromEnv(t *testing.T) {
	for _, tt := range []struct {
		vars []string
		want slot.Config
	}{
		{[]string{g + "pairs", s + "3", i + "0"}, slot.Config{Group: "pairs", Size: 3, Index: 0}},
		{[]string{g + "pairs", s + "3", i + "2"}, slot.Config{Group: "pairs", Size: 3, Index: 2}},
		{[]string{g + "a.b-c_D9", s + "1024", i + "1023"}, slot.Config{Group: "a.b-c_D9", Size: 1024, Index: 1023}},
		{[]string{g + "pairs", s + "1", i + "0"}, slot.Config{Group: "pairs", Size: 1, Index: 0}},
		{[]string{g + "pairs", s + "1"}, slot.Config{Group: "pairs", Size: 1, Index: 0}}, // 0 is the only index there is
	} {
		got, err := place.FromEnv(env(tt.vars...))
		if err != nil || got != tt.want {
			t.Errorf("FromEnv(%q) = %+v, %v; want %+v", tt.vars, got, err, tt.want)
		}
	}
}

func TestFromEnvRefuses(t *testing.T) {
	const together = " is not set; SLOTKEY_GROUP, SLOTKEY_GROUP_SIZE and SLOTKEY_GROUP_INDEX go together"
	for _, tt := range []struct {
		vars []string
		want string
		is   error
	}{
		{nil, "place: none of SLOTKEY_GROUP, SLOTKEY_GROUP_SIZE and SLOTKEY_GROUP_INDEX is set", place.ErrNotSet},
		{[]string{"SLOTKEY_SIZE=3", "slotkey_group=pairs"}, "place: none of SLOTKEY_GROUP, SLOTKEY_GROUP_SIZE and SLOTKEY_GROUP_INDEX is set", place.ErrNotSet},

		// Missing, where another is there: misspelt names end here.
		{[]string{g + "pairs", s + "3"}, "place: SLOTKEY_GROUP_INDEX" + together, slot.ErrIncomplete},
		{[]string{g + "pairs", s + "3", "SLOTKEY_INDEX=1"}, "place: SLOTKEY_GROUP_INDEX" + together, slot.ErrIncomplete},
		{[]string{g + "pairs", i + "1"}, "place: SLOTKEY_GROUP_SIZE" + together, slot.ErrIncomplete},
		{[]string{s + "3", i + "1"}, "place: SLOTKEY_GROUP" + together, slot.ErrIncomplete},
		{[]string{g + "pairs"}, "place: SLOTKEY_GROUP_SIZE" + together, slot.ErrIncomplete},
		{[]string{s + "3"}, "place: SLOTKEY_GROUP" + together, slot.ErrIncomplete},
		{[]string{i + "1"}, "place: SLOTKEY_GROUP" + together, slot.ErrIncomplete},

		// Empty, as templates leave them.
		{[]string{g, s, i}, "place: SLOTKEY_GROUP is set but empty", slot.ErrIncomplete},
		{[]string{g, s + "3", i + "1"}, "place: SLOTKEY_GROUP is set but empty", slot.ErrIncomplete},
		{[]string{g + "pairs", s, i + "1"}, "place: SLOTKEY_GROUP_SIZE is set but empty", slot.ErrIncomplete},
		{[]string{g + "pairs", s + "3", i}, "place: SLOTKEY_GROUP_INDEX is set but empty", slot.ErrIncomplete},
		{[]string{g + "pairs", s + "1", i}, "place: SLOTKEY_GROUP_INDEX is set but empty", slot.ErrIncomplete},

		// The name.
		{[]string{g + "my pairs", s + "3", i + "1"}, `place: SLOTKEY_GROUP "my pairs" has ' ' at byte 2; only ASCII letters, digits, "-", "_" and "." may stand in it`, slot.ErrGroup},
		{[]string{g + strings.Repeat("g", 65), s + "3", i + "1"}, `place: SLOTKEY_GROUP "` + strings.Repeat("g", 65) + `" has 65 bytes; the limit is 64`, slot.ErrGroup},
		{[]string{g + "pairs\n", s + "3", i + "1"}, `place: SLOTKEY_GROUP "pairs\n" has '\n' at byte 5; only ASCII letters, digits, "-", "_" and "." may stand in it`, slot.ErrGroup},

		// The size.
		{[]string{g + "pairs", s + "0", i + "0"}, `place: SLOTKEY_GROUP_SIZE "0" is below 1`, slot.ErrSize},
		{[]string{g + "pairs", s + "1025", i + "0"}, `place: SLOTKEY_GROUP_SIZE "1025" is above the limit of 1024`, slot.ErrSize},
		{[]string{g + "pairs", s + "-3", i + "0"}, `place: SLOTKEY_GROUP_SIZE "-3" is not a plain decimal number: '-' at byte 0`, slot.ErrSize},
		{[]string{g + "pairs", s + "three", i + "0"}, `place: SLOTKEY_GROUP_SIZE "three" is not a plain decimal number: 't' at byte 0`, slot.ErrSize},
		{[]string{g + "pairs", s + "3.0", i + "0"}, `place: SLOTKEY_GROUP_SIZE "3.0" is not a plain decimal number: '.' at byte 1`, slot.ErrSize},
		{[]string{g + "pairs", s + "{{ .Values.replicas }}", i + "0"}, `place: SLOTKEY_GROUP_SIZE "{{ .Values.replicas }}" is not a plain decimal number: '{' at byte 0`, slot.ErrSize},
		{[]string{g + "pairs", s + "4294967299", i + "0"}, `place: SLOTKEY_GROUP_SIZE "4294967299" is too large for any group`, slot.ErrSize},

		// The index.
		{[]string{g + "pairs", s + "3", i + "3"}, `place: SLOTKEY_GROUP_INDEX "3" is not below the group's size of 3 (indexes count from 0)`, slot.ErrIndex},
		{[]string{g + "pairs", s + "1", i + "1"}, `place: SLOTKEY_GROUP_INDEX "1" is not below the group's size of 1 (indexes count from 0)`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "-1"}, `place: SLOTKEY_GROUP_INDEX "-1" is not a plain decimal number: '-' at byte 0`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "+1"}, `place: SLOTKEY_GROUP_INDEX "+1" is not a plain decimal number: '+' at byte 0`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + " 1"}, `place: SLOTKEY_GROUP_INDEX " 1" is not a plain decimal number: ' ' at byte 0`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "1 "}, `place: SLOTKEY_GROUP_INDEX "1 " is not a plain decimal number: ' ' at byte 1`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "1\n"}, `place: SLOTKEY_GROUP_INDEX "1\n" is not a plain decimal number: '\n' at byte 1`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "0x1"}, `place: SLOTKEY_GROUP_INDEX "0x1" is not a plain decimal number: 'x' at byte 1`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "1e0"}, `place: SLOTKEY_GROUP_INDEX "1e0" is not a plain decimal number: 'e' at byte 1`, slot.ErrIndex},
		{[]string{g + "pairs", s + "300", i + "1_0"}, `place: SLOTKEY_GROUP_INDEX "1_0" is not a plain decimal number: '_' at byte 1`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "١"}, `place: SLOTKEY_GROUP_INDEX "١" is not a plain decimal number: '١' at byte 0`, slot.ErrIndex}, // a digit, but not ASCII
		{[]string{g + "pairs", s + "3", i + "01"}, `place: SLOTKEY_GROUP_INDEX "01" has a leading zero`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "00"}, `place: SLOTKEY_GROUP_INDEX "00" has a leading zero`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "4294967296"}, `place: SLOTKEY_GROUP_INDEX "4294967296" is too large for any group`, slot.ErrIndex}, // 0 in 32 bits
		{[]string{g + "pairs", s + "3", i + "18446744073709551617"}, `place: SLOTKEY_GROUP_INDEX "18446744073709551617" is too large for any group`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3", i + "web-1"}, `place: SLOTKEY_GROUP_INDEX "web-1" is not a plain decimal number: 'w' at byte 0`, slot.ErrIndex},
	} {
		got, err := place.FromEnv(env(tt.vars...))
		if err == nil || err.Error() != tt.want || !errors.Is(err, tt.is) || got != (slot.Config{}) {
			t.Errorf("FromEnv(%q)\n got %+v, %v\nwant %v (%v)", tt.vars, got, err, tt.want, tt.is)
		}
	}
}

func TestErrorHasItsParts(t *testing.T) {
	_, err := place.FromEnv(env(g+"pairs", s+"3", i+"7"))
	var got *place.Error
	if !errors.As(err, &got) {
		t.Fatalf("got %T, want a *place.Error", err)
	}
	want := place.Error{"SLOTKEY_GROUP_INDEX", `"7"`, "is not below the group's size of 3 (indexes count from 0)", slot.ErrIndex}
	if *got != want {
		t.Errorf("got %+v, want %+v", *got, want)
	}
}

func TestFromEnvAt(t *testing.T) {
	got, err := place.FromEnvAt(env(g+"pairs", s+"3"), 2)
	if want := (slot.Config{Group: "pairs", Size: 3, Index: 2}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, tt := range []struct {
		vars  []string
		index int
		want  string
		is    error
	}{
		{nil, 0, "place: none of SLOTKEY_GROUP, SLOTKEY_GROUP_SIZE and SLOTKEY_GROUP_INDEX is set", place.ErrNotSet},
		{[]string{g + "pairs"}, 0, "place: SLOTKEY_GROUP_SIZE is not set; it goes together with SLOTKEY_GROUP", slot.ErrIncomplete},
		{[]string{g + "pairs", s + "3", i + "1"}, 1, `place: SLOTKEY_GROUP_INDEX "1" is set, while the index comes from elsewhere: unset it`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3"}, 3, `place: index "3" is not below the group's size of 3 (indexes count from 0)`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3"}, -1, `place: index "-1" is below 0`, slot.ErrIndex},
		{[]string{g + "pairs", s + "3"}, 24567, `place: index "24567" is not below the group's size of 3 (indexes count from 0)`, slot.ErrIndex},
	} {
		got, err := place.FromEnvAt(env(tt.vars...), tt.index)
		if err == nil || err.Error() != tt.want || !errors.Is(err, tt.is) || got != (slot.Config{}) {
			t.Errorf("FromEnvAt(%q, %d)\n got %+v, %v\nwant %v (%v)", tt.vars, tt.index, got, err, tt.want, tt.is)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		text string
		base int
		want int
		err  string
	}{
		{"0", 0, 0, ""},
		{"7", 0, 7, ""},
		{"1", 1, 0, ""},
		{"10", 10, 0, ""},
		{"999999999", 0, 999999999, ""},
		{"0", 1, 0, `place: index "0" is below the base of 1`},
		{"", 0, 0, "place: index is empty; is the variable that should hold it set?"},
		{"-1", 0, 0, `place: index "-1" is not a plain decimal number: '-' at byte 0`},
		{"+1", 0, 0, `place: index "+1" is not a plain decimal number: '+' at byte 0`},
		{" 1", 0, 0, `place: index " 1" is not a plain decimal number: ' ' at byte 0`},
		{"1 ", 0, 0, `place: index "1 " is not a plain decimal number: ' ' at byte 1`},
		{"0x10", 0, 0, `place: index "0x10" is not a plain decimal number: 'x' at byte 1`},
		{"1.5", 0, 0, `place: index "1.5" is not a plain decimal number: '.' at byte 1`},
		{"worker.2", 1, 0, `place: index "worker.2" is not a plain decimal number: 'w' at byte 0`},
		{"rv3b8yxxnutbb1lmxehzt5zv8", 1, 0, `place: index "rv3b8yxxnutbb1lmxehzt5zv8" is not a plain decimal number: 'r' at byte 0`}, // Swarm, global mode
		{"007", 0, 0, `place: index "007" has a leading zero`},
		{"1000000000", 0, 0, `place: index "1000000000" is too large for any group`},
		{"4294967297", 0, 0, `place: index "4294967297" is too large for any group`},
		{"99999999999999999999", 0, 0, `place: index "99999999999999999999" is too large for any group`},
		{"1", -1, 0, `place: index "1" cannot be counted from the base -1, which is below 0`},
	} {
		got, err := place.Number(tt.text, tt.base)
		if got != tt.want || text(err) != tt.err || err != nil && !errors.Is(err, slot.ErrIndex) {
			t.Errorf("Number(%q, %d)\n got %d, %v\nwant %d, %v", tt.text, tt.base, got, err, tt.want, tt.err)
		}
	}
}

func TestOrdinal(t *testing.T) {
	const noOrdinal = ` does not end in "-" and an ordinal, such as web-1`
	for _, tt := range []struct {
		name string
		base int
		want int
		err  string
	}{
		{"web-0", 0, 0, ""},
		{"web-1", 0, 1, ""},
		{"web-10", 0, 10, ""},
		{"web-1", 1, 0, ""},
		{"my-app-v2-3", 0, 3, ""},
		{"api-6d4cf56db6-24567", 0, 24567, ""}, // refused on the range: TestDeploymentPods
		{"web-1.ns.svc", 0, 0, `place: name "web-1.ns.svc" is a domain name; give the instance's name alone, such as web-1`},
		{"web--1", 0, 0, `place: name "web--1" has no name before the "-" of its ordinal`},
		{"-1", 0, 0, `place: name "-1" has no name before the "-" of its ordinal`},
		{"web-", 0, 0, `place: name "web-"` + noOrdinal},
		{"web", 0, 0, `place: name "web"` + noOrdinal},
		{"web1", 0, 0, `place: name "web1"` + noOrdinal},
		{"web_1", 0, 0, `place: name "web_1"` + noOrdinal},
		{"-", 0, 0, `place: name "-"` + noOrdinal},
		{"7", 0, 0, `place: name "7"` + noOrdinal},
		{"", 0, 0, "place: name is empty; is the variable that should hold it set?"},
		{"web-007", 0, 0, `place: name "web-007" has a leading zero`},
		{"ip-10-0-0-12", 0, 0, `place: name "ip-10-0-0-12" is a host's address, not an instance's name with its ordinal (a pod under hostNetwork sees it; hand down metadata.name)`},
		{"ip-10-0-0-12.ec2.internal", 0, 0, `place: name "ip-10-0-0-12.ec2.internal" is a domain name; give the instance's name alone, such as web-1`},
		{"ip-pool-1", 0, 1, ""},
		{"ip-10-0-0-256", 0, 256, ""}, // no address
		{"api-6d4cf56db6-x2k9z", 0, 0, `place: name "api-6d4cf56db6-x2k9z" is not a plain decimal number: 'x' at byte 0`},
		{"web-1a", 0, 0, `place: name "web-1a" is not a plain decimal number: 'a' at byte 1`},
		{"web- 1", 0, 0, `place: name "web- 1" is not a plain decimal number: ' ' at byte 0`},
		{"web-1 ", 0, 0, `place: name "web-1 " is not a plain decimal number: ' ' at byte 1`},
		{"web-0", 1, 0, `place: name "web-0" is below the base of 1`},
		{"web-99999999999999999999", 0, 0, `place: name "web-99999999999999999999" is too large for any group`},
	} {
		got, err := place.Ordinal(tt.name, tt.base)
		if got != tt.want || text(err) != tt.err || err != nil && !errors.Is(err, slot.ErrIndex) {
			t.Errorf("Ordinal(%q, %d)\n got %d, %v\nwant %d, %v", tt.name, tt.base, got, err, tt.want, tt.err)
		}
	}
}

// Every suffix of digits that Kubernetes can give to a Deployment's pod is out of the range of every group.
func TestDeploymentPods(t *testing.T) {
	const digits = "2456789" // of the 27 characters of k8s.io/apimachinery/pkg/util/rand
	tried := 0
	var try func(suffix string)
	try = func(suffix string) {
		if len(suffix) < 5 {
			for _, d := range digits {
				try(suffix + string(d))
			}
			return
		}
		tried++
		index, err := place.Ordinal("api-6d4cf56db6-"+suffix, 0)
		if err != nil {
			t.Fatalf("Ordinal of %s: %v", suffix, err)
		}
		if _, err := place.FromEnvAt(env(g+"pairs", s+strconv.Itoa(slot.MaxSize)), index); !errors.Is(err, slot.ErrIndex) {
			t.Fatalf("%s is index %d of the largest group: error %v, want slot.ErrIndex", suffix, index, err)
		}
	}
	try("")
	if want := 7 * 7 * 7 * 7 * 7; tried != want {
		t.Errorf("tried %d suffixes, want %d", tried, want)
	}
}

// What is accepted is what slot.New accepts and what strconv writes, and nothing else.
func TestFromEnvAcceptsExactlyThePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(
			rapid.Map(rapid.IntRange(-2, 1030), strconv.Itoa),
			rapid.Map(rapid.Int(), strconv.Itoa),
			rapid.StringMatching(`[ +\-0]?[0-9a-fx]{0,12}[ \n]?`),
		)
		size, index := number.Draw(t, "size"), number.Draw(t, "index")
		got, err := place.FromEnv(env(g+"pairs", s+size, i+index))
		n, errN := strconv.Atoi(size)
		k, errK := strconv.Atoi(index)
		valid := errN == nil && errK == nil && strconv.Itoa(n) == size && strconv.Itoa(k) == index &&
			1 <= n && n <= slot.MaxSize && 0 <= k && k < n
		if valid != (err == nil) {
			t.Fatalf("size %q, index %q: error %v, want valid = %v", size, index, err, valid)
		}
		if err != nil {
			var fault *place.Error
			if !errors.As(err, &fault) || got != (slot.Config{}) {
				t.Fatalf("got %+v, %T; want the zero Config and a *place.Error", got, err)
			}
			return
		}
		if want := (slot.Config{Group: "pairs", Size: n, Index: k}); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// A name with an ordinal gives it back; the base is subtracted.
func TestOrdinalIsTheInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringMatching(`[a-z]([a-z0-9\-]{0,20}[a-z0-9])?`).Draw(t, "prefix")
		base, index := rapid.IntRange(0, 100).Draw(t, "base"), rapid.IntRange(0, 2000).Draw(t, "index")
		name := prefix + "-" + strconv.Itoa(base+index)
		got, err := place.Ordinal(name, base)
		if strings.HasPrefix(name, "ip-") && err != nil {
			return // an address
		}
		if err != nil || got != index {
			t.Fatalf("Ordinal(%q, %d) = %d, %v; want %d", name, base, got, err, index)
		}
		if number, err := place.Number(strconv.Itoa(base+index), base); err != nil || number != index {
			t.Fatalf("Number = %d, %v; want %d", number, err, index)
		}
	})
}

// Whatever the text, there is an index that no group refuses for being negative, or an error.
func FuzzOrdinal(f *testing.F) {
	for _, name := range []string{"web-1", "web-1.ns.svc", "web--1", "web-", "web", "web-007", "ip-10-0-0-12", "-", ""} {
		f.Add(name, 0)
	}
	f.Fuzz(func(t *testing.T, name string, base int) {
		index, err := place.Ordinal(name, base)
		if err == nil && index < 0 || err != nil && index != 0 {
			t.Errorf("Ordinal(%q, %d) = %d, %v", name, base, index, err)
		}
		if err == nil && !strings.HasSuffix(name, "-"+strconv.Itoa(index+base)) {
			t.Errorf("Ordinal(%q, %d) = %d, which is not what the name ends in", name, base, index)
		}
	})
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
