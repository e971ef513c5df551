// Package chart draws pictures.
package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/slotkey/slotkey/cmd/slotkey/internal/load"
	"github.com/slotkey/slotkey/cmd/slotkey/internal/show"
)

// Colours that most people tell apart (Okabe and Ito, Color Universal Design, 2008).
var (
	blue   = color.RGBA{0x00, 0x72, 0xb2, 255}
	orange = color.RGBA{0xe6, 0x9f, 0x00, 255}
	grey   = color.RGBA{0x60, 0x60, 0x60, 255}
)

const (
	width  = 26 * vg.Centimeter
	height = 9 * vg.Centimeter // of each layout
)

// Load draws, as SVG, the events by slot, or by member where slots are dealt: a panel for each
// layout. What the hottest keys have is set off.
func Load(w io.Writer, r *load.Result, dealt bool) error {
	canvas := vgsvg.New(width, height*vg.Length(len(r.Loads)))
	all := draw.New(canvas)
	for i, l := range r.Loads {
		panel, err := panel(r, l, dealt)
		if err != nil {
			return err
		}
		below := height * vg.Length(len(r.Loads)-1-i)
		panel.Draw(draw.Crop(all, 3*vg.Millimeter, -5*vg.Millimeter, below+3*vg.Millimeter, below-all.Size().Y+height-3*vg.Millimeter))
	}
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	// Arial and Helvetica are as wide as the font that the text was laid out with, which few systems have.
	_, err := w.Write(bytes.ReplaceAll(picture.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")))
	return err
}

func panel(r *load.Result, l load.Load, dealt bool) (*plot.Plot, error) {
	unit, numbers := "slot", l.Events
	if dealt {
		unit, numbers = "member", l.Members
	}
	hot := make(plotter.Values, len(numbers))
	for _, k := range r.Hottest {
		at := int(k.Sum % uint32(l.Layout.Size()))
		if dealt {
			at = l.Layout.Holder(at)
		}
		hot[at] += float64(k.Events)
	}
	rest := make(plotter.Values, len(numbers))
	for i, n := range numbers {
		hot[i] = min(hot[i], float64(n)) // estimates may say too much
		rest[i] = float64(n) - hot[i]
	}

	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s of %s on %s", show.Plural(r.Events, "event"), keysOf(r), show.Plural(l.Layout.Size(), "slot"))
	if dealt {
		p.Title.Text += ", dealt to " + show.Plural(l.Layout.Members(), "member")
	}
	p.Title.Padding = 3 * vg.Millimeter
	p.X.Label.Text, p.Y.Label.Text = unit, "events"
	thickness := (width - 6*vg.Centimeter) / vg.Length(len(numbers)) * 0.8
	other, err := bars(rest, thickness, blue)
	if err != nil {
		return nil, err
	}
	hottest, err := bars(hot, thickness, orange)
	if err != nil {
		return nil, err
	}
	hottest.StackOn(other)
	mean := float64(r.Events) / float64(len(numbers))
	line, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: mean}, {X: float64(len(numbers)) - 0.5, Y: mean}})
	if err != nil {
		return nil, err
	}
	line.Color, line.Dashes = grey, []vg.Length{4, 3}
	p.Add(other, hottest, line)
	p.Legend.Add(fmt.Sprintf("the %d hottest keys", len(r.Hottest)), hottest)
	p.Legend.Add("all others", other)
	p.Legend.Add("mean", line)
	p.Legend.Top, p.Legend.Left = true, true // text behind the boxes, so that it has room where the font is another one
	p.Legend.XOffs = width - 9.5*vg.Centimeter
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.Y.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick {
		list := plot.DefaultTicks{}.Ticks(low, high)
		for i := range list {
			if !list[i].IsMinor() {
				list[i].Label = show.Number(uint64(list[i].Value))
			}
		}
		return list
	})
	p.X.Tick.Marker = plot.TickerFunc(func(float64, float64) []plot.Tick { return ticks(len(numbers)) })
	p.X.Min, p.X.Max, p.Y.Min = -0.7, float64(len(numbers))-0.3, 0
	p.Y.Max *= 1.35 // room for the legend
	return p, nil
}

func bars(values plotter.Values, thickness vg.Length, c color.Color) (*plotter.BarChart, error) {
	b, err := plotter.NewBarChart(values, thickness)
	if err != nil {
		return nil, err
	}
	b.Color, b.LineStyle.Width = c, 0
	return b, nil
}

func keysOf(r *load.Result) string {
	if r.Keys.Exact {
		return show.Plural(r.Keys.Number, "different key")
	}
	return show.About(r.Keys.Number) + " different keys"
}

// ticks numbers about twenty bars.
func ticks(n int) (list []plot.Tick) {
	step := 1
	for _, step = range []int{1, 2, 5, 10, 20, 50, 100} {
		if n/step <= 24 {
			break
		}
	}
	for i := 0; i < n; i += step {
		list = append(list, plot.Tick{Value: float64(i), Label: strconv.Itoa(i)})
	}
	return list
}
