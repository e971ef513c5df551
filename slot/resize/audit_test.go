package resize_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
	"github.com/slotkey/slotkey/slot/resize"
)

// announce says what a member of a plan tells the fleet.
func announce(t *testing.T, p resize.Plan, member int, delivered uint64, now time.Time) fleet.Announcement {
	t.Helper()
	f := switchOf(t, p, member).Filter(commit.At(delivered))
	w := fleet.Worker{Name: fmt.Sprint("web-", member), Filter: f, Topics: []string{"orders"}, Plan: p.String()}
	a := w.Announce("a", now.Add(-time.Minute), now)
	a.Delivered = commit.At(delivered)
	return a
}

// A member that lacks the text is found by comparing announcements, while everybody is still before
// the switch and nothing has gone wrong yet; see TestAMemberWithoutTheTextMakesGapsAndDoubles for
// what goes wrong later.
func TestAuditFindsTheMemberWithoutTheText(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	longer, shorter := plan(t, "3,5@120000"), plan(t, "3")
	for lacks := range 3 {
		var announcements, complete []fleet.Announcement
		for m := range 3 {
			p := longer
			if m == lacks {
				p = shorter
			}
			delivered := 119_000 + uint64(m)
			announcements = append(announcements, announce(t, p, m, delivered, now))
			complete = append(complete, announce(t, longer, m, delivered, now))
		}
		if findings := fleet.Audit(now, time.Minute, complete); len(findings) != 0 {
			t.Errorf("all have the text: got %v, want no findings", findings)
		}
		findings := fleet.Audit(now, time.Minute, announcements)
		if len(findings) != 1 || findings[0].Kind != fleet.MixedPlans {
			t.Fatalf("member %d lacks the text: got %v, want one finding of mixed plans", lacks, findings)
		}
		line := findings[0].String()
		for _, part := range []string{fmt.Sprintf("give it to web-%d before position 120000", lacks), "3,5@120000"} {
			if !strings.Contains(line, part) {
				t.Errorf("member %d lacks the text: %q does not say %q", lacks, line, part)
			}
		}
		if strings.Contains(line, "reached already") {
			t.Errorf("member %d lacks the text: %q says that it is too late", lacks, line)
		}
	}
}
