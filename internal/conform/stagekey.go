package conform

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// wrongKey looks for the mistake that makes a key of attributes.
func wrongKey(r *request, got string) string {
	fields := r.fields()
	subject, id := string(fields[0]), string(fields[1])
	trimmed := func(field string) string { return hex.EncodeToString(bytes.TrimSpace(unhex([]byte(field)))) }
	folded := func(field string) string { return hex.EncodeToString(bytes.ToLower(unhex([]byte(field)))) }
	switch due := string(r.want); {
	case got == "" && due == absent:
		return "no key is answered as the empty key: the answer is " + absent
	case got == "":
		return "the empty subject is kept: an empty attribute is absent"
	case got == absent && subject == "" && due == id:
		return "the empty subject counts as no key: an empty attribute is absent, and the id is next"
	case got == trimmed(due), trimmed(subject) == "" && got == id, trimmed(subject) == "" && trimmed(id) == "" && got == absent:
		return "an attribute is trimmed: white space counts"
	case got == folded(due):
		return "an attribute is folded to lower case"
	case got == id && due == subject:
		return "the id is taken before the subject"
	case got == subject+id:
		return "subject and id are joined: the subject alone is the key, and the id where there is no subject"
	case got == hex.EncodeToString([]byte(due)):
		return "the hexadecimal digits are taken for the attribute, not the bytes that they stand for"
	}
	return ""
}

// wrongJSON looks for the mistake that makes a key of a body.
func wrongJSON(body, due []byte, got string) string {
	key := string(unhex([]byte(got)))
	first, last, folded := members(body)
	choose := func(of map[string]string) string {
		if s := of["subject"]; s != "" {
			return s
		}
		return of["id"]
	}
	switch {
	case got == "":
		return "an empty attribute is kept: it is absent"
	case got == absent:
		return "there is a key in this body"
	case key == choose(first) && key != choose(last):
		return "of several members with one name the first is taken, want the last"
	case key == choose(folded) && key != choose(last):
		return "names are compared without regard to case"
	case key == "null":
		return "null is taken for a text: it is absent"
	case string(due) == absent && !json.Valid(body):
		return "what cannot be read has no key"
	case key == last["id"] && last["subject"] != "":
		return "the id is taken before the subject"
	case string(due) == absent && key == choose(last):
		return "each subject and id in the body must be a string or null, and right, also one that a later one replaces"
	case key == strings.TrimSpace(choose(last)) && key != choose(last):
		return "the attribute is trimmed: white space counts"
	}
	return ""
}

// members reads the strings of a body's top level, as far as it can be read: the first and the last
// of each name, and the last of each name in lower case.
func members(body []byte) (first, last, folded map[string]string) {
	first, last, folded = map[string]string{}, map[string]string{}, map[string]string{}
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return
	}
	for d.More() {
		token, err := d.Token()
		name, isName := token.(string)
		var raw json.RawMessage
		if err != nil || !isName || d.Decode(&raw) != nil {
			return
		}
		var value string
		_ = json.Unmarshal(raw, &value) // anything but a string is as if absent
		if _, there := first[name]; !there {
			first[name] = value
		}
		last[name] = value
		folded[strings.ToLower(name)] = value
	}
	return
}

// wrongDeal looks for the mistake that makes a deal.
func wrongDeal(r *request, got string) string {
	slots, members := number(r.fields()[0]), number(r.fields()[1])
	holders := strings.Split(got, ",")
	if len(holders) != slots {
		return "there must be one holder for each slot"
	}
	if got == deal(slots, members, false, true) {
		return "among the members that have most the lowest-numbered gives, want the highest-numbered"
	}
	if got == deal(slots, members, true, false) {
		return "a newcomer takes the lowest slot of a member, want the highest"
	}
	plain := make([]int, slots)
	for i := range plain {
		plain[i] = i % members
	}
	if got == join(plain) {
		return "slots are dealt by remainder"
	}
	return ""
}
