package fleet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotkey/slotkey/slot/resize"
)

// A Kind is what a [Finding] has found.
type Kind string

const (
	// Invalid: an announcement that cannot be judged, or only in part.
	Invalid Kind = "invalid"
	// Outside: a worker announces slots that its size does not have.
	Outside Kind = "outside"
	// Missing: slots without a member. Their events wait.
	Missing Kind = "missing"
	// Doubled: slots with more than one member: two workers, or two incarnations of one. Their
	// events are handled twice.
	Doubled Kind = "doubled"
	// Twins: incarnations of one worker that are alive at once, without a slot in common.
	Twins Kind = "twins"
	// MixedSizes: members with different sizes. Keys are without an owner, or have several.
	MixedSizes Kind = "mixed sizes"
	// MixedRules: members with different rules. What one calls its own, another may, too, or nobody.
	MixedRules Kind = "mixed rules"
	// MixedPlans: members with different plans. It is harmless only as long as none has passed the
	// first position where they differ.
	MixedPlans Kind = "mixed plans"
	// Switching: members of one plan on both sides of a switch, as it should be for a while.
	Switching Kind = "switching"
	// Stale: a worker that was not seen for too long, and no other incarnation of it either.
	Stale Kind = "stale"
)

// kinds is the order of findings within a group.
var kinds = []Kind{Invalid, Outside, Missing, Doubled, Twins, MixedSizes, MixedRules, MixedPlans, Switching, Stale}

// A Finding is one thing that is not as it should be, on topics where it is the same. As JSON it
// has the names below; embedded in a struct, its MarshalJSON would take over the whole.
type Finding struct {
	Kind   Kind     `json:"kind"`
	Group  string   `json:"group,omitempty"`
	Topics []string `json:"topics,omitempty"` // sorted; none for Invalid, Outside, Twins and Stale, which concern a worker
	// Size and Slots are for Outside, Missing and Doubled. Slots rise.
	Size  int   `json:"group_size,omitempty"`
	Slots []int `json:"slots,omitempty"`
	// Parts are the instances concerned: for Missing those that were the last to hold the slots,
	// where they are known; for the mixed kinds and Switching those of each size, rule, plan or
	// generation apart, else all in one.
	Parts []Part `json:"parts,omitempty"`
	// Unowned and Several are for MixedSizes: the shares of the keys without an owner, and with
	// more than one. Both are zero, with the denominator 0, where the sizes have a common multiple
	// too large to count through.
	Unowned resize.Fraction `json:"unowned,omitzero"`
	Several resize.Fraction `json:"several,omitzero"`
	// Age is for Stale: how long ago the worker was seen. As JSON it is text, such as "1m30.5s",
	// which time.ParseDuration reads.
	Age time.Duration `json:"age,omitzero"`
	// Detail is for Invalid and MixedPlans, and for people.
	Detail string `json:"detail,omitempty"`
}

// A Part is the instances that have one value in common.
type Part struct {
	Value     string     `json:"value,omitempty"` // the size, rule, plan or generation
	Instances []Instance `json:"instances"`       // by worker and incarnation
}

// A findingJSON has the age in the form that it has in JSON: the shallower of two fields of one name wins.
type findingJSON struct {
	plainFinding
	Age *string `json:"age,omitempty"`
}

type plainFinding Finding

