package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

func (r *balanceRun) print(result *load.Result) {
	r.printf("%s\n", r.out.Bold(counted(result)))
	if result.NoKey > 0 {
		r.printf("%s without a key: the member with the slot of the empty key answers for them\n", show.Plural(result.NoKey, "event"))
	}
	if result.Commands > 0 {
		r.printf("%s besides, which every member takes\n", show.Plural(result.Commands, "command"))
	}
	if result.Events == 0 {
		return
	}
	if len(result.Loads) > 1 {
		r.compare(result)
	} else {
		r.single(result.Loads[0], result)
	}
	r.bound(result)
	r.hottest(result)
}

func counted(result *load.Result) string {
	keys := show.Plural(result.Keys.Number, "different key")
	if !result.Keys.Exact {
		keys = show.About(result.Keys.Number) + " different keys"
	}
	return show.Plural(result.Events, "event") + ", " + keys
}

// rows is the largest number of bars that are drawn one below the other.
const rows = 64

// single prints the load of one layout.
func (r *balanceRun) single(l load.Load, result *load.Result) {
	unit, numbers := "slot", l.Events
	if r.dealt {
		unit, numbers = "member", l.Members
		r.printf("%d slots, dealt to %s\n", l.Layout.Size(), show.Plural(l.Layout.Members(), "member"))
	}
	r.printf("\n")
	if len(numbers) > rows {
		r.levels(unit, numbers)
	} else {
		r.bars(unit, l, numbers, result.Events, result.Keys.Exact)
	}
	r.printf("\n")
	full, empty := load.Fullest(numbers), load.Emptiest(numbers)
	mean := float64(result.Events) / float64(len(numbers))
	for _, extreme := range []struct {
		name string
		at   int
	}{{"fullest", full}, {"emptiest", empty}} {
		n := float64(numbers[extreme.at])
		r.fact(extreme.name, "%s %d with %s of the events, %.2f times the mean", unit, extreme.at, show.Percent(n/float64(result.Events)), n/mean)
	}
	r.fact("keys", "%s", r.judged(l.KeysTest))
	if l.KeysTest != nil && slices.Contains(l.Keys, 0) {
		r.fact("", "%s", r.out.Bad("slots have none: is this the stream of some members only?"))
	}
	r.fact("events", "%s", r.judged(l.EventsTest))
	r.fact("speed-up", "%.2f with %s", l.SpeedUp(), show.Plural(l.Layout.Members(), "member"))
}

func (r *balanceRun) fact(name, format string, args ...any) {
	r.printf("%s %s\n", r.out.Faint(pad(name, 9)), fmt.Sprintf(format, args...))
}

// bars draws a bar for each slot or member.
func (r *balanceRun) bars(unit string, l load.Load, numbers []uint64, all uint64, exact bool) {
	table := show.Table{Head: []string{strings.ToUpper(unit), "EVENTS", "SHARE", "KEYS", ""}, Right: map[int]bool{0: true, 1: true, 2: true, 3: true}}
	keys := l.Keys
	if r.dealt {
		keys = make([]uint64, len(numbers))
		for slot, n := range l.Keys {
			keys[l.Layout.Holder(slot)] += n
		}
	}
	most := slices.Max(numbers)
	used := 0
	for i, n := range numbers {
		different := show.Number(keys[i])
		if !exact {
			different = show.About(keys[i])
		}
		table.Add(strconv.Itoa(i), show.Number(n), show.Percent(float64(n)/float64(all)), different, "")
		used = max(used, len(show.Number(n))+len(different))
	}
	width := min(120, r.out.Width-used-len(unit)-16)
	mean := float64(all) / float64(len(numbers))
	for i, n := range numbers {
		table.Rows[i][4] = show.Bar(float64(n)/float64(most), width)
	}
	table.Paint = func(row, column int, text string) string {
		switch {
		case column != 4:
			return text
		case float64(numbers[row]) > 1.5*mean:
			return r.out.Bad(text)
		}
		return r.out.Blue(text)
	}
	table.Print(r.out)
}

