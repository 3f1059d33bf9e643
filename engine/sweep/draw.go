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
	return write(w, format, latencyChart(list, d), d)
}

// WriteThroughput writes the drawing of DrawThroughput to w, as WriteLatency does.
func WriteThroughput(w io.Writer, format string, list []Curve, d Drawing) (lacking []string, err error) {
	return write(w, format, throughputChart(list), d)
}

func write(w io.Writer, format string, c *chart, d Drawing) (lacking []string, err error) {
	if c.empty() {
		return nil, errors.New("sweep: no run gave a figure to draw")
	}
	orElse(&d.Title, c.common)
	return sheet.WriteCharts(w, format, sheet.Layout{High: panelHigh}, []panel{{c, d.Title}})
}

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
		if err := c.lines[i].add(p, sheet.Looks(i)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add adds the line to p: its parts, its points with error bars, and its crosses.
func (l *line) add(p *plot.Plot, s sheet.Look) error {
	for _, piece := range l.pieces {
		drawn, err := plotter.NewLine(sheet.XYs(piece))
		if err != nil {
			return err
		}
		drawn.LineStyle = s.Line
		p.Add(drawn)
	}
	if len(l.points.XYs) > 0 {
		bars, err := plotter.NewYErrorBars(l.points)
		if err != nil {
			return err
		}
		bars.LineStyle = draw.LineStyle{Color: s.Line.Color, Width: s.Line.Width / 2}
		points, err := plotter.NewScatter(l.points.XYs)
		if err != nil {
			return err
		}
		points.GlyphStyle = s.Glyph
		p.Add(bars, points)
	}
	if len(l.froze) > 0 {
		crosses, err := plotter.NewScatter(l.froze)
		if err != nil {
			return err
		}
		crosses.GlyphStyle = crossStyle(s.Line.Color)
		p.Add(crosses)
	}
	return nil
}
