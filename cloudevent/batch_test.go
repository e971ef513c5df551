package cloudevent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotkey/slotkey/cloudevent"
)

// collect returns the elements of a batch as text, and the last one's error.
func collect(t tb, body []byte) (elements []string, last error) {
	t.Helper()
	for element, err := range cloudevent.Batch(body) {
		if last != nil {
			t.Fatalf("%q: an element follows one with the error %v", body, last)
		}
		elements = append(elements, string(element))
		last = err
	}
	return elements, last
}

func TestBatch(t *testing.T) {
	const fault = "cloudevent: malformed event: at byte "
	for _, test := range []struct {
		body string
		want []string
		err  string // empty for none
	}{
		{`[]`, nil, ""},
		{" [ \n] ", nil, ""},
		{`[{"id":"i"}]`, []string{`{"id":"i"}`}, ""},
		{`[{"id":"i"},{"id":"j"}]`, []string{`{"id":"i"}`, `{"id":"j"}`}, ""},
		{" [ {\"id\" : \"i\"}\n,\t{} ] \n", []string{`{"id" : "i"}`, `{}`}, ""},
		// An element that is no event is an element all the same.
		{`[1,null,"a,]",[1,2],true]`, []string{`1`, `null`, `"a,]"`, `[1,2]`, `true`}, ""},
		{`[{"id":7},{"id":"\q"},{"a" 1},[}]`, []string{`{"id":7}`, `{"id":"\q"}`, `{"a" 1}`, `[}`}, ""},
		{`["\"",{"x":"]\\"},nope]`, []string{`"\""`, `{"x":"]\\"}`, `nope`}, ""},
		{`[{"data":[{"id":"n"},{}]},{"id":"j"}]`, []string{`{"data":[{"id":"n"},{}]}`, `{"id":"j"}`}, ""},
		// What cannot be read further is the last element.
		{``, []string{``}, `0: a "[" should stand here`},
		{`{"id":"i"}`, []string{`{"id":"i"}`}, `0: a "[" should stand here`},
		{"\ufeff[]", []string{"\ufeff[]"}, `0: a "[" should stand here`},
		{` null`, []string{` null`}, `1: a "[" should stand here`},
		{`[`, []string{``}, `1: a value should stand here`},
		{`[,{}]`, []string{`,{}]`}, `1: a value should stand here`},
		{`[{},]`, []string{`{}`, `]`}, `4: a value should stand here`},
		{`[{},,{}]`, []string{`{}`, `,{}]`}, `4: a value should stand here`},
		{`[{}`, []string{`{}`, ``}, `3: a "," or "]" should stand here`},
		{`[{},`, []string{`{}`, ``}, `4: a value should stand here`},
		{`[{}{}]`, []string{`{}`, `{}]`}, `3: a "," or "]" should stand here`},
		{`[{}:{}]`, []string{`{}`, `:{}]`}, `3: a "," or "]" should stand here`},
		{`[1 2]`, []string{`1`, `2]`}, `3: a "," or "]" should stand here`},
		{`[{"id":"i"},{"id":"j"`, []string{`{"id":"i"}`, `{"id":"j"`}, `21: the body ends inside of a value`},
		{`[{"id":"i"},"j]`, []string{`{"id":"i"}`, `"j]`}, `15: the body ends inside of a value`},
		// Brackets of both kinds count: the element has taken the batch's.
		{`[{"id":"i"]`, []string{`{"id":"i"]`, ``}, `11: a "," or "]" should stand here`},
		{`[{}]x`, []string{`{}`, `x`}, `4: nothing but white space may follow the batch`},
		{`[{}] [{}]`, []string{`{}`, `[{}]`}, `5: nothing but white space may follow the batch`},
		{`[]]`, []string{`]`}, `2: nothing but white space may follow the batch`},
	} {
		got, err := collect(t, []byte(test.body))
		if !slices.Equal(got, test.want) {
			t.Errorf("Batch(%q) = %q, want %q", test.body, got, test.want)
		}
		switch {
		case test.err == "" && err != nil:
			t.Errorf("Batch(%q): %v", test.body, err)
		case test.err != "" && (err == nil || err.Error() != fault+test.err):
			t.Errorf("Batch(%q): %v, want %s%s", test.body, err, fault, test.err)
		}
		checkSyntaxError(t, []byte(test.body), err)
	}
}

func TestBatchStopsWhenAsked(t *testing.T) {
	for n := 1; n < 4; n++ {
		seen := 0
		for range cloudevent.Batch([]byte(`[1,2,3,4,5`)) {
			if seen++; seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("%d elements, want %d", seen, n)
		}
	}
	for _, body := range []string{``, `[1`, `[{`, `[1,]`, `[1]x`} { // also at the element with the error
		for _, err := range cloudevent.Batch([]byte(body)) {
			if err != nil {
				break
			}
		}
	}
}

