package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

// A report is a whole run.
type report struct {
	CPU      string    `json:"cpu"`
	Cores    int       `json:"cores"`
	Go       string    `json:"go"`
	System   string    `json:"system"`
	Passes   int       `json:"passes"`
	PassTime string    `json:"pass_time"`
	Tables   []result  `json:"tables"`
	Goals    []outcome `json:"goals"`
}

func newReport(s measure.Settings) *report {
	cpu := cpuid.CPU.BrandName
	if cpu == "" {
		cpu = "unknown CPU"
	}
	return &report{
		CPU: cpu, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Passes: s.Passes, PassTime: s.Pass.String(),
	}
}

// head is what stands above the tables.
func (r *report) head() string {
	return fmt.Sprintf("%s, %d cores, %s, %s. The cheapest of %d passes of %s of processor time, contenders taking turns. A factor is the cost divided by that of the first row.\n",
		r.CPU, r.Cores, r.Go, r.System, r.Passes, r.PassTime)
}

// markdown writes a table: contenders down, inputs across.
func (r *result) markdown(w io.Writer) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n\n|", r.Title, r.About)
	for _, c := range r.Columns {
		fmt.Fprintf(w, " | %s", c.Name)
	}
	systems := r.Columns[0].Costs[0].PerSecond > 0 // of which allocations are not counted
	columns := len(r.Columns)
	if !systems {
		fmt.Fprint(w, " | allocations")
		columns++
	}
	fmt.Fprintf(w, " |\n|---%s|\n", strings.Repeat("|---:", columns))
	for _, name := range r.contenders() {
		fmt.Fprintf(w, "| %s", name)
		var allocs uint64
		for i := range r.Columns {
			cost, ok := r.Columns[i].cost(name)
			fmt.Fprintf(w, " | %s", cellText(cost, r.Columns[i].Costs[0], ok))
			allocs = max(allocs, cost.Allocs)
		}
		if !systems {
			fmt.Fprintf(w, " | %d", allocs)
		}
		fmt.Fprint(w, " |\n")
	}
	fmt.Fprintf(w, "\n%s\n", r.spread())
}

// contenders are all names of a table, in their order in the first input that has them.
func (r *result) contenders() []string {
	var names []string
	for _, c := range r.Columns {
		for _, cost := range c.Costs {
			if !slices.Contains(names, cost.Contender) {
				names = append(names, cost.Contender)
			}
		}
	}
	return names
}

// cellText is a cost, and its factor over the first of its column.
func cellText(cost, first measure.Cost, ok bool) string {
	switch {
	case !ok:
		return ""
	case cost.PerSecond > 0:
		return fmt.Sprintf("%s/s, %s", countText(cost.PerSecond), timeText(cost.Time))
	case cost.Contender == first.Contender:
		return timeText(cost.Time)
	}
	return fmt.Sprintf("%s, ×%s", timeText(cost.Time), ratioText(cost.Time/first.Time))
}

// timeText writes nanoseconds with three digits that count.
func timeText(ns float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e6, "ms"}, {1e3, "µs"}} {
		if ns >= unit.size {
			return ratioText(ns/unit.size) + " " + unit.name
		}
	}
	return ratioText(ns) + " ns"
}

// countText writes thousands.
func countText(n float64) string { return ratioText(n/1000) + "k" }

// ratioText writes three digits that count, and no more than two behind the point.
func ratioText(x float64) string {
	switch {
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// spread says how far passes were apart.
func (r *result) spread() string {
	var all []float64
	for _, c := range r.Columns {
		for _, cost := range c.Costs {
			all = append(all, cost.Spread)
		}
	}
	slices.Sort(all)
	return fmt.Sprintf("Spread: the median pass was %.0f %% above the cheapest in half of the cells, %.0f %% in the worst.", all[len(all)/2], all[len(all)-1])
}

// markdownGoals writes what the project wants of itself, and what it has.
func markdownGoals(w io.Writer, all []outcome) {
	fmt.Fprint(w, "\n## Goals\n\nOf several inputs, the worst.\n\n| ratio | goal | measured | input | |\n|---|---:|---:|---|---|\n")
	for _, o := range all {
		sign, met := "at least", "met"
		if o.AtMost {
			sign = "at most"
		}
		if !o.Met {
			met = "not met"
		}
		fmt.Fprintf(w, "| %s | %s %s | %s | %s | %s |\n", o.Goal, sign, trimZeros(ratioText(o.Want)), ratioText(o.Measured), o.Input, met)
	}
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
