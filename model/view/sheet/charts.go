package sheet

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws charts below each other, each with its legend: bars, scatter plots and lines.

// Chart is a chart that draws its own panel.
type Chart interface {
	Panel(width vg.Length) (*Panel, error)
}

// Layout is the size of charts. The zero value is the default.
type Layout struct {
	// Width is the width of a column of the paper in millimetres. The type then shrinks to
	// leastType. If 0, charts have the width of a page.
	Width float64
	// High is the height of a panel without its legend in centimetres. Defaults to 8, or 5.5 if
	// there are several panels.
	High float64
}

const (
	pageWidth = 17 * vg.Centimeter
	leastType = 6.4 // points
	titleType = 11
	tickType  = 9 // the smallest type in points before charts are scaled to a column
)

// scale returns the width in which charts are drawn and the factor by which they are then
// scaled.
func (l Layout) scale() (width vg.Length, scale float64) {
	if l.Width == 0 {
		return pageWidth, 1
	}
	scale = leastType / tickType
	return vg.Length(l.Width/scale) * vg.Millimeter, scale
}

// Bars is a chart of groups of bars.
type Bars struct {
	Title, YTitle string
	Groups        []string    // labels of the groups
	Names         []string    // names of the bars of a group
	Values        [][]float64 // by name and group; 0 means no bar, because a run froze or is missing
}

const (
	margin   = 4 * vg.Millimeter
	rowSpace = 5 * vg.Millimeter
	sample   = 7 * vg.Millimeter
)

// Panel is a plot with the legend below it.
type Panel struct {
	Plot    *plot.Plot
	Entries []Entry
}

// Entry is an entry of a legend.
type Entry struct {
	Name  string
	Color color.Color
	Shape draw.GlyphDrawer // if nil, no mark
	Line  *draw.LineStyle  // if nil, no line
}

// NewPlot returns an empty plot with the common fonts.
func NewPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.Padding = Sans(titleType), 2*vg.Millimeter
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font, a.Padding, a.Min = Sans(10), Sans(9), 0, 0
		a.Label.Padding = vg.Millimeter
	}
	return p
}

// WriteCharts writes charts below each other. A chart has no legend if the next chart has the
// same legend. It returns the texts with characters that the font of a PNG or PDF lacks.
func WriteCharts[C Chart](w io.Writer, format string, l Layout, charts []C) (lacking []string, err error) {
	width, scale := l.scale()
	var panels []*Panel
	for i := range charts {
		p, err := charts[i].Panel(width)
		if err != nil {
			return nil, err
		}
		if l.Width > 0 {
			p.Plot.Title.Text = broken(p.Plot.Title.Text, width-4*margin)
			for _, a := range []*plot.Axis{&p.Plot.X, &p.Plot.Y} {
				if _, ok := a.Tick.Marker.(plot.TickerFunc); ok {
					a.Tick.Marker = plot.TickerFunc(FewTicks)
				}
			}
		}
		panels = append(panels, p)
	}
	if l.Width == 0 { // a page becomes wider for a long name
		for _, p := range panels {
			width = max(width, column(p)+2*margin)
		}
	}
	high := vg.Length(l.High) * vg.Centimeter
	switch {
	case high == 0 && len(panels) == 1:
		high = 8 * vg.Centimeter
	case high == 0:
		high = 5.5 * vg.Centimeter
	}
	total := vg.Length(0)
	for i, p := range panels {
		if i+1 < len(panels) && slices.EqualFunc(p.Entries, panels[i+1].Entries, sameEntry) {
			p.Entries = nil
		}
		total += high + p.legendHeight(width)
	}
	return WriteScaled(w, format, width, total, scale, func(page draw.Canvas) {
		top := vg.Length(0)
		for _, p := range panels {
			below := p.legendHeight(width)
			p.Plot.Draw(draw.Crop(page, margin, -2*margin, total-top-high, -top-margin/2))
			p.legend(draw.Crop(page, margin, -margin, total-top-high-below, -top-high), width)
			top += high + below
		}
	})
}

