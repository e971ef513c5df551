package fleet

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A holder is a name in a group: what incarnations of one worker have in common. It is a struct and
// not a joined text, as names may hold any character.
type holder struct{ group, worker string }

// alive sorts announcements into those of workers that run, and of workers that seem to be dead:
// not seen for longer than ttl, with no other incarnation alive. Announcements of what was replaced
// are in neither. Both are in the order of worker and incarnation.
func alive(now time.Time, ttl time.Duration, announcements []Announcement) (live, stale []Announcement) {
	byHolder := map[holder]map[string]Announcement{}
	for _, a := range announcements {
		h := holder{a.Group, a.Worker}
		if byHolder[h] == nil {
			byHolder[h] = map[string]Announcement{}
		}
		if before, ok := byHolder[h][a.Incarnation]; !ok || !a.Seen.Before(before.Seen) {
			byHolder[h][a.Incarnation] = a
		}
	}
	for _, incarnations := range byHolder {
		var running []Announcement
		var latest *Announcement
		for _, a := range incarnations {
			switch {
			case replaced(a, incarnations):
			case ttl > 0 && now.Sub(a.Seen) > ttl:
				if latest == nil || latest.Seen.Before(a.Seen) || latest.Seen.Equal(a.Seen) && latest.Incarnation < a.Incarnation {
					latest = &a
				}
			default:
				running = append(running, a)
			}
		}
		if live = append(live, running...); len(running) == 0 { // then latest is there: who began last is never replaced
			stale = append(stale, *latest)
		}
	}
	order := func(a, b Announcement) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), compareInstances(a.instance(), b.instance()))
	}
	slices.SortFunc(live, order)
	slices.SortFunc(stale, order)
	return live, stale
}

// replaced reports whether a gave way to another incarnation: one that began later, and a was not seen since.
func replaced(a Announcement, incarnations map[string]Announcement) bool {
	for _, other := range incarnations {
		if other.Started.After(a.Started) && !a.Seen.After(other.Started) {
			return true
		}
	}
	return false
}

func (a Announcement) instance() Instance { return Instance{a.Worker, a.Incarnation} }
