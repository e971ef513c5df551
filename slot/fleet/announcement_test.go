package fleet_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/slot/commit"
	"github.com/slotkey/slotkey/slot/fleet"
)

func TestAnnounce(t *testing.T) {
	w := planned(worker(t, "web-1", "pairs:0-1,7/360", "ticks", "trades"), "360/12")
	got := w.Announce("5f0c", t0, at(9))
	want := fleet.Announcement{
		Worker: "web-1", Incarnation: "5f0c", Rule: "fnv1a32-fmix32 subject,id",
		Group: "pairs", Size: 360, Slots: []int{0, 1, 7}, Topics: []string{"ticks", "trades"}, Plan: "360/12",
		Started: t0, Seen: at(9),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.Topics[0] = "changed"
	if got.Topics[0] != "ticks" {
		t.Error("the announcement shares the worker's topics")
	}
}

func TestAnnouncementJSON(t *testing.T) {
	member := says("web-1", 3, []int{1})
	member.Plan, member.Delivered, member.Committed = "3,5@120000", commit.At(119000), commit.Position{Major: 7, Minor: 5}
	dedicated := says("solo", 0, nil)
	dedicated.Group = ""
	none := says("web-1", 3, nil)
	none.Topics = nil
	for _, tt := range []struct {
		a    fleet.Announcement
		want string
	}{
		{member, `{"worker":"web-1","incarnation":"i-web-1","rule":"fnv1a32-fmix32 subject,id","group":"pairs","group_size":3,"slots":[1],"topics":["ticks"],` +
			`"plan":"3,5@120000","delivered":"119000","committed":"7-5","started":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:05:04Z"}`},
		{dedicated, `{"worker":"solo","incarnation":"i-solo","rule":"fnv1a32-fmix32 subject,id","topics":["ticks"],"started":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:05:04Z"}`},
		{none, `{"worker":"web-1","incarnation":"i-web-1","rule":"fnv1a32-fmix32 subject,id","group":"pairs","group_size":3,"slots":[],"topics":[],` +
			`"started":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:05:04Z"}`},
	} {
		got, err := json.Marshal(tt.a)
		if err != nil || string(got) != tt.want {
			t.Errorf("\n got %s, %v\nwant %s", got, err, tt.want)
		}
	}
}

func TestAnnouncementJSONRefuses(t *testing.T) {
	good := map[string]any{
		"worker": "web-1", "incarnation": "5f0c", "rule": "subject,id", "group": "pairs", "group_size": 3, "slots": []int{1},
		"topics": []string{"ticks"}, "started": "2026-01-02T03:04:05Z", "seen": "2026-01-02T03:05:04Z", "unknown": 1,
	}
	body := func(without ...string) []byte {
		some := map[string]any{}
		maps.Copy(some, good)
		for _, name := range without {
			if bare, ok := strings.CutSuffix(name, "=null"); ok {
				some[bare] = nil
			} else {
				delete(some, name)
			}
		}
		data, err := json.Marshal(some)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var a fleet.Announcement
	if err := json.Unmarshal(body(), &a); err != nil || a.Worker != "web-1" || a.Slots[0] != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := json.Unmarshal(body("group", "group_size", "slots"), &a); err != nil || a.Group != "" || a.Size != 0 {
		t.Fatalf("dedicated: %+v, %v", a, err)
	}
	const together = "; group, group_size and slots go together"
	for _, tt := range []struct {
		body []byte
		want string
	}{
		{body("worker"), "worker is missing"},
		{body("incarnation"), "incarnation is missing"},
		{body("rule"), "rule is missing"},
		{body("topics"), "topics is missing"},
		{body("topics=null"), "topics is missing"},
		{body("started"), "started is missing"},
		{body("seen"), "seen is missing"},
		{body("group"), "group is missing" + together},
		{body("group_size"), "group_size is missing" + together},
		{body("group_size=null"), "group_size is missing" + together},
		{body("slots"), "slots is missing" + together},
		{body("group", "group_size"), "group is missing" + together},
		{[]byte(`null`), "worker is missing"},
		{[]byte(`{"worker":7}`), "json: cannot unmarshal number into Go struct field plain.worker of type string"},
		{[]byte(`{"delivered":7}`), "json: cannot unmarshal number into Go struct field plain.delivered of type commit.Position"},
		{[]byte(`[]`), "json: cannot unmarshal array into Go value of type map[string]json.RawMessage"},
	} {
		before := a
		err := json.Unmarshal(tt.body, &a)
		if want := "fleet: bad announcement: " + tt.want; err == nil || err.Error() != want || !errors.Is(err, fleet.ErrAnnouncement) {
			t.Errorf("%s\n got %v\nwant %v", tt.body, err, want)
		}
		if diff := cmp.Diff(before, a); diff != "" {
			t.Errorf("%s changed the announcement:\n%s", tt.body, diff)
		}
	}
}

// wild draws announcements that are true of no member, too.
func wild() *rapid.Generator[fleet.Announcement] {
	return rapid.Custom(func(t *rapid.T) fleet.Announcement {
		instant := rapid.Map(rapid.Int64Range(0, 1<<40), func(n int64) time.Time { return time.UnixMilli(n).UTC() })
		a := fleet.Announcement{
			Worker: rapid.String().Draw(t, "worker"), Incarnation: rapid.String().Draw(t, "incarnation"), Rule: rapid.String().Draw(t, "rule"),
			Topics: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "topics"), Plan: rapid.String().Draw(t, "plan"),
			Delivered: commit.Position{Major: rapid.Uint64().Draw(t, "major"), Minor: rapid.Uint64().Draw(t, "minor")},
			Started:   instant.Draw(t, "started"), Seen: instant.Draw(t, "seen"), Slots: []int{},
		}
		if rapid.Bool().Draw(t, "in a group") {
			a.Group, a.Size = rapid.String().Draw(t, "group"), rapid.Int().Draw(t, "size")
			a.Slots = rapid.SliceOfN(rapid.Int(), 0, 4).Draw(t, "slots")
		}
		return a
	})
}

// What is written is read back, as JSON and as a CloudEvent.
func TestAnnouncementRoundTrip(t *testing.T) {
	empty := cmpopts.EquateEmpty()
	rapid.Check(t, func(t *rapid.T) {
		a := wild().Draw(t, "a")
		var back fleet.Announcement
		if err := json.Unmarshal(must(json.Marshal(a)), &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, back, empty); diff != "" {
			t.Fatalf("JSON (-want +got):\n%s", diff)
		}
		back, err := fleet.ParseCloudEvent(must(a.CloudEvent()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, back, empty); diff != "" {
			t.Fatalf("CloudEvent (-want +got):\n%s", diff)
		}
	})
}

// Audit takes whatever was announced.
func FuzzAudit(f *testing.F) {
	f.Add([]byte(`[{"worker":"a","incarnation":"1","rule":"subject,id","group":"g","group_size":3,"slots":[0,3],"topics":["a.*","*.b"],"started":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:04:05Z"}]`), int64(0), int64(0))
	f.Fuzz(func(t *testing.T, body []byte, now, ttl int64) {
		var all []fleet.Announcement
		if json.Unmarshal(body, &all) != nil {
			return
		}
		for _, finding := range fleet.Audit(time.Unix(now, 0), time.Duration(ttl), all) {
			if line := finding.String(); line == "" || strings.Contains(line, "\n") {
				t.Errorf("%q is not a line", line)
			}
		}
	})
}

func TestCloudEvent(t *testing.T) {
	a := says("web-1", 3, []int{1})
	got := string(must(a.CloudEvent()))
	want := `{"specversion":"1.0","type":"com.github.slotkey.announcement.v1","source":"/slotkey/groups/pairs/workers/web-1/i-web-1",` +
		`"id":"1767323104000000000","subject":"web-1","time":"2026-01-02T03:05:04Z","datacontenttype":"application/json","data":` + string(must(json.Marshal(a))) + `}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	slash := a
	slash.Group, slash.Worker = "pairs/workers", "x"
	if strings.Contains(string(must(slash.CloudEvent())), `"source":"/slotkey/groups/pairs/workers/workers/x`) {
		t.Error("a slash in a name is not escaped: two workers can have one source")
	}
	for body, want := range map[string]string{
		`{`:                                  "fleet: bad announcement: unexpected end of JSON input",
		`{"type":"x"}`:                       `fleet: bad announcement: the event's type is "x", want "com.github.slotkey.announcement.v1"`,
		`{"type":"` + fleet.EventType + `"}`: "fleet: bad announcement: the event has no data",
		`{"type":"` + fleet.EventType + `","data":null}`: "fleet: bad announcement: worker is missing",
	} {
		if _, err := fleet.ParseCloudEvent([]byte(body)); err == nil || err.Error() != want || !errors.Is(err, fleet.ErrAnnouncement) {
			t.Errorf("%s\n got %v\nwant %v", body, err, want)
		}
	}
}

// The observer's stamp keeps how long a worker has run, and takes the worker's clock out.
func TestSeenAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ran := time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "ran"))
		skew := time.Duration(rapid.Int64Range(-1e17, 1e17).Draw(t, "skew"))
		a := fleet.Announcement{Started: t0.Add(skew), Seen: t0.Add(skew + ran)}.SeenAt(at(7))
		if !a.Seen.Equal(at(7)) || !a.Started.Equal(at(7).Add(-ran)) {
			t.Fatalf("started %v, seen %v; want seen %v and started %v before", a.Started, a.Seen, at(7), ran)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
