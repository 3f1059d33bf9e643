package sweep

import (
	"errors"
	"io"

	"github.com/turnproof/turnproof/model/view/sheet"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws curves with gonum.org/v1/plot and model/view/sheet. The same curves give the same
// bytes. chart.go computes the positions, legend.go the names in the legend.

// Drawing are the options of a drawing. The zero value is the default.
type Drawing struct {
	Title string // defaults to the names that all curves share
	// Accepted puts accepted load on the x axis of latency, instead of offered load.
	Accepted bool
	// Clip limits the axis of latency: it ends at Clip times the latency at the lowest load. If
	// the curves differ in this latency, the largest counts. Defaults to 5.
	Clip float64
}

// DrawLatency draws mean latency over load into a file. The extension of path must be .png, .svg
// or .pdf.
func DrawLatency(path string, list []Curve, d Drawing) error {
	return sheet.ToFile(path, func(w io.Writer, format string) error { _, err := WriteLatency(w, format, list, d); return err })
}

// DrawThroughput draws accepted load over offered load into a file, as DrawLatency does.
func DrawThroughput(path string, list []Curve, d Drawing) error {
	return sheet.ToFile(path, func(w io.Writer, format string) error { _, err := WriteThroughput(w, format, list, d); return err })
}

// WriteLatency writes the drawing of DrawLatency to w. format is png, svg or pdf. It returns the
// texts with characters that the font of a PNG or PDF lacks.
func WriteLatency(w io.Writer, format string, list []Curve, d Drawing) (lacking []string, err error) {
	return write(w, format, list, d, latencyChart)
}

// WriteThroughput writes the drawing of DrawThroughput to w, as WriteLatency does.
func WriteThroughput(w io.Writer, format string, list []Curve, d Drawing) (lacking []string, err error) {
	return write(w, format, list, d, throughputChart)
}

// write draws curves of one traffic in one chart, curves of several traffics in a panel for each. of returns the chart of some of all
// curves, on the axes of all.
func write(w io.Writer, format string, list []Curve, d Drawing, of func(some, all []Curve, d Drawing) *chart) (lacking []string, err error) {
	groups := byTraffic(list)
	if len(groups) > 1 {
		return writePanels(w, format, list, groups, d, of)
	}
	c := of(list, list, d)
	if c.empty() {
		return nil, errNothing
	}
	orElse(&d.Title, c.common)
	return sheet.WriteCharts(w, format, sheet.Layout{High: panelHigh}, []panel{{c, d.Title}})
}

var errNothing = errors.New("sweep: no run gave a figure to draw")

// panelHigh is the height of a chart without its legend in centimetres.
const panelHigh = 10

// panel is a chart with its title.
type panel struct {
	*chart
	title string
}

// Panel implements sheet.Chart.
func (c panel) Panel(vg.Length) (*sheet.Panel, error) {
	p, err := c.plot(c.title)
	return &sheet.Panel{Plot: p, Entries: c.entries()}, err
}

// plot converts a chart to a plot.
func (c *chart) plot(title string) (*plot.Plot, error) {
	p := sheet.NewPlot(title, c.xTitle, c.yTitle)
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(sheet.Ticks), plot.TickerFunc(sheet.Ticks)
	p.X.Max, p.Y.Max = c.right, c.top
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = sheet.PaleGrey(), sheet.PaleGrey()
	p.Add(grid)
	if c.ideal {
		end := min(c.right, c.top)
		l, err := plotter.NewLine(plotter.XYs{{}, {X: end, Y: end}})
		if err != nil {
			return nil, err
		}
		l.LineStyle = idealStyle
		p.Add(l)
	}
	for i := range c.lines {
		plotters, err := c.lines[i].plotters(sheet.Looks(c.lines[i].look))
		if err != nil {
			return nil, err
		}
		for _, x := range plotters {
			if c.legend != nil {
				x = sheet.Bare{Plotter: x}
			}
			p.Add(x)
		}
	}
	return p, nil
}

// plotters returns the parts of the line, its points with error bars, and its crosses.
func (l *line) plotters(s sheet.Look) (list []plot.Plotter, err error) {
	for _, piece := range l.pieces {
		drawn, err := plotter.NewLine(sheet.XYs(piece))
		if err != nil {
			return nil, err
		}
		drawn.LineStyle = s.Line
		list = append(list, drawn)
	}
	if len(l.points.XYs) > 0 {
		bars, err := plotter.NewYErrorBars(l.points)
		if err != nil {
			return nil, err
		}
		bars.LineStyle = draw.LineStyle{Color: s.Line.Color, Width: s.Line.Width / 2}
		points, err := plotter.NewScatter(l.points.XYs)
		if err != nil {
			return nil, err
		}
		points.GlyphStyle = s.Glyph
		list = append(list, bars, points)
	}
	if len(l.froze) > 0 {
		crosses, err := plotter.NewScatter(l.froze)
		if err != nil {
			return nil, err
		}
		crosses.GlyphStyle = crossStyle(s.Line.Color)
		list = append(list, crosses)
	}
	return list, nil
}
