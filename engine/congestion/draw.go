package congestion

import (
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"turnproof/engine/measure"
	"turnproof/engine/paper"
)

// This file draws the figures in the paper's form: bars by pattern, clouds of points,
// packets over time.

// Bars are groups of bars side by side.
type Bars struct {
	Title, YTitle string
	Groups        []string    // below the axis
	Names         []string    // of the bars of a group
	Values        [][]float64 // by name and group; 0: none, a run froze or was not made
}

const (
	margin   = 4 * vg.Millimeter
	rowSpace = 5 * vg.Millimeter
	sample   = 7 * vg.Millimeter
)

// panel is a plot with its legend below.
type panel struct {
	plot    *plot.Plot
	entries []entry
}

// entry is a line of a legend.
type entry struct {
	name  string
	color color.Color
	shape draw.GlyphDrawer
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.Padding = paper.Sans(11), 2*vg.Millimeter
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font, a.Padding, a.Min = paper.Sans(10), paper.Sans(9), 0, 0
		a.Label.Padding = vg.Millimeter
	}
	return p
}

// write writes panels one below the other.
func write(w io.Writer, format string, width, height vg.Length, panels []panel) error {
	legend := func(p *panel) vg.Length { return vg.Length(rows(p, width))*rowSpace + margin }
	total := vg.Length(0)
	for i := range panels {
		total += height + legend(&panels[i])
	}
	return paper.Write(w, format, width, total, func(page draw.Canvas) {
		top := vg.Length(0)
		for i := range panels {
			p := &panels[i]
			l := legend(p)
			p.plot.Draw(draw.Crop(page, margin, -2*margin, total-top-height, -top-margin/2))
			p.legend(draw.Crop(page, margin, -margin, total-top-height-l, -top-height), width)
			top += height + l
		}
	})
}

// column is how wide an entry of a legend is.
func column(p *panel) (wide vg.Length) {
	for _, e := range p.entries {
		wide = max(wide, sample+paper.TextStyle(9).Rectangle(e.name).Size().X+2*margin)
	}
	return max(wide, 1)
}

func rows(p *panel, width vg.Length) int {
	columns := max(int((width-2*margin)/column(p)), 1)
	return (len(p.entries) + columns - 1) / columns
}

func (p *panel) legend(c draw.Canvas, width vg.Length) {
	columns := max(int((width-2*margin)/column(p)), 1)
	style := paper.TextStyle(9)
	style.YAlign = draw.YCenter
	for i, e := range p.entries {
		at := vg.Point{X: c.Min.X + vg.Length(i%columns)*column(p) + margin, Y: c.Max.Y - (vg.Length(i/columns)+0.5)*rowSpace}
		c.DrawGlyph(draw.GlyphStyle{Color: e.color, Radius: vg.Points(3.5), Shape: e.shape}, vg.Point{X: at.X + sample/2, Y: at.Y})
		c.FillText(style, vg.Point{X: at.X + sample, Y: at.Y}, e.name)
	}
}

// panelOf makes the panel of bars.
func (b *Bars) panelOf() (panel, error) {
	p := panel{plot: newPlot(b.Title, "", b.YTitle)}
	width := vg.Points(max(2.2, 260/float64(len(b.Groups)*(len(b.Names)+1))))
	p.plot.Add(horizontal())
	for i, values := range b.Values {
		bars, err := plotter.NewBarChart(plotter.Values(values), width)
		if err != nil {
			return p, err
		}
		c := paper.Palette[i%len(paper.Palette)]
		bars.Color, bars.LineStyle.Width = c, 0
		bars.Offset = width * vg.Length(float64(i)-float64(len(b.Values)-1)/2)
		p.plot.Add(bars)
		p.entries = append(p.entries, entry{b.Names[i], c, draw.BoxGlyph{}})
	}
	p.plot.NominalX(b.Groups...)
	p.plot.X.Min, p.plot.X.Max = -0.6, float64(len(b.Groups))-0.4
	p.plot.Y.Min, p.plot.Y.Max = 0, 1.05*p.plot.Y.Max
	p.plot.Y.Tick.Marker = plot.TickerFunc(paper.Ticks)
	return p, nil
}

func horizontal() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = nil, paper.PaleGrey
	return g
}

// WriteBars draws bars, one panel below the other.
func WriteBars(w io.Writer, format string, list []Bars) error {
	var panels []panel
	for i := range list {
		p, err := list[i].panelOf()
		if err != nil {
			return err
		}
		if i+1 < len(list) && slices.Equal(list[i].Names, list[i+1].Names) {
			p.entries = nil // the same legend comes below
		}
		panels = append(panels, p)
	}
	height := 8 * vg.Centimeter
	if len(list) > 1 {
		height = 5.5 * vg.Centimeter
	}
	return write(w, format, 17*vg.Centimeter, height, panels)
}

