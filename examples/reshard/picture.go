package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// palette tells members apart, also for most people who see few colours (Okabe and Ito, Color
// Universal Design, 2008); further members begin again.
var palette = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 255}, color.RGBA{0xe6, 0x9f, 0x00, 255}, color.RGBA{0x00, 0x9e, 0x73, 255}, color.RGBA{0xcc, 0x79, 0xa7, 255},
	color.RGBA{0x56, 0xb4, 0xe9, 255}, color.RGBA{0x8c, 0x56, 0x4b, 255}, color.RGBA{0x7f, 0x7f, 0x7f, 255}, color.RGBA{0xbc, 0xbd, 0x22, 255},
}

var red = color.RGBA{0xd6, 0x27, 0x28, 255}

// draw writes a picture of the run into a folder, and returns its path: a row for each member, from
// the first sequence to the last, with the events that it handled, the higher the later, over a bar
// for each of its processes.
func (p *proof) draw(dir, name string) (string, error) {
	part := plot.New()
	part.Title.Text = fmt.Sprintf("plan %v: which member handled which sequence", p.plan)
	part.X.Label.Text = fmt.Sprintf("sequence (%.1f seconds)", p.published[len(p.published)-1].Sub(p.published[0]).Seconds())
	part.Legend.Top = true
	part.Legend.YOffs = 2.6 * vg.Centimeter // between the title and the rows
	part.Title.Padding = 2.8 * vg.Centimeter
	var names []string
	for m := range p.plan.Members() {
		names = append(names, fmt.Sprint("member ", m))
	}
	part.NominalY(names...)
	part.X.Tick.Marker = plot.TickerFunc(p.ticks)
	if err := errors.Join(p.drawProcesses(part), p.drawEvents(part), p.drawSwitches(part)); err != nil {
		return "", err
	}
	part.X.Min, part.X.Max = 0, float64(len(p.entities))+1
	part.Y.Min, part.Y.Max = -0.2, float64(p.plan.Members())

	image := vgimg.New(30*vg.Centimeter, 5*vg.Centimeter+vg.Length(p.plan.Members())*2.2*vg.Centimeter)
	canvas := draw.New(image)
	part.Draw(draw.Crop(canvas, 4*vg.Millimeter, -8*vg.Millimeter, 3*vg.Millimeter, -4*vg.Millimeter))
	var buffer bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(&buffer); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, strings.NewReplacer(" -> ", "-to-", "/", "of").Replace(name)+".png")
	return file, os.WriteFile(file, buffer.Bytes(), 0o644)
}

// drawProcesses draws a bar for each process, from the sequence that was published when it started,
// with a cross at its end if it was killed.
func (p *proof) drawProcesses(part *plot.Plot) error {
	shown := map[string]bool{}
	for _, l := range p.lives {
		y := float64(l.member)
		from, to := p.sequenceAt(l.start), p.sequenceAt(l.end)
		bar, err := plotter.NewLine(plotter.XYs{{X: from, Y: y}, {X: to, Y: y}})
		if err != nil {
			return err
		}
		bar.Width, bar.Color = 5, palette[l.member%len(palette)]
		part.Add(bar)
		if !shown["bar"] {
			shown["bar"] = true
			part.Legend.Add("a process runs", bar)
		}
		if !l.killed {
			continue
		}
		cross, err := plotter.NewScatter(plotter.XYs{{X: to, Y: y}})
		if err != nil {
			return err
		}
		cross.GlyphStyle = draw.GlyphStyle{Color: red, Radius: 7, Shape: draw.CrossGlyph{}}
		part.Add(cross)
		if !shown["cross"] {
			shown["cross"] = true
			part.Legend.Add("is killed", cross)
		}
	}
	return nil
}

// drawEvents draws a dot for each event in the row of its member, the higher the longer after its
// publication it was handled.
func (p *proof) drawEvents(part *plot.Plot) error {
	longest := time.Millisecond
	for sequence, all := range p.handled {
		for _, r := range all {
			longest = max(longest, p.delay(sequence, r))
		}
	}
	members, again := map[int]plotter.XYs{}, plotter.XYs{}
	for _, sequence := range slices.Sorted(maps.Keys(p.handled)) {
		for i, r := range p.handled[sequence] {
			at := plotter.XY{X: float64(sequence), Y: float64(r.Member) + 0.12 + 0.75*float64(p.delay(sequence, r))/float64(longest)}
			members[r.Member] = append(members[r.Member], at)
			if i > 0 {
				again = append(again, at)
			}
		}
	}
	for i, m := range slices.Sorted(maps.Keys(members)) {
		dots, err := plotter.NewScatter(members[m])
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: palette[m%len(palette)], Radius: 1.3, Shape: draw.CircleGlyph{}}
		part.Add(dots)
		if i == 0 {
			part.Legend.Add(fmt.Sprintf("an event is handled, the higher the later (top of a row: %v)", longest.Round(10*time.Millisecond)), dots)
		}
	}
	if len(again) == 0 {
		return nil
	}
	rings, err := plotter.NewScatter(again)
	if err != nil {
		return err
	}
	rings.GlyphStyle = draw.GlyphStyle{Color: red, Radius: 3.5, Shape: draw.RingGlyph{}}
	part.Add(rings)
	part.Legend.Add("is handled again", rings)
	return nil
}

func (p *proof) drawSwitches(part *plot.Plot) error {
	for i, g := range p.plan.Generations()[1:] {
		at := float64(g.From.Major)
		line, err := plotter.NewLine(plotter.XYs{{X: at, Y: -0.2}, {X: at, Y: float64(p.plan.Members())}})
		if err != nil {
			return err
		}
		line.Dashes = []vg.Length{4, 3}
		part.Add(line)
		if i == 0 {
			part.Legend.Add("switch of the plan", line)
		}
	}
	return nil
}

// ticks marks about ten sequences.
func (p *proof) ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	step := float64(max(1, len(p.entities)/10))
	for at := 0.0; at <= high; at += step {
		ticks = append(ticks, plot.Tick{Value: at, Label: fmt.Sprintf("%.0f", at)})
	}
	return ticks
}

// delay returns how long after its publication an event was handled.
func (p *proof) delay(sequence uint64, r record) time.Duration {
	if sequence < 1 || sequence > uint64(len(p.published)) {
		return 0
	}
	return max(0, r.Time.Sub(p.published[sequence-1]))
}

// sequenceAt returns how many events were published at a time.
func (p *proof) sequenceAt(t time.Time) float64 {
	n, _ := slices.BinarySearchFunc(p.published, t, time.Time.Compare)
	return float64(n)
}
