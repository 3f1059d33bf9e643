package sweep

import (
	"image/color"
	"strings"

	"github.com/turnproof/turnproof/model/view/sheet"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file chooses the name, colour and marker of each curve. The legend is below the chart, so
// that it covers no part of the chart. The page grows by its height.

var idealStyle = draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(0.8), Dashes: []vg.Length{3, 3}}

func crossStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: vg.Points(5), Shape: draw.CrossGlyph{}}
}

// nameLines names each line by what differs among the curves, and stores what all curves share in
// common.
func (c *chart) nameLines(list []Curve) {
	if len(list) == 0 {
		return
	}
	parts := []func(*Curve) string{
		func(c *Curve) string { return c.Network }, func(c *Curve) string { return c.Routing }, func(c *Curve) string { return c.Traffic },
	}
	var common []string
	for _, part := range parts {
		same := true
		for i := range list {
			same = same && part(&list[i]) == part(&list[0])
		}
		if same {
			common = append(common, part(&list[0]))
			continue
		}
		for i := range list {
			if c.lines[i].name != "" {
				c.lines[i].name += ", "
			}
			c.lines[i].name += part(&list[i])
		}
	}
	c.common = strings.Join(common, ", ")
	if len(list) == 1 {
		c.lines[0].name = c.common
	}
}

// legend is the layout of the legend, with entries in columns.
type legend struct {
	entries       []legendEntry
	columns       int
	column        vg.Length // width of a column
	width, height vg.Length // width of the page, height of the legend
}

type legendEntry struct {
	name  string
	line  *draw.LineStyle
	glyph *draw.GlyphStyle
}

const (
	sample     = 8 * vg.Millimeter // length of the line drawn before a name
	rowSpace   = 4.6 * vg.Millimeter
	legendText = 8.5
)

// newLegend lays out the entries in as many columns as fit on the page. It widens the page if a
// name does not fit.
func newLegend(c *chart, page vg.Length) *legend {
	l := &legend{width: page}
	froze := false
	for i, line := range c.lines {
		s := sheet.Looks(i)
		l.entries = append(l.entries, legendEntry{line.name, &s.Line, &s.Glyph})
		froze = froze || len(line.froze) > 0
	}
	if c.ideal {
		l.entries = append(l.entries, legendEntry{"accepted = offered", &idealStyle, nil})
	}
	if froze {
		s := crossStyle(color.Black)
		l.entries = append(l.entries, legendEntry{"a run froze in deadlock", nil, &s})
	}
	style := sheet.TextStyle(legendText)
	for _, e := range l.entries {
		l.column = max(l.column, sample+style.Rectangle(e.name).Size().X+2*margin)
	}
	l.width = max(l.width, l.column+2*margin)
	l.columns = max(int((l.width-2*margin)/l.column), 1)
	rows := (len(l.entries) + l.columns - 1) / l.columns
	l.height = vg.Length(rows)*rowSpace + margin
	return l
}

// draw draws the entries row by row, from the top of canvas c.
func (l *legend) draw(c draw.Canvas) {
	style := sheet.TextStyle(legendText)
	style.YAlign = draw.YCenter
	for i, e := range l.entries {
		x := c.Min.X + vg.Length(i%l.columns)*l.column + margin
		y := c.Max.Y - (vg.Length(i/l.columns)+0.5)*rowSpace
		if e.line != nil {
			c.StrokeLine2(*e.line, x, y, x+sample, y)
		}
		if e.glyph != nil {
			c.DrawGlyph(*e.glyph, vg.Point{X: x + sample/2, Y: y})
		}
		c.FillText(style, vg.Point{X: x + sample + margin/2, Y: y}, e.name)
	}
}
