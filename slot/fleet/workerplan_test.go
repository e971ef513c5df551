package fleet_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
	"github.com/slotkey/slotkey/slot/resize"
)

// planWorker is a member of a plan as a worker, with the filter of a position.
func planWorker(tb testing.TB, text string, number int, position commit.Position) fleet.Worker {
	tb.Helper()
	plan, err := resize.ParsePlan(text)
	if err != nil {
		tb.Fatal(err)
	}
	sw, err := plan.Switch("pairs", number, routing.Rule{})
	if err != nil {
		tb.Fatal(err)
	}
	return fleet.Worker{Name: fmt.Sprint("w", number), Filter: sw.Filter(position), Topics: []string{"ticks"}, Plan: plan.String()}
}

// What the doc of Worker says of a registry: the last generation speaks for all, and an extended
// plan takes a stop of all.
func TestRegistryUnderAPlan(t *testing.T) {
	var r fleet.Registry
	last := commit.At(100)
	for number := range 5 {
		start(t, &r, planWorker(t, "360/3,360/5@100", number, last))
	}
	if got, want := text(r.Coverage()), []string{"group pairs on [ticks] has 360 of 360 slots running"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	double := planWorker(t, "360/3,360/5@100", 4, last)
	double.Name = "again"
	if _, err := r.Start(double); !errors.Is(err, fleet.ErrSlotHeld) {
		t.Errorf("member 4 again: got %v", err)
	}
	for number := range 5 {
		if _, err := r.Stop(fmt.Sprint("w", number)); err != nil {
			t.Fatal(err)
		}
	}
	for number := range 7 {
		start(t, &r, planWorker(t, "360/3,360/5@100,360/7@200", number, commit.At(200)))
	}

	var mixed fleet.Registry
	start(t, &mixed, planWorker(t, "3,5@100", 0, commit.At(99)))
	if _, err := mixed.Start(planWorker(t, "3,5@100", 1, last)); !errors.Is(err, fleet.ErrSizeDiffers) {
		t.Errorf("of two generations: got %v", err)
	}
}

// What the doc of Announce says: the filter is that of the position delivered, or the audit finds what is not so.
func TestAnnounceUnderAPlan(t *testing.T) {
	for _, tt := range []struct {
		name              string
		filter, delivered [5]uint64 // of members 0 to 4
		want              []fleet.Kind
	}{
		{"before the switch", [5]uint64{99, 98, 97, 99, 99}, [5]uint64{99, 98, 97, 99, 99}, nil},
		{"in it", [5]uint64{99, 101, 97, 100, 99}, [5]uint64{99, 101, 97, 100, 99}, []fleet.Kind{fleet.Switching}},
		{"behind it", [5]uint64{100, 101, 170, 100, 100}, [5]uint64{100, 101, 170, 100, 100}, nil},
		{"a filter left behind", [5]uint64{100, 99, 170, 100, 100}, [5]uint64{100, 101, 170, 100, 100}, []fleet.Kind{fleet.MixedSizes}},
	} {
		var heard []fleet.Announcement
		for number := range 5 {
			a := planWorker(t, "3,5@100", number, commit.At(tt.filter[number])).Announce("i", at(0), at(59))
			a.Delivered = commit.At(tt.delivered[number])
			heard = append(heard, a)
		}
		var got []fleet.Kind
		for _, f := range fleet.Audit(at(60), ttl, heard) {
			got = append(got, f.Kind)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
