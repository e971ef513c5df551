package conform

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"

	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// published is loadVectors, once for a process.
var published = sync.OnceValues(loadVectors)

// loadVectors returns the published vectors as requests, the simple ones first: so the first wrong
// answer is the most telling one. A file that is missing or has another form than expected is an
// error.
func loadVectors() ([]request, error) {
	s := suite{seen: map[string]bool{}}
	s.load("hash.v1", s.hash)
	s.load("group.v1", s.group)
	s.load("routing.v1", s.routing)
	s.load("verdict.v1", s.verdict)
	s.load("deal.v1", s.deal)
	s.load("peek.v1", s.peek)
	return s.requests, s.err
}

// A suite collects requests. The first error stays.
type suite struct {
	requests []request
	seen     map[string]bool // lines: several vectors can make the same request
	err      error
}

func (s *suite) load(stem string, add func(stem string) error) {
	if s.err == nil {
		s.err = add(stem)
	}
}

func (s *suite) add(r request) {
	if !s.seen[string(r.line)] {
		s.seen[string(r.line)] = true
		s.requests = append(s.requests, r)
	}
}

// from names a test for reports.
func from(stem string, t vectors.Test) string {
	return fmt.Sprintf("%s #%d, SPEC %s: %s", stem, t.ID, t.Spec, t.Comment)
}

type hashTest struct {
	vectors.Test
	Key   *string       `json:"key"`
	Bytes vectors.Bytes `json:"key_hex"`
	FNV   hex32         `json:"fnv1a32"`
	Sum   hex32         `json:"hash"`
	Slots []int         `json:"slots"`
}

// A hex32 is a 32-bit number in hexadecimal.
type hex32 uint32

func (h *hex32) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 32)
	*h = hex32(n)
	return err
}

func (s *suite) hash(stem string) error {
	var header struct {
		Sizes []int `json:"sizes"`
	}
	tests, err := vectors.Read[hashTest](vectors.Files(), stem, &header)
	if err != nil {
		return err
	}
	for _, t := range tests {
		s.add(hashRequest(from(stem, t.Test), []byte(t.Bytes), uint32(t.FNV), uint32(t.Sum)))
	}
	for _, t := range tests {
		if id := "e1"; t.Bytes != "" {
			s.add(keyRequest(from(stem, t.Test), (*string)(&t.Bytes), &id, (*string)(&t.Bytes))) // as a subject it is itself
		}
	}
	for _, t := range tests {
		if len(t.Slots) != len(header.Sizes) {
			return fmt.Errorf("conform: %s #%d has %d slots for %d sizes", stem, t.ID, len(t.Slots), len(header.Sizes))
		}
		for i, size := range header.Sizes {
			s.add(slotRequest(from(stem, t.Test), []byte(t.Bytes), size, uint32(t.FNV), uint32(t.Sum), t.Slots[i]))
		}
	}
	return nil
}

type groupTest struct {
	vectors.Test
	Group     *string        `json:"group"`
	GroupHex  *vectors.Bytes `json:"group_hex"`
	Size      *int64         `json:"size"`
	Index     *int64         `json:"index"`
	Result    string         `json:"result"`
	Error     string         `json:"error"`
	Canonical string         `json:"text"`
	TextHex   vectors.Bytes  `json:"text_hex"`
}

// group asks for the slot of one key in every place of the suite that a wrong size or index makes
// invalid, and in the valid ones.
func (s *suite) group(stem string) error {
	tests, err := vectors.Read[groupTest](vectors.Files(), stem, nil)
	if err != nil {
		return err
	}
	const key = "order-7"
	for _, t := range tests {
		if t.Size == nil || t.Index == nil {
			continue
		}
		size, index := strconv.FormatInt(*t.Size, 10), strconv.FormatInt(*t.Index, 10)
		keyHex := hex.EncodeToString([]byte(key))
		switch {
		case t.Result == "valid":
			s.add(s.owns(from(stem, t.Test), key, int(*t.Size), int(*t.Index)))
		case t.Error == "size":
			s.add(refused(from(stem, t.Test), opSlot+"\t"+keyHex+"\t"+size))
			s.add(refused(from(stem, t.Test), opOwns+"\t"+keyHex+"\t"+size+"\t"+index))
		case t.Error == "index":
			s.add(refused(from(stem, t.Test), opOwns+"\t"+keyHex+"\t"+size+"\t"+index))
		}
	}
	return nil
}

func (s *suite) owns(from, key string, size, index int) request {
	return ownsRequest(from, []byte(key), size, index, hashpin.Sum32String(key)%uint32(size) == uint32(index))
}