// broken breaks a title at spaces into lines of at most the given width.
func broken(title string, width vg.Length) string {
	var lines []string
	for _, word := range strings.Fields(title) {
		if k := len(lines) - 1; k >= 0 && TextStyle(titleType).Rectangle(lines[k]+" "+word).Size().X <= width {
			lines[k] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return strings.Join(lines, "\n")
}

func sameEntry(a, b Entry) bool {
	return a.Name == b.Name && a.Color == b.Color && fmt.Sprintf("%T", a.Shape) == fmt.Sprintf("%T", b.Shape)
}

func (p *Panel) legendHeight(width vg.Length) vg.Length {
	return vg.Length(rows(p, width))*rowSpace + margin
}

// column returns the width of an entry of the legend.
func column(p *Panel) (wide vg.Length) {
	for _, e := range p.Entries {
		wide = max(wide, sample+TextStyle(9).Rectangle(e.Name).Size().X+2*margin)
	}
	return max(wide, 1)
}

func rows(p *Panel, width vg.Length) int {
	columns := max(int((width-2*margin)/column(p)), 1)
	return (len(p.Entries) + columns - 1) / columns
}

func (p *Panel) legend(c draw.Canvas, width vg.Length) {
	columns := max(int((width-2*margin)/column(p)), 1)
	style := TextStyle(9)
	style.YAlign = draw.YCenter
	for i, e := range p.Entries {
		at := vg.Point{X: c.Min.X + vg.Length(i%columns)*column(p) + margin, Y: c.Max.Y - (vg.Length(i/columns)+0.5)*rowSpace}
		if e.Line != nil {
			c.StrokeLine2(*e.Line, at.X, at.Y, at.X+sample, at.Y)
		}
		if e.Shape != nil {
			c.DrawGlyph(draw.GlyphStyle{Color: e.Color, Radius: vg.Points(3.5), Shape: e.Shape}, vg.Point{X: at.X + sample/2, Y: at.Y})
		}
		c.FillText(style, vg.Point{X: at.X + sample + margin/2, Y: at.Y}, e.Name)
	}
}

// Panel returns the panel of the bars.
func (b *Bars) Panel(width vg.Length) (*Panel, error) {
	p := &Panel{Plot: NewPlot(b.Title, "", b.YTitle)}
	bar := vg.Points(max(2.2, 0.85*(width.Points()-70)/float64(len(b.Groups)*(len(b.Names)+1))))
	p.Plot.Add(Horizontal())
	for i, values := range b.Values {
		bars, err := plotter.NewBarChart(plotter.Values(values), bar)
		if err != nil {
			return p, err
		}
		c := Palette()[i%len(Palette())]
		bars.Color, bars.LineStyle.Width = c, 0
		bars.Offset = bar * vg.Length(float64(i)-float64(len(b.Values)-1)/2)
		p.Plot.Add(bars)
		p.Entries = append(p.Entries, Entry{Name: b.Names[i], Color: c, Shape: draw.BoxGlyph{}})
	}
	p.Plot.NominalX(b.Groups...)
	p.Plot.X.Min, p.Plot.X.Max = -0.6, float64(len(b.Groups))-0.4
	p.Plot.Y.Min, p.Plot.Y.Max = 0, 1.05*p.Plot.Y.Max
	p.Plot.Y.Tick.Marker = plot.TickerFunc(Ticks)
	return p, nil
}

// Horizontal returns the horizontal grid lines behind bars.
func Horizontal() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = nil, PaleGrey()
	return g
}

// Cloud is a scatter plot of two quantities.
type Cloud struct {
	Title, XTitle, YTitle string
	Names                 []string // names of the kinds of points
	Points                []plotter.XYs
	Colors, Shapes        []int // by kind; if nil, the index of the kind
	Diagonal              bool  // draw the line where both quantities are equal
	Drop                  int   // draw lines to the axis from the points of the first Drop kinds
}

// Panel returns the panel of the scatter plot.
func (c *Cloud) Panel(vg.Length) (*Panel, error) {
	p := &Panel{Plot: NewPlot(c.Title, c.XTitle, c.YTitle)}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = PaleGrey(), PaleGrey()
	p.Plot.Add(grid)
	right, top := 0.0, 0.0
	for i, points := range c.Points {
		hue, shape := i, i
		if c.Colors != nil {
			hue, shape = c.Colors[i], c.Shapes[i]
		}
		color, glyph := Palette()[hue%len(Palette())], Markers()[shape%len(Markers())]
		for _, at := range points {
			right, top = max(right, at.X), max(top, at.Y)
			if i < c.Drop {
				line, err := plotter.NewLine(plotter.XYs{at, {X: at.X}})
				if err != nil {
					return p, err
				}
				line.Color, line.Width = color, vg.Points(0.6)
				p.Plot.Add(line)
			}
		}
		p.Entries = append(p.Entries, Entry{Name: c.Names[i], Color: color, Shape: glyph})
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return p, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: color, Radius: vg.Points(2.2), Shape: glyph}
		p.Plot.Add(s)
	}
	if right = 1.05 * right; c.Diagonal {
		right = max(right, 1.05*top)
		top = right / 1.05
		line, err := plotter.NewLine(plotter.XYs{{}, {X: right, Y: right}})
		if err != nil {
			return p, err
		}
		line.Color, line.Width = color.Gray{0x80}, vg.Points(0.8)
		p.Plot.Add(line)
	}
	p.Plot.X.Max, p.Plot.Y.Max = max(right, 1e-9), max(1.05*top, 1e-12)
	p.Plot.X.Tick.Marker, p.Plot.Y.Tick.Marker = plot.TickerFunc(Ticks), plot.TickerFunc(Ticks)
	return p, nil
}

