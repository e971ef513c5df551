package cli

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/slot/fleet"
)

// The lines of audit --json are findings: what fleet found, a program reads.
func TestAuditJSONIsReadBack(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	say := func(worker string, size, slot int, seen time.Duration) fleet.Announcement {
		return fleet.Announcement{
			Worker: worker, Incarnation: "i", Rule: "fnv1a32-fmix32 subject,id", Group: "pairs", Size: size, Slots: []int{slot},
			Topics: []string{"ticks.>"}, Started: now.Add(-time.Hour), Seen: now.Add(-seen),
		}
	}
	want := fleet.Audit(now, time.Minute, []fleet.Announcement{say("a", 2, 0, 0), say("b", 3, 1, 0), say("c", 2, 1, 61500*time.Millisecond)})
	var out bytes.Buffer
	if err := (&app{out: &show.Out{Writer: &out}}).auditJSON(want, nil); err != nil {
		t.Fatal(err)
	}
	var got []fleet.Finding
	for lines := json.NewDecoder(&out); lines.More(); {
		var f fleet.Finding
		if err := lines.Decode(&f); err != nil {
			t.Fatal(err)
		}
		got = append(got, f)
	}
	if len(want) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