// Cloud is points of two figures.
type Cloud struct {
	Title, XTitle, YTitle string
	Names                 []string // of the kinds of points
	Points                []plotter.XYs
	Colors, Shapes        []int // by kind; nil: by number
	Diagonal              bool  // with the line on which both are the same
	Drop                  int   // lines down to the axis from the points of the first so many kinds
}

// WriteClouds draws points, one panel below the other.
func WriteClouds(w io.Writer, format string, list []Cloud) error {
	var panels []panel
	for i := range list {
		p, err := list[i].panelOf()
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	return write(w, format, 15*vg.Centimeter, 10*vg.Centimeter, panels)
}

func (c *Cloud) panelOf() (panel, error) {
	p := panel{plot: newPlot(c.Title, c.XTitle, c.YTitle)}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = paper.PaleGrey, paper.PaleGrey
	p.plot.Add(grid)
	right, top := 0.0, 0.0
	for i, points := range c.Points {
		hue, shape := i, i
		if c.Colors != nil {
			hue, shape = c.Colors[i], c.Shapes[i]
		}
		color, glyph := paper.Palette[hue%len(paper.Palette)], paper.Markers[shape%len(paper.Markers)]
		for _, at := range points {
			right, top = max(right, at.X), max(top, at.Y)
			if i < c.Drop {
				line, err := plotter.NewLine(plotter.XYs{at, {X: at.X}})
				if err != nil {
					return p, err
				}
				line.Color, line.Width = color, vg.Points(0.6)
				p.plot.Add(line)
			}
		}
		p.entries = append(p.entries, entry{c.Names[i], color, glyph})
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return p, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: color, Radius: vg.Points(2.2), Shape: glyph}
		p.plot.Add(s)
	}
	if right = 1.05 * right; c.Diagonal {
		right = max(right, 1.05*top)
		top = right / 1.05
		line, err := plotter.NewLine(plotter.XYs{{}, {X: right, Y: right}})
		if err != nil {
			return p, err
		}
		line.Color, line.Width = color.Gray{0x80}, vg.Points(0.8)
		p.plot.Add(line)
	}
	p.plot.X.Max, p.plot.Y.Max = max(right, 1e-9), max(1.05*top, 1e-12)
	p.plot.X.Tick.Marker, p.plot.Y.Tick.Marker = plot.TickerFunc(paper.Ticks), plot.TickerFunc(paper.Ticks)
	return p, nil
}

// Course is packets over time under several methods.
type Course struct {
	Title string
	Names []string
	Flows []*measure.Flow
	Ends  []float64 // the clock at which the collective was done; 0: never
}

// WriteCourses draws two panels for each: packets sent, and below packets received.
func WriteCourses(w io.Writer, format string, list []Course) error {
	var panels []panel
	for i := range list {
		c := &list[i]
		for _, half := range []struct {
			what   string
			counts func(*measure.Flow) []int64
		}{{"sent", func(f *measure.Flow) []int64 { return f.Sent }}, {"received", func(f *measure.Flow) []int64 { return f.Received }}} {
			p, err := c.half(half.what, half.counts)
			if err != nil {
				return err
			}
			if i+1 < len(list) || half.what == "sent" {
				p.entries = nil // the same legend comes below
			}
			if half.what != "sent" {
				p.plot.Title.Text = ""
			}
			panels = append(panels, p)
		}
	}
	return write(w, format, 16*vg.Centimeter, 6*vg.Centimeter, panels)
}

func (c *Course) half(what string, counts func(*measure.Flow) []int64) (panel, error) {
	p := panel{plot: newPlot(c.Title, "clock", fmt.Sprintf("%s / %d clocks", what, c.Flows[0].Window))}
	p.plot.Add(horizontal())
	right, top := 0.0, 0.0
	for i, f := range c.Flows {
		var line plotter.XYs
		for k, count := range counts(f) {
			line = append(line, plotter.XY{X: float64(int64(k) * int64(f.Window)), Y: float64(count)})
			right, top = max(right, line[k].X), max(top, line[k].Y)
		}
		hue := paper.Palette[i%len(paper.Palette)]
		drawn, err := plotter.NewLine(line)
		if err != nil {
			return p, err
		}
		drawn.Color, drawn.Width = hue, vg.Points(1)
		if i == 0 {
			drawn.Width = vg.Points(2.5) // others may lie on it
		}
		p.plot.Add(drawn)
		if c.Ends[i] > 0 {
			right = max(right, c.Ends[i])
			s, err := plotter.NewScatter(plotter.XYs{{X: c.Ends[i]}})
			if err != nil {
				return p, err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: hue, Radius: vg.Points(3.5), Shape: draw.RingGlyph{}}
			p.plot.Add(s)
		}
		p.entries = append(p.entries, entry{c.Names[i], hue, draw.BoxGlyph{}})
	}
	p.plot.X.Max, p.plot.Y.Max = max(1, 1.02*right), max(1, 1.05*top)
	p.plot.X.Tick.Marker, p.plot.Y.Tick.Marker = plot.TickerFunc(paper.Ticks), plot.TickerFunc(paper.Ticks)
	return p, nil
}
