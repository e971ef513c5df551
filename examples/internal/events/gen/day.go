package main

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// A line is one event of the day.
type line struct {
	at   time.Time
	text string
}

// An entry is what a story says of one event; what it leaves empty, the event does not have.
type entry struct {
	source, kind, subject string
	id                    string
	data                  []field // datacontenttype, dataschema, data, data_base64
	extensions            []field
}

var morning = time.Date(2026, time.March, 14, 6, 30, 0, 0, time.UTC)

// zones are where producers' clocks stand.
var zones = []*time.Location{time.UTC, time.UTC, time.FixedZone("", 1*3600), time.FixedZone("", -5*3600), time.FixedZone("", 5*3600+1800)}

// A diary collects the events of all stories.
type diary struct {
	dice
	lines []line
	count int
}

// day returns the events of all stories in the order of their times.
func day(d dice) []line {
	diary := &diary{dice: d}
	diary.shop()
	diary.glasshouse()
	diary.people()
	diary.archive()
	diary.cafe()
	diary.machines()
	slices.SortStableFunc(diary.lines, func(a, b line) int { return cmp.Or(a.at.Compare(b.at), 0) })
	return diary.lines
}

// note writes an entry down. Events of one subject must be noted in the order of their times.
func (y *diary) note(at time.Time, e entry) {
	y.count++
	if e.id == "" {
		e.id = y.newID()
	}
	fields := []field{{"specversion", `"1.0"`}, {"type", quote(e.kind)}, {"source", spell(y.dice, e.source)}}
	if e.subject != "" {
		fields = append(fields, field{"subject", spell(y.dice, e.subject)})
	}
	fields = append(fields, field{"id", quote(e.id)})
	if !y.oneIn(12) { // time is optional
		fields = append(fields, field{"time", quote(y.clock(at))})
	}
	fields = append(fields, e.extensions...)
	fields = append(fields, e.data...)
	y.lines = append(y.lines, line{at, object(y.dice, order(y.dice, fields))})
}

// newID is an id as producers make them: a UUID, a number, a name with a number.
func (y *diary) newID() string {
	switch y.n(3) {
	case 0:
		b := y.bytes(16)
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		h := hex.EncodeToString(b)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	case 1:
		return fmt.Sprintf("%d", 7_000_000+y.count*13)
	}
	return fmt.Sprintf("evt-%05d", y.count)
}

func (y *diary) clock(at time.Time) string {
	at = at.In(pick(y.dice, zones))
	if y.oneIn(3) {
		return at.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return at.Format(time.RFC3339)
}

// later returns a time some minutes after at.
func (y *diary) later(at time.Time, low, high int) time.Time {
	return at.Add(time.Duration(y.between(low*60_000, high*60_000)) * time.Millisecond)
}

func (y *diary) trace() field {
	return field{"traceparent", quote("00-" + hex.EncodeToString(y.bytes(16)) + "-" + hex.EncodeToString(y.bytes(8)) + "-01")}
}