// levels draws many slots as columns of eight heights, a line of them after the other.
func (r *balanceRun) levels(unit string, numbers []uint64) {
	most := slices.Max(numbers)
	perLine := max(10, (r.out.Width-6)/10*10)
	r.printf("%s\n", r.out.Faint(fmt.Sprintf("events by %s, the highest %s", unit, show.Number(most))))
	for begin := 0; begin < len(numbers); begin += perLine {
		var b strings.Builder
		for _, n := range numbers[begin:min(begin+perLine, len(numbers))] {
			b.WriteString(show.Level(float64(n) / float64(most)))
		}
		r.printf("%s %s\n", r.out.Faint(fmt.Sprintf("%4d", begin)), r.out.Blue(b.String()))
	}
}

// judged says in words what a test found.
func (r *balanceRun) judged(t *load.Test) string {
	if t == nil {
		return "too few to tell whether they are spread evenly"
	}
	value := fmt.Sprintf("%.1f", t.ChiSquare)
	if t.ChiSquare >= 1000 {
		value = show.Number(uint64(t.ChiSquare))
	}
	text := fmt.Sprintf("chi-square %s (%d d.f.), p %s: ", value, t.Degrees, probability(t.P))
	if t.P >= 0.01 {
		return text + r.out.Good("as even as chance makes it")
	}
	return text + r.out.Bad("more uneven than chance")
}

func probability(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("= %.2g", p)
}

// compare prints a line for each layout.
func (r *balanceRun) compare(result *load.Result) {
	table := show.Table{Head: []string{"SLOTS", "MEMBERS", "FULLEST", "BY MEAN", "EMPTIEST", "BY MEAN", "SPEED-UP", "KEYS p", "EVENTS p"}, Right: map[int]bool{}}
	for i := range table.Head {
		table.Right[i] = true
	}
	p := func(t *load.Test) string {
		if t == nil {
			return "-"
		}
		return strings.TrimPrefix(probability(t.P), "= ")
	}
	for _, l := range result.Loads {
		full, empty := slices.Max(l.Members), slices.Min(l.Members)
		mean := float64(result.Events) / float64(len(l.Members))
		table.Add(strconv.Itoa(l.Layout.Size()), strconv.Itoa(l.Layout.Members()),
			show.Percent(float64(full)/float64(result.Events)), fmt.Sprintf("%.2f", float64(full)/mean),
			show.Percent(float64(empty)/float64(result.Events)), fmt.Sprintf("%.2f", float64(empty)/mean),
			fmt.Sprintf("%.2f", l.SpeedUp()), p(l.KeysTest), p(l.EventsTest))
	}
	r.printf("\n")
	table.Print(r.out)
	r.printf("\n")
}

func (r *balanceRun) bound(result *load.Result) {
	bound := result.SpeedUpBound()
	if bound == 0 || result.Hottest[0].Events < 2 {
		return
	}
	text := fmt.Sprintf("%.1f", bound)
	if bound >= 1000 {
		text = show.Number(uint64(bound))
	}
	r.fact("at most", "%s with any number of members: the hottest key has %s", text,
		show.Percent(float64(result.Hottest[0].Events)/float64(result.Events)))
}

func (r *balanceRun) hottest(result *load.Result) {
	if len(result.Hottest) == 0 || result.Hottest[0].Events < 2 {
		return
	}
	table := show.Table{Head: []string{"EVENTS", "SHARE"}, Right: map[int]bool{0: true, 1: true}}
	one := len(r.layouts) == 1
	if one {
		table.Head = append(table.Head, "SLOT", "OWNER")
		table.Right[2] = true
	}
	table.Head = append(table.Head, "KEY")
	for _, k := range result.Hottest {
		events := show.Number(k.Events)
		if !k.Exact {
			events = show.About(k.Events)
		}
		row := []string{events, show.Percent(float64(k.Events) / float64(result.Events))}
		if one {
			slot := int(k.Sum % uint32(r.layouts[0].Size()))
			row = append(row, strconv.Itoa(slot), member(r.layouts[0].Holder(slot)))
		}
		table.Add(append(row, show.Key(k.Key))...)
	}
	r.printf("\n%s\n", r.out.Bold("hottest keys"))
	table.Print(r.out)
}
