package congestion

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws the number of packets over time, as in figure 8 of the paper.

// Course has the number of packets over time for several methods.
type Course struct {
	Title string
	Names []string
	Flows []*measure.Flow
	Ends  []float64 // by method: the clock in which the collective was complete, or 0 if it never was
}

// half is a chart of the packets sent or of the packets received.
type half struct {
	*Course
	what   string
	counts func(*measure.Flow) []int64
}

// CourseCharts returns two charts for each course: packets sent, and below it packets received.
func CourseCharts(list []Course) (charts []sheet.Chart) {
	for i := range list {
		charts = append(charts, &half{&list[i], "sent", func(f *measure.Flow) []int64 { return f.Sent }},
			&half{&list[i], "received", func(f *measure.Flow) []int64 { return f.Received }})
	}
	return charts
}

// Panel implements sheet.Chart.
func (h *half) Panel(vg.Length) (*sheet.Panel, error) {
	c, title := h.Course, h.Title
	if h.what != "sent" {
		title = ""
	}
	p := &sheet.Panel{Plot: sheet.NewPlot(title, "clock", fmt.Sprintf("%s / %d clocks", h.what, c.Flows[0].Window))}
	p.Plot.Add(sheet.Horizontal())
	right, top := 0.0, 0.0
	for i, f := range c.Flows {
		var line plotter.XYs
		for k, count := range h.counts(f) {
			line = append(line, plotter.XY{X: float64(int64(k) * int64(f.Window)), Y: float64(count)})
			right, top = max(right, line[k].X), max(top, line[k].Y)
		}
		hue := sheet.Palette()[i%len(sheet.Palette())]
		drawn, err := plotter.NewLine(line)
		if err != nil {
			return p, err
		}
		drawn.Color, drawn.Width = hue, vg.Points(1)
		if i == 0 {
			drawn.Width = vg.Points(2.5) // wider, since other lines may cover it
		}
		p.Plot.Add(drawn)
		if c.Ends[i] > 0 {
			right = max(right, c.Ends[i])
			s, err := plotter.NewScatter(plotter.XYs{{X: c.Ends[i]}})
			if err != nil {
				return p, err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: hue, Radius: vg.Points(3.5), Shape: draw.RingGlyph{}}
			p.Plot.Add(s)
		}
		p.Entries = append(p.Entries, sheet.Entry{Name: c.Names[i], Color: hue, Shape: draw.BoxGlyph{}})
	}
	p.Plot.X.Max, p.Plot.Y.Max = max(1, 1.02*right), max(1, 1.05*top)
	p.Plot.X.Tick.Marker, p.Plot.Y.Tick.Marker = plot.TickerFunc(sheet.Ticks), plot.TickerFunc(sheet.Ticks)
	return p, nil
}