// Lines is a chart of curves.
type Lines struct {
	Title, XTitle, YTitle string
	Names                 []string
	Points                [][]Point
	Ideal                 string // name of the line y = x; if empty, the line is not drawn
}

// Point is a point of a curve with the error of y, or 0.
type Point struct{ X, Y, Error float64 }

// Panel returns the panel of the curves. Each curve has its own colour, mark and dashes.
func (l *Lines) Panel(vg.Length) (*Panel, error) {
	p := &Panel{Plot: NewPlot(l.Title, l.XTitle, l.YTitle)}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = PaleGrey(), PaleGrey()
	p.Plot.Add(grid)
	right, top := 1e-9, 1e-9
	for _, points := range l.Points {
		for _, at := range points {
			right, top = max(right, at.X), max(top, at.Y+at.Error)
		}
	}
	if l.Ideal != "" {
		end := min(right, top)
		line, err := plotter.NewLine(plotter.XYs{{}, {X: end, Y: end}})
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: color.Gray{0x80}, Width: vg.Points(0.8), Dashes: []vg.Length{3, 3}}
		p.Plot.Add(line)
		p.Entries = append(p.Entries, Entry{Name: l.Ideal, Color: color.Gray{0x80}, Line: &line.LineStyle})
	}
	for i, points := range l.Points {
		look := Looks(i)
		var xy plotter.XYs
		var errors plotter.YErrors
		for _, at := range points {
			xy = append(xy, plotter.XY{X: at.X, Y: at.Y})
			errors = append(errors, struct{ Low, High float64 }{at.Error, at.Error})
		}
		if len(xy) > 0 {
			line, err := plotter.NewLine(xy)
			if err != nil {
				return nil, err
			}
			line.LineStyle = look.Line
			marks, err := plotter.NewScatter(xy)
			if err != nil {
				return nil, err
			}
			marks.GlyphStyle = look.Glyph
			bars, err := plotter.NewYErrorBars(struct {
				plotter.XYs
				plotter.YErrors
			}{xy, errors})
			if err != nil {
				return nil, err
			}
			bars.LineStyle = draw.LineStyle{Color: look.Line.Color, Width: look.Line.Width / 2}
			p.Plot.Add(line, bars, marks)
		}
		p.Entries = append(p.Entries, Entry{l.Names[i], look.Glyph.Color, look.Glyph.Shape, &look.Line})
	}
	p.Plot.X.Max, p.Plot.Y.Max = 1.02*right, 1.05*top
	p.Plot.X.Tick.Marker, p.Plot.Y.Tick.Marker = plot.TickerFunc(Ticks), plot.TickerFunc(Ticks)
	return p, nil
}
