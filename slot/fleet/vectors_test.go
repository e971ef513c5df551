package fleet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
)

type auditTest struct {
	vectors.Test
	Now           int64                `json:"now"`
	TTL           int64                `json:"ttl"`
	Announcements []vectorAnnouncement `json:"announcements"`
	Findings      []vectorFinding      `json:"findings"`
}

type vectorAnnouncement struct {
	Worker      string          `json:"worker"`
	Incarnation string          `json:"incarnation"`
	Rule        string          `json:"rule"`
	Group       string          `json:"group"`
	Size        int             `json:"size"`
	Slots       []int           `json:"slots"`
	Topics      []string        `json:"topics"`
	Plan        string          `json:"plan"`
	Delivered   commit.Position `json:"delivered"`
	Started     int64           `json:"started"`
	Seen        int64           `json:"seen"`
}

// vectorFinding is a Finding as the vectors have it: flat.
type vectorFinding struct {
	Kind         fleet.Kind `json:"kind"`
	Group        string     `json:"group"`
	Topics       []string   `json:"topics"`
	Size         int        `json:"size"`
	Slots        []int      `json:"slots"`
	Workers      []string   `json:"workers"`
	Incarnations []string   `json:"incarnations"`
	Parts        []int      `json:"parts"`
	Unowned      string     `json:"unowned"`
	Several      string     `json:"several"`
	Age          int64      `json:"age"`
}

func flat(f fleet.Finding) vectorFinding {
	v := vectorFinding{Kind: f.Kind, Group: f.Group, Topics: f.Topics, Size: f.Size, Slots: f.Slots, Age: int64(f.Age / time.Second)}
	for _, p := range f.Parts {
		v.Parts = append(v.Parts, len(p.Instances))
		for _, i := range p.Instances {
			v.Workers, v.Incarnations = append(v.Workers, i.Worker), append(v.Incarnations, i.Incarnation)
		}
	}
	if f.Unowned.Den > 0 {
		v.Unowned, v.Several = f.Unowned.String(), f.Several.String()
	}
	return v
}

func TestAuditVectors(t *testing.T) {
	for _, test := range vectors.Load[auditTest](t, "audit.v1", nil) {
		var all []fleet.Announcement
		for _, a := range test.Announcements {
			all = append(all, fleet.Announcement{
				Worker: a.Worker, Incarnation: a.Incarnation, Rule: a.Rule, Group: a.Group, Size: a.Size, Slots: a.Slots,
				Topics: a.Topics, Plan: a.Plan, Delivered: a.Delivered, Started: time.Unix(a.Started, 0), Seen: time.Unix(a.Seen, 0),
			})
		}
		var got []vectorFinding
		for _, f := range fleet.Audit(time.Unix(test.Now, 0), time.Duration(test.TTL)*time.Second, all) {
			got = append(got, flat(f))
		}
		if diff := cmp.Diff(test.Findings, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v: findings (-want +got):\n%s", test, diff)
		}
	}
}
