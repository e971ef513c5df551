package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/input"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
	"github.com/slotkey/slotkey/slot/fleet"
)

const auditLong = `Audit judges what the workers of a fleet announced (package slot/fleet): which slots have no member, which have several, whose size, rule or
plan differs, who was not seen for too long.

A FILE holds announcements as JSON objects, one on each line or in an array, bare or as CloudEvents in structured JSON; - is
standard input. All files together are one fleet.

Ages count only with --ttl: who was last seen longer before --now than that does not run. Take three or more times the
interval in which workers announce.

The status is 1 if anything is found, an announcement that cannot be read included.`

// An unreadable is what could not be read, in the place of a finding.
type unreadable struct {
	Kind   string `json:"kind"`
	Where  string `json:"where"`
	Detail string `json:"detail"`
}

// A findingLine is a finding as fleet writes it in JSON, and its text. A fleet.Finding reads it back.
type findingLine struct {
	plainFinding
	Age  string `json:"age,omitempty"`
	Text string `json:"text"`
}

// A plainFinding has no MarshalJSON, which would take over the line.
type plainFinding fleet.Finding

func (a *app) auditCommand() *cobra.Command {
	var ttl time.Duration
	var now string
	c := &cobra.Command{
		Use:   "audit FILE…",
		Short: "Who is missing, double or different, from announcements",
		Long:  auditLong,
		Example: `  $ slotkey audit fleet.ndjson
  $ slotkey audit --ttl 30s --now 2026-11-30T12:00:40Z --json fleet.ndjson`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("audit: give files of announcements, or - for standard input")
			}
			at := time.Now()
			if now != "" {
				var err error
				if at, err = time.Parse(time.RFC3339Nano, now); err != nil {
					return fmt.Errorf("--now: %q is no time such as 2026-11-30T12:00:00Z", now)
				}
			}
			if ttl < 0 {
				return fmt.Errorf("--ttl: %v is below 0", ttl)
			}
			return a.audit(files, at, ttl)
		},
	}
	c.Flags().DurationVar(&ttl, "ttl", 0, "who was not seen for longer than this `DURATION` does not run; without it nobody is too old")
	c.Flags().StringVar(&now, "now", "", "judge ages at this `TIME`; without it the present")
	return c
}

func (a *app) audit(files []string, now time.Time, ttl time.Duration) error {
	var announcements []fleet.Announcement
	var bad []unreadable
	err := a.each("announcements", files, func(path string, file io.Reader) error {
		r := input.NewReader(file)
		options := input.Options{}
		return options.Events(path, options.FormOf(path, r), r, func(e input.Event) error {
			announcement, err := announced(e.Message.Body)
			if err == nil {
				err = e.Err
			}
			if err != nil {
				bad = append(bad, unreadable{"unreadable", e.Where, oneLine(err.Error())})
				return nil
			}
			announcements = append(announcements, announcement)
			return nil
		})
	})
	switch {
	case err != nil:
		return err
	case len(announcements) == 0 && len(bad) > 0:
		return fmt.Errorf("%s: %s", bad[0].Where, bad[0].Detail)
	case len(announcements) == 0:
		return errors.New("audit: there is no announcement in the input")
	}
	findings := fleet.Audit(now, ttl, announcements)
	if a.asJSON {
		err = a.auditJSON(findings, bad)
	} else {
		a.printAudit(findings, bad, len(announcements))
	}
	if err == nil && len(findings)+len(bad) > 0 {
		err = errBad
	}
	return err
}

// announced reads an announcement, bare or in a CloudEvent.
func announced(body []byte) (fleet.Announcement, error) {
	var a fleet.Announcement
	if e, err := cloudevent.Peek(body, "specversion"); err == nil && e.Attributes["specversion"] != "" {
		return fleet.ParseCloudEvent(body)
	}
	err := json.Unmarshal(bytes.TrimSpace(body), &a)
	return a, err
}

func (a *app) auditJSON(findings []fleet.Finding, bad []unreadable) error {
	for _, b := range bad {
		if err := a.object(b); err != nil {
			return err
		}
	}
	for _, f := range findings {
		line := findingLine{plainFinding: plainFinding(f), Text: f.String()}
		if f.Age != 0 {
			line.Age = f.Age.String()
		}
		if err := a.object(line); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printAudit(findings []fleet.Finding, bad []unreadable, n int) {
	for _, b := range bad {
		a.printf("%s: %s\n", a.out.Bad(b.Where), b.Detail)
	}
	for _, f := range findings {
		text := f.String()
		if f.Kind != fleet.Switching {
			text = a.out.Bad(text)
		}
		a.printf("%s\n", text)
	}
	if len(findings)+len(bad) == 0 {
		a.printf("%s %s\n", show.Plural(n, "announcement")+":", a.out.Good("all is well"))
	}
}
