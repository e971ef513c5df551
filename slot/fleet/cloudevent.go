package fleet

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// EventType is the type of the CloudEvent that holds an [Announcement].
const EventType = "com.github.slotkey.announcement.v1"

// An envelope is a CloudEvent in structured JSON, as far as it matters here (CloudEvents 1.0, JSON format).
type envelope struct {
	SpecVersion string          `json:"specversion"`
	Type        string          `json:"type"`
	Source      string          `json:"source"`
	ID          string          `json:"id"`
	Subject     string          `json:"subject,omitempty"`
	Time        time.Time       `json:"time"`
	ContentType string          `json:"datacontenttype"`
	Data        json.RawMessage `json:"data"`
}

// CloudEvent returns the announcement as a CloudEvent in structured JSON
// (application/cloudevents+json). Its subject is the worker's name, its source the incarnation, of
// which each announcement has a different time and so another id.
func (a Announcement) CloudEvent() ([]byte, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope{
		SpecVersion: "1.0",
		Type:        EventType,
		// Each part is escaped, so that no two incarnations share a source.
		Source:      "/slotkey/groups/" + url.PathEscape(a.Group) + "/workers/" + url.PathEscape(a.Worker) + "/" + url.PathEscape(a.Incarnation),
		ID:          strconv.FormatInt(a.Seen.UnixNano(), 10),
		Subject:     a.Worker,
		Time:        a.Seen.UTC(),
		ContentType: "application/json",
		Data:        data,
	})
}

// ParseCloudEvent reads an announcement from a CloudEvent in structured JSON. Only its type and
// data count. Every error is an [ErrAnnouncement].
func ParseCloudEvent(body []byte) (Announcement, error) {
	var e struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	var a Announcement
	if err := json.Unmarshal(body, &e); err != nil {
		return a, fmt.Errorf("%w: %w", ErrAnnouncement, err)
	}
	if e.Type != EventType {
		return a, fmt.Errorf("%w: the event's type is %q, want %q", ErrAnnouncement, e.Type, EventType)
	}
	if e.Data == nil {
		return a, fmt.Errorf("%w: the event has no data", ErrAnnouncement)
	}
	err := a.UnmarshalJSON(e.Data)
	return a, err
}
