package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slotkey/slotkey/slot/commit"
)

// An Announcement is what a worker tells of itself, again and again, for [Audit] to judge. It holds
// what was said, right or wrong: a member of another language or version may say what no
// [slot.Member] can be.
//
// As JSON it has the names below; group, group_size and slots are all there or, in a dedicated
// worker, none. Names that are missing are errors, unknown ones are left out of account.
//
// [slot.Member]: https://pkg.go.dev/github.com/slotkey/slotkey/slot#Member
type Announcement struct {
	// Worker names the worker, the same after a restart: "web-0". Within a group names are unique.
	Worker string `json:"worker"`
	// Incarnation is drawn at random when the worker starts, and tells it from one that had its name before.
	Incarnation string `json:"incarnation"`
	// Rule is the text of the rule under which the worker decides.
	Rule string `json:"rule"`
	// Group, Size and Slots are the member's; empty in a dedicated worker. Under a plan they are
	// those of the generation in which Delivered lies.
	Group string `json:"group"`
	Size  int    `json:"group_size"`
	Slots []int  `json:"slots"`
	// Topics are the topics or patterns that the worker receives, as in [Worker].
	Topics []string `json:"topics"`
	// Plan is the text of the group's plan of generations, empty where there is none.
	Plan string `json:"plan,omitempty"`
	// Delivered and Committed are the positions up to which the worker has been given the log, and has finished it.
	// Zero where the transport has no positions, or where there is nothing yet.
	Delivered commit.Position `json:"delivered,omitzero"`
	Committed commit.Position `json:"committed,omitzero"`
	// Started is when this incarnation began, and Seen when it announced this, both by one clock:
	// the worker's in what it sends, the observer's after SeenAt.
	Started time.Time `json:"started"`
	Seen    time.Time `json:"seen"`
}

// An Instance is one incarnation of a worker.
type Instance struct {
	Worker      string `json:"worker"`
	Incarnation string `json:"incarnation"`
}

// Announce returns what the worker has to announce at the time now. Started and now are readings of
// one clock. The caller adds Delivered and Committed, where the transport has positions. Under a
// plan the worker's Filter is that of the position delivered; with any other, an audit finds sizes
// that differ or slots that are doubled:
//
//	worker.Filter = sw.Filter(delivered)
//	announcement := worker.Announce(incarnation, started, now)
//	announcement.Delivered = delivered
func (w Worker) Announce(incarnation string, started, now time.Time) Announcement {
	m := w.Filter.Member()
	return Announcement{
		Worker:      w.Name,
		Incarnation: incarnation,
		Rule:        w.Filter.Rule().String(),
		Group:       m.Group(),
		Size:        m.Size(),
		Slots:       m.Slots(),
		Topics:      slices.Clone(w.Topics),
		Plan:        w.Plan,
		Started:     started,
		Seen:        now,
	}
}

// SeenAt returns the announcement as an observer stamps it that received it at t, by its own clock:
// Seen is t, and Started moves with it. So a worker's clock that is slow or fast does not matter,
// only how long the worker has run. An observer that reads announcements from a store stamps with
// the time at which the store took them.
func (a Announcement) SeenAt(t time.Time) Announcement {
	a.Started = t.Add(a.Started.Sub(a.Seen))
	a.Seen = t
	return a
}

// ErrAnnouncement is what the errors of reading an announcement are, by [errors.Is].
var ErrAnnouncement = errors.New("fleet: bad announcement")

// MarshalJSON writes the announcement, without group, group_size and slots for a dedicated worker.
func (a Announcement) MarshalJSON() ([]byte, error) {
	type plain Announcement
	a.Started, a.Seen = a.Started.UTC(), a.Seen.UTC()
	a.Topics, a.Slots = append([]string{}, a.Topics...), append([]int{}, a.Slots...) // [] and not null
	if !a.dedicated() {
		return json.Marshal(plain(a))
	}
	return json.Marshal(struct {
		plain
		Group *int `json:"group,omitempty"` // the shallower of two fields of one name wins, and is nil
		Size  *int `json:"group_size,omitempty"`
		Slots *int `json:"slots,omitempty"`
	}{plain: plain(a)})
}

func (a Announcement) dedicated() bool { return a.Group == "" && a.Size == 0 && len(a.Slots) == 0 }

// UnmarshalJSON reads what MarshalJSON writes. Every error is an [ErrAnnouncement]; then a is unchanged.
func (a *Announcement) UnmarshalJSON(data []byte) error {
	type plain Announcement
	var got plain
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("%w: %w", ErrAnnouncement, err)
	}
	if err := json.Unmarshal(data, &got); err != nil {
		return fmt.Errorf("%w: %w", ErrAnnouncement, err)
	}
	missing := func(names ...string) (list []string) {
		for _, name := range names {
			if value, ok := fields[name]; !ok || string(value) == "null" {
				list = append(list, name)
			}
		}
		return list
	}
	if list := missing("worker", "incarnation", "rule", "topics", "started", "seen"); len(list) > 0 {
		return fmt.Errorf("%w: %s is missing", ErrAnnouncement, list[0])
	}
	if list := missing("group", "group_size", "slots"); len(list) == 1 || len(list) == 2 {
		return fmt.Errorf("%w: %s is missing; group, group_size and slots go together", ErrAnnouncement, list[0])
	}
	*a = Announcement(got)
	return nil
}
