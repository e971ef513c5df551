package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/google/go-cmp/cmp"

	"github.com/slotkey/slotkey/slot"
	"github.com/slotkey/slotkey/slot/fleet"
)

// The CloudEvents SDK reads an announcement's CloudEvent as what it is.
func TestCloudEventForTheSDK(t *testing.T) {
	m, err := slot.ParseMember("pairs:0-1,7/360")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	want := fleet.Worker{Name: "web 0/ä", Filter: slot.NewFilter(m), Topics: []string{"ticks.>"}}.Announce("9f3c", now.Add(-time.Hour), now)
	body, err := want.CloudEvent()
	if err != nil {
		t.Fatal(err)
	}
	var e event.Event
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	if err := e.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	if e.Type() != fleet.EventType || e.Subject() != "web 0/ä" || !e.Time().Equal(now) || e.Source() != "/slotkey/groups/pairs/workers/web%200%2F%C3%A4/9f3c" {
		t.Errorf("got %v", e)
	}
	var got fleet.Announcement
	if err := e.DataAs(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	written, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = fleet.ParseCloudEvent(written); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("written by the SDK (-want +got):\n%s", diff)
	}
}
