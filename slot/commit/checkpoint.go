package commit

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

// A Checkpoint says whose committed position it is, and in which log. Two checkpoints that differ
// in any part have different keys, so no member ever goes on from the position of another, of
// another size or of another rule: it might pass over events that were never its own before. So
// where slots are dealt, a change of the number of members changes the key, unless a plan makes the
// change: there members that stay keep a name of their own, such as group and index, and go on from
// where they were.
type Checkpoint struct {
	// Member is the member's place in the group. Where the group has a plan, it is the place in the
	// first generation in which the member holds slots, so that the key stays when the plan is
	// extended; resize.Switch.Checkpoint sees to that. A dedicated member, and one without slots,
	// have no checkpoint: nothing would tell them apart from others.
	Member slot.Member
	// Dealt is the number of members to which the slots are dealt, Members of the resize.Layout; 0
	// where they are not dealt, and each member holds the slot of its index, or slots that were
	// chosen by hand. It is part of the key and cannot be told from Member, so a deal without it
	// has another key than with it: take resize.Switch.Checkpoint where there is a plan, and one
	// way to make it everywhere.
	Dealt int
	Rule  routing.Rule
	// Log names the log: a stream, a topic and its partition; for the name of a Kafka consumer
	// group, which has all partitions, the topic. It is any text but the empty one, the same in
	// every run.
	Log string
}

// Text returns the checkpoint as one line of text, such as
//
//	pairs:1/3 | 3 | fnv1a32-fmix32 subject,id | orders
//
// the member, the layout (size, or slots/members where they are dealt), the rule and the log. Only
// the log can contain " | ", so the texts of two checkpoints are equal only if all parts are. Every
// error is an [*Error] that is [ErrCheckpoint].
func (c Checkpoint) Text() (string, error) {
	fail := func(field, value, limit string) (string, error) {
		return "", &Error{field, value, limit, ErrCheckpoint}
	}
	switch slots := len(c.Member.Slots()); {
	case c.Member.Dedicated():
		return fail("member", "", "is dedicated: nothing tells its checkpoint from that of another dedicated member")
	case slots == 0:
		return fail("member", c.Member.String(), "holds no slots: nothing tells its checkpoint from that of another such member")
	case c.Dealt < 0 || c.Dealt > c.Member.Size():
		return fail("dealt", strconv.Itoa(c.Dealt), "is not a number of members from 1 to the size, "+strconv.Itoa(c.Member.Size())+", nor 0 for slots that are not dealt")
	case c.Log == "":
		return fail("log", "", "has no name")
	}
	layout := strconv.Itoa(c.Member.Size())
	if c.Dealt > 0 {
		layout += "/" + strconv.Itoa(c.Dealt)
	}
	return strings.Join([]string{c.Member.String(), layout, c.Rule.String(), c.Log}, " | "), nil
}

// Key returns the name under which to store the position:
//
//	pairs-1of3-3f4fd2b8b503bfb634a243b8c5f0f0df
//
// the group, with "_" for each dot, the lowest slot and the size, for people; then 32 hexadecimal
// digits, the first half of the SHA-256 of [Checkpoint.Text], which tell all checkpoints apart. It
// has at most 108 characters of A-Z, a-z, 0-9, "-" and "_", and so may be a file name, a key in
// Redis or in a NATS key-value bucket, a JetStream durable or a Kafka group. Store the text beside
// the position, for those who find the key.
func (c Checkpoint) Key() (string, error) {
	text, err := c.Text()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(text))
	name := strings.ReplaceAll(c.Member.Group(), ".", "_")
	place := strconv.Itoa(c.Member.Slots()[0]) + "of" + strconv.Itoa(c.Member.Size())
	return name + "-" + place + "-" + hex.EncodeToString(sum[:16]), nil
}
