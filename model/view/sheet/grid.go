package sheet

import (
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws panels side by side: the same quantities on the same axes for several cases, with one legend.

// Sizes of a grid of panels.
const (
	gridHigh  = 6.5 * vg.Centimeter // a panel
	gridWide  = 8.5 * vg.Centimeter // a panel, at least
	gridGap   = 3 * vg.Millimeter
	titleHigh = 7 * vg.Millimeter // above the panels, and above each
)

// Bare hides the size of the marks of a plotter. Otherwise a plot becomes smaller for a mark at its edge, and
// panels side by side would not have the same scale.
type Bare struct{ plot.Plotter }

// WriteGrid writes charts row by row, two or three in a row, and the legend of the first one below all. The charts must
// have the same axes and Bare plotters. The result is that of WriteCharts.
func WriteGrid[C Chart](w io.Writer, format, title string, charts []C) (lacking []string, err error) {
	columns := 2
	if len(charts) > 4 {
		columns = 3
	}
	width := max(pageWidth, vg.Length(columns)*gridWide)
	rows := (len(charts) + columns - 1) / columns
	legend := &Panel{}
	plots, titles := make([]*plot.Plot, len(charts)), make([]string, len(charts))
	for i := range charts {
		p, err := charts[i].Panel(width / vg.Length(columns))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			legend.Entries = p.Entries
		}
		titles[i], p.Plot.Title.Text = p.Plot.Title.Text, "" // it is centred above the axes instead
		p.Plot.X.Tick.Marker, p.Plot.Y.Tick.Marker = plot.TickerFunc(FewTicks), plot.TickerFunc(FewTicks)
		plots[i] = p.Plot
	}
	width = max(width, column(legend)+2*margin, TextStyle(titleType).Rectangle(title).Size().X+2*margin)
	below := legend.legendHeight(width)
	total := titleHigh + vg.Length(rows)*gridHigh + below
	return WriteScaled(w, format, width, total, 1, func(page draw.Canvas) {
		area := draw.Crop(page, margin, -2*margin, below, -titleHigh)
		tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: gridGap, PadY: gridGap + titleHigh, PadTop: titleHigh}
		head := TextStyle(titleType)
		head.XAlign, head.YAlign = draw.XCenter, draw.YBottom
		for i, p := range plots {
			canvas := tiles.At(area, i%columns, i/columns)
			p.Draw(canvas)
			data := p.DataCanvas(canvas)
			page.FillText(head, vg.Point{X: data.Center().X, Y: data.Max.Y + 2*vg.Millimeter}, titles[i])
		}
		head.XAlign = draw.XLeft
		page.FillText(head, vg.Point{X: margin, Y: total - titleHigh + vg.Millimeter}, title)
		legend.legend(draw.Crop(page, margin, -margin, 0, below-total), width)
	})
}