// MarshalJSON writes the finding.
func (f Finding) MarshalJSON() ([]byte, error) {
	out := findingJSON{plainFinding: plainFinding(f)}
	if f.Age != 0 {
		age := f.Age.String()
		out.Age = &age
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // the ">" of topics; whoever wants it escaped does it to all
	err := encoder.Encode(out)
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes, and leaves unknown names out of account. On an error f is unchanged.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var got findingJSON
	err := json.Unmarshal(data, &got)
	if err == nil && got.Age != nil {
		got.plainFinding.Age, err = time.ParseDuration(*got.Age)
	}
	if err != nil {
		return fmt.Errorf("fleet: bad finding: %w", err)
	}
	*f = Finding(got.plainFinding)
	return nil
}

// Instances returns all instances of the finding, by worker and incarnation.
func (f Finding) Instances() []Instance {
	var all []Instance
	for _, p := range f.Parts {
		all = append(all, p.Instances...)
	}
	slices.SortFunc(all, compareInstances)
	return all
}

// String returns one line: what is found, and what to do.
func (f Finding) String() string {
	where, who := "group "+f.Group, "worker "+f.names()
	if f.Group != "" {
		who += " of " + where
	}
	if f.Topics != nil {
		where += " on [" + strings.Join(f.Topics, ", ") + "]"
	}
	switch f.Kind {
	case Invalid:
		return who + ": " + f.Detail + ": mend its announcement"
	case Outside:
		return who + " announces " + slotWords(f.Slots) + ", outside its size of " + strconv.Itoa(f.Size) +
			": slots count from 0, so give it one from 0 to " + strconv.Itoa(f.Size-1)
	case Missing:
		text := where + ": " + slotWords(f.Slots) + " of " + strconv.Itoa(f.Size) + have(f.Slots) + " no member, so events wait: start "
		if len(f.Parts) > 0 {
			return text + f.names() + " again, or another in its place"
		}
		return text + members(f.Slots)
	case Doubled:
		text := where + ": " + slotWords(f.Slots) + " of " + strconv.Itoa(f.Size) + have(f.Slots) + " " + strconv.Itoa(len(f.Instances())) + " members, "
		if f.oneWorker() {
			return text + "all named " + f.names() + ", so events may be handled twice: end the old one, or give each worker its own name and slots"
		}
		return text + f.names() + ", so events may be handled twice: stop all but one, or give each its own slots"
	case Twins:
		return who + " runs more than once, on different slots: give each worker its own name"
	case MixedSizes:
		return where + ": sizes differ, " + f.parts("") + "; " + shares(f.Unowned, f.Several) + ": finish the change, or give all members one size"
	case MixedRules:
		return where + ": rules differ, " + f.parts(`"`) + "; an event can have several owners or none: give all members one rule"
	case MixedPlans:
		return where + ": plans differ, " + f.parts(`"`) + "; " + f.Detail
	case Switching:
		return where + ": a switch of the plan is under way, " + f.parts("") + ": nothing to do while all move on"
	case Stale:
		return who + " was last seen " + f.Age.Round(time.Millisecond).String() + " ago: start it again, or forget it if its slots have other members"
	}
	return where + ": " + string(f.Kind)
}

// LogValue makes a group of kind, group, topics, size, slots and workers.
func (f Finding) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("kind", string(f.Kind)),
		slog.String("group", f.Group),
		slog.Any("topics", f.Topics),
		slog.Int("size", f.Size),
		slog.String("slots", ranges(f.Slots)),
		slog.String("workers", f.names()),
	)
}

// shown is how many names a line has at most.
const shown = 5

// names lists the instances, a worker that has several of them with their incarnations.
func (f Finding) names() string { return names(f.Instances()) }

func names(all []Instance) string {
	var list []string
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].Worker == all[i].Worker {
			j++
		}
		name := display(all[i].Worker)
		if j > i+1 {
			var incarnations []string
			for _, one := range all[i:j] {
				incarnations = append(incarnations, display(one.Incarnation))
			}
			name += " (" + few(incarnations) + ")"
		}
		list = append(list, name)
		i = j
	}
	return few(list)
}

// display quotes a name that is empty or would break the line or its lists.
func display(name string) string {
	if quoted := strconv.Quote(name); name == "" || len(quoted) != len(name)+2 || strings.ContainsAny(name, " ,()") {
		return quoted
	}
	return name
}

func few(list []string) string {
	rest := ""
	if len(list) > shown {
		rest = " and " + strconv.Itoa(len(list)-shown+1) + " more"
		list = list[:shown-1]
	}
	return strings.Join(list, ", ") + rest
}

func (f Finding) parts(quote string) string {
	var list []string
	for _, p := range f.Parts {
		list = append(list, quote+p.Value+quote+" ("+names(p.Instances)+")")
	}
	return few(list)
}

func (f Finding) oneWorker() bool {
	all := f.Instances()
	return len(all) > 0 && all[0].Worker == all[len(all)-1].Worker
}

func slotWords(slots []int) string {
	if len(slots) == 1 {
		return "slot " + strconv.Itoa(slots[0])
	}
	return "slots " + ranges(slots)
}

func have(slots []int) string {
	if len(slots) == 1 {
		return " has"
	}
	return " have"
}

func members(slots []int) string {
	if len(slots) == 1 {
		return "a member with it"
	}
	return "members with them"
}

func shares(unowned, several resize.Fraction) string {
	if unowned.Den == 0 {
		return "keys have several owners or none"
	}
	return share(unowned) + " of the keys have no owner, " + share(several) + " have several"
}

// share writes a fraction as people read it: "3/20 (15 %)".
func share(f resize.Fraction) string {
	percent := strconv.FormatFloat(100*f.Float64(), 'f', 1, 64)
	percent = strings.TrimSuffix(percent, ".0") + " %"
	if f.Num == 0 || f.Den == 1 {
		return percent
	}
	return f.String() + " (" + percent + ")"
}

func compareInstances(a, b Instance) int {
	return cmp.Or(strings.Compare(a.Worker, b.Worker), strings.Compare(a.Incarnation, b.Incarnation))
}

// compareFindings orders by group, kind, topics, size, slots and instances.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Group, b.Group),
		cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
		slices.Compare(a.Topics, b.Topics),
		cmp.Compare(a.Size, b.Size),
		slices.Compare(a.Slots, b.Slots),
		slices.CompareFunc(a.Instances(), b.Instances(), compareInstances),
		strings.Compare(a.Detail, b.Detail),
	)
}