type event struct {
	Topic      *string        `json:"topic"`
	TopicHex   *vectors.Bytes `json:"topic_hex"`
	Subject    *string        `json:"subject"`
	SubjectHex *vectors.Bytes `json:"subject_hex"`
	ID         *string        `json:"id"`
	IDHex      *vectors.Bytes `json:"id_hex"`
}

type routingTest struct {
	vectors.Test
	Event  event          `json:"event"`
	Route  string         `json:"route"`
	Key    *string        `json:"key"`
	KeyHex *vectors.Bytes `json:"key_hex"`
	Sum    hex32          `json:"hash"`
}

// routing asks for the keys of all events that are no commands.
func (s *suite) routing(stem string) error {
	tests, err := vectors.Read[routingTest](vectors.Files(), stem, nil)
	if err != nil {
		return err
	}
	for _, t := range tests {
		if t.Route != "command" {
			s.add(keyRequest(from(stem, t.Test), (*string)(t.Event.SubjectHex), (*string)(t.Event.IDHex), (*string)(t.KeyHex)))
		}
	}
	return nil
}

type verdictTest struct {
	vectors.Test
	Member    *string        `json:"member"`
	MemberHex *vectors.Bytes `json:"member_hex"`
	Group     *string        `json:"group"`
	GroupHex  *vectors.Bytes `json:"group_hex"`
	Size      int            `json:"size"`
	Slots     []int          `json:"slots"`
	Rule      *string        `json:"rule"`
	RuleHex   *vectors.Bytes `json:"rule_hex"`
	Event     event          `json:"event"`
	Verdict   string         `json:"verdict"`
	Slot      *int           `json:"slot"`
	Sum       *hex32         `json:"hash"`
	Admit     bool           `json:"admit"`
}

// verdict asks members of one slot, under the default rule, whether an event's key is theirs.
func (s *suite) verdict(stem string) error {
	tests, err := vectors.Read[verdictTest](vectors.Files(), stem, nil)
	if err != nil {
		return err
	}
	for _, t := range tests {
		key, ok := routing.Key(routing.Event{Subject: t.Event.SubjectHex.Or(), ID: t.Event.IDHex.Or()})
		judged := t.Verdict == slot.Own.String() || t.Verdict == slot.Foreign.String()
		if ok && judged && t.RuleHex == nil && len(t.Slots) == 1 {
			s.add(ownsRequest(from(stem, t.Test), []byte(key), t.Size, t.Slots[0], t.Verdict == slot.Own.String()))
		}
	}
	return nil
}

type dealTest struct {
	vectors.Test
	Slots   int    `json:"slots"`
	Members int    `json:"holders"`
	SHA256  string `json:"sha256"` // of the holders, as decimals joined by commas
	Holders []int  `json:"holder_of_slot"`
}

// deal asks for the holders of every deal, and for deals that there are not.
func (s *suite) deal(stem string) error {
	tests, err := vectors.Read[dealTest](vectors.Files(), stem, nil)
	if err != nil {
		return err
	}
	for _, t := range tests {
		holders := deal(t.Slots, t.Members, true, true)
		if digest := sha256.Sum256([]byte(holders)); hex.EncodeToString(digest[:]) != t.SHA256 {
			return fmt.Errorf("conform: the deal of %s #%d is another one than published", stem, t.ID)
		}
		s.add(dealRequest(from(stem, t.Test), t.Slots, t.Members, holders))
	}
	for _, d := range [][2]string{{"0", "1"}, {"1025", "1"}, {"3", "0"}, {"3", "4"}, {"3", "-1"}, {"4294967299", "2"}, {"3", "4294967297"}} {
		s.add(refused("SPEC 10: no such deal", opDeal+"\t"+d[0]+"\t"+d[1]))
	}
	return nil
}

type peekTest struct {
	vectors.Test
	Body       *string        `json:"body"`
	Bytes      vectors.Bytes  `json:"body_hex"`
	Kind       string         `json:"kind"` // "key", or "malformed" where there is none
	Subject    *string        `json:"subject"`
	SubjectHex *vectors.Bytes `json:"subject_hex"`
	IDHex      *vectors.Bytes `json:"id_hex"`
	Key        *string        `json:"key"`
	KeyHex     *vectors.Bytes `json:"key_hex"`
}

// peek asks for the keys of all bodies.
func (s *suite) peek(stem string) error {
	tests, err := vectors.Read[peekTest](vectors.Files(), stem, nil)
	if err != nil {
		return err
	}
	for _, t := range tests {
		s.add(jsonRequest(from(stem, t.Test), string(t.Bytes), (*string)(t.KeyHex)))
	}
	return nil
}
