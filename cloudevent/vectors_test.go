package cloudevent_test

import (
	"errors"
	"testing"

	"github.com/slotkey/slotkey/cloudevent"
	"github.com/slotkey/slotkey/hashpin"
	"github.com/slotkey/slotkey/internal/vectors"
	"github.com/slotkey/slotkey/routing"
	"github.com/slotkey/slotkey/slot"
)

type peekTest struct {
	vectors.Test
	Body       *string        `json:"body"`
	BodyHex    vectors.Bytes  `json:"body_hex"`
	Kind       string         `json:"kind"` // key, malformed
	Subject    *string        `json:"subject"`
	SubjectHex *vectors.Bytes `json:"subject_hex"`
	IDHex      *vectors.Bytes `json:"id_hex"`
	Key        *string        `json:"key"`
	KeyHex     *vectors.Bytes `json:"key_hex"`
}

func TestPeekVectors(t *testing.T) {
	filters := fullGroup(t, 3)
	for _, test := range vectors.Load[peekTest](t, "peek.v1", nil) {
		body := []byte(test.BodyHex)
		want := routing.Event{Subject: test.SubjectHex.Or(), ID: test.IDHex.Or()}
		e, err := cloudevent.Peek(body)
		if err != nil && !errors.Is(err, cloudevent.ErrMalformed) {
			t.Errorf("%v: Peek: %v is no ErrMalformed", test, err)
		}
		if e.Topic != "" || e.Attributes != nil || e.Subject != want.Subject || e.ID != want.ID {
			t.Errorf("%v: Peek = %.60q, %v, want %.60q", test, e, err, want)
		}
		if test.Kind == "key" && err != nil {
			t.Errorf("%v: Peek: %v", test, err)
		}

		wantRoute, wantKind := routing.Route{}, slot.Malformed
		if test.Kind == "key" {
			wantRoute, wantKind = routing.Hashed(hashpin.Sum32String(test.KeyHex.Or())), slot.Own
		}
		if got := cloudevent.Route(routing.Rule{}, cloudevent.Message{Body: body}); got != wantRoute {
			t.Errorf("%v: Route = %v, want that of the key %.60q", test, got, test.KeyHex.Or())
		}
		admitted := 0
		for _, f := range filters {
			verdict := cloudevent.Decide(f, "orders", body)
			if verdict != f.Judge(wantRoute) {
				t.Errorf("%v: %v says %v, want %v", test, f.Member(), verdict, f.Judge(wantRoute))
			}
			if verdict.Admit() {
				admitted++
				if verdict.Kind != wantKind {
					t.Errorf("%v: %v says %v, want %v", test, f.Member(), verdict, wantKind)
				}
			}
		}
		if admitted != 1 {
			t.Errorf("%v: %d members of 3 admit it", test, admitted)
		}
	}
}