// An element's spare capacity is not the next element.
func TestAppendingToAnElementLeavesTheNext(t *testing.T) {
	var got []string
	for element := range cloudevent.Batch([]byte(`[{"id":"i"},{"id":"j"}]`)) {
		got = append(got, string(append(element, "######"...)[:len(element)]))
	}
	if want := []string{`{"id":"i"}`, `{"id":"j"}`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBatchesKeepTheLaws(t *testing.T) {
	elements := rapid.SliceOfN(rapid.OneOf(rapid.Map(body(), func(b []byte) string { return string(b) }), value(2)), 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		batch := []byte("[")
		for i, element := range elements.Draw(t, "elements") {
			if i > 0 {
				batch = append(batch, rapid.SampledFrom([]string{",", ",", ",", " ,\n", ""}).Draw(t, "comma")...)
			}
			batch = append(batch, element...)
		}
		checkBatch(t, append(batch, rapid.SampledFrom([]string{"]", "]", "]", "", "]]", "] "}).Draw(t, "end")...))
	})
}

// checkBatch checks what holds for every body taken as a batch: elements are its parts, in order
// and as the reference has them; each has one member that answers for it.
func checkBatch(t tb, batch []byte) {
	t.Helper()
	before := bytes.Clone(batch)
	want, wantOK := referenceBatch(batch)
	filters := fullGroup(t, 3)
	var got []string
	var last error
	for element, err := range cloudevent.Batch(batch) {
		got, last = append(got, string(element)), err
		if len(element) > 0 {
			checkPart(t, batch, element)
		}
		checkOne(t, filters, decideOn("orders", element))
	}
	if !slices.Equal(got, want) || (last == nil) != wantOK {
		t.Fatalf("Batch(%q) = %q, %v, want %q, %t", batch, got, last, want, wantOK)
	}
	checkSyntaxError(t, batch, last)
	if !bytes.Equal(batch, before) {
		t.Fatalf("%q became %q", before, batch)
	}
	var raw []json.RawMessage
	if json.Unmarshal(batch, &raw) != nil || raw == nil {
		return
	}
	if len(raw) != len(got) || last != nil {
		t.Fatalf("Batch(%q) = %q, %v, and encoding/json has %d elements", batch, got, last, len(raw))
	}
	for i := range raw {
		if string(raw[i]) != got[i] {
			t.Fatalf("Batch(%q): element %d is %q, and encoding/json has %q", batch, i, got[i], raw[i])
		}
	}
}

// checkPart checks that element is a part of batch, no copy.
func checkPart(t tb, batch, element []byte) {
	t.Helper()
	for i := range batch {
		if &batch[i] == &element[0] {
			if !bytes.Equal(batch[i:i+len(element)], element) {
				t.Fatal("a part that differs")
			}
			return
		}
	}
	t.Fatalf("%q is no part of the batch", element)
}

// referenceBatch splits a batch as the documentation says; ok is false where the last element has an error.
func referenceBatch(batch []byte) (elements []string, ok bool) {
	r := &reader{rest: batch}
	r.white()
	if !r.see('[') {
		return []string{string(batch)}, false
	}
	r.want('[')
	r.white()
	for first := true; !(first && r.see(']')); first = false {
		rest := string(r.rest)
		element := r.value()
		if r.bad {
			return append(elements, rest), false
		}
		elements = append(elements, element)
		r.white()
		if r.see(']') {
			break
		}
		if !r.see(',') {
			return append(elements, string(r.rest)), false
		}
		r.want(',')
		r.white()
	}
	r.want(']')
	r.white()
	if len(r.rest) > 0 {
		return append(elements, string(r.rest)), false
	}
	return elements, true
}

// Of a batch each member takes its own elements, and the rest that cannot be read has one member too.
func TestBatchInAGroup(t *testing.T) {
	batch := []byte(`[{"id":"1"},{"id":"2","subject":"EUR/USD"},{"id":7},{"id":"3"},{"id":`)
	taken := map[string]int{}
	for _, f := range fullGroup(t, 5) {
		for element, err := range cloudevent.Batch(batch) {
			if v := cloudevent.Decide(f, "ticks", element); v.Admit() {
				taken[fmt.Sprintf("%s %v %t", element, v.Kind, errors.Is(err, cloudevent.ErrMalformed))]++
			}
		}
	}
	for _, want := range []string{
		`{"id":"1"} own false`, `{"id":"2","subject":"EUR/USD"} own false`, `{"id":7} malformed false`, `{"id":"3"} own false`, `{"id": malformed true`,
	} {
		if taken[want] != 1 {
			t.Errorf("%s: %d times, want once", want, taken[want])
		}
	}
	if len(taken) != 5 {
		t.Errorf("%v", taken)
	}
}
