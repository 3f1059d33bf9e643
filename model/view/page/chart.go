package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws curves for a page. Lines and ticks are computed by model/view/sheet, as for the
// charts in files. The SVG differs: parts have titles, the style sheet sets the colours and sizes
// of text. Colours, dashes and shapes of points all distinguish curves.

// Chart is a chart of curves. Both axes start at 0.
type Chart struct {
	ID, Title string
	X, Y      string  // labels of the axes
	Top       float64 // maximum of the vertical axis, where lines are cut; defaults to the highest point
	Curves    []Curve
	Bars      float64 // if not 0, points are bars of this width on the horizontal axis
	Notes     []string
}

// Curve is a list of points connected by a line.
type Curve struct {
	Name   string
	Points []Point // by ascending X
}

// Point is a point of a curve. A point that is not a number interrupts the line.
type Point struct {
	X, Y float64
	Text string // its description
}

// Dimensions of a chart in its own unit.
const (
	chartWide, chartHigh = 720.0, 400.0
	chartLeft, chartLow  = 84.0, 56.0 // space for the axes
	chartEdge            = 14.0
)

// plot is a chart under construction.
type plot struct {
	strings.Builder
	right, top float64
}

func (p *plot) x(v float64) float64 {
	return chartLeft + v/p.right*(chartWide-chartLeft-chartEdge)
}

func (p *plot) y(v float64) float64 {
	return chartHigh - chartLow - v/p.top*(chartHigh-chartLow-chartEdge)
}

// SVG returns the drawing.
func (c *Chart) SVG() template.HTML {
	p := &plot{top: c.Top}
	highest := 0.0
	for _, curve := range c.Curves {
		for _, at := range curve.Points {
			p.right = max(p.right, at.X+c.Bars)
			if at.Y > highest {
				highest = at.Y
			}
		}
	}
	if p.top == 0 || p.top > highest {
		p.top = highest
	}
	if p.right == 0 || p.top == 0 {
		p.right, p.top = 1, 1
	}
	p.right, p.top = p.right*1.02, p.top*1.02
	fmt.Fprintf(p, "<svg viewBox=\"0 0 %s %s\" width=\"%[1]s\" height=\"%[2]s\">\n", num(chartWide), num(chartHigh))
	p.axes(c)
	for i, curve := range c.Curves {
		if c.Bars > 0 {
			p.bars(c, i)
		} else {
			p.curve(curve, i)
		}
	}
	p.WriteString("</svg>")
	return template.HTML(p.String())
}

func (p *plot) axes(c *Chart) {
	p.WriteString("<g class=\"axes\">\n")
	left, low := p.x(0), p.y(0)
	for _, tick := range sheet.FewTicks(0, p.right) {
		v := tick.Value
		x := num(p.x(v))
		fmt.Fprintf(p, "<path class=\"grid\" d=\"M%s %sV%s\"/><text text-anchor=\"middle\" x=\"%s\" y=\"%s\">%s</text>\n",
			x, num(low), num(p.y(p.top)), x, num(low+20), num(v))
	}
	for _, tick := range sheet.FewTicks(0, p.top) {
		v := tick.Value
		fmt.Fprintf(p, "<path class=\"grid\" d=\"M%s %sH%s\"/><text text-anchor=\"end\" x=\"%s\" y=\"%s\">%s</text>\n",
			num(left), num(p.y(v)), num(p.x(p.right)), num(left-7), num(p.y(v)+4.5), num(v))
	}
	middle := num(chartHigh/2 - chartLow/2)
	fmt.Fprintf(p, "<text text-anchor=\"middle\" x=\"%s\" y=\"%s\">%s</text>\n", num(chartWide/2+chartLeft/2), num(chartHigh-9), template.HTMLEscapeString(c.X))
	fmt.Fprintf(p, "<text text-anchor=\"middle\" transform=\"rotate(-90 22 %s)\" x=\"22\" y=\"%[1]s\">%s</text>\n</g>\n",
		middle, template.HTMLEscapeString(c.Y))
}

// curve draws the line below the top, and its points. Each point has its text as title.
func (p *plot) curve(c Curve, i int) {
	color, _ := figure.SeriesAt(i)
	points := make([]sheet.Point, len(c.Points))
	for k, at := range c.Points {
		points[k] = sheet.Point{X: at.X, Y: at.Y}
	}
	pieces, _ := sheet.Clip(points, p.top)
	fmt.Fprintf(p, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"%s\"/>\n", color, dashes(i), p.line(pieces))
	for _, at := range c.Points {
		if at.Y <= p.top {
			fmt.Fprintf(p, "<g><title>%s</title>%s</g>\n", template.HTMLEscapeString(c.Name+": "+at.Text), point(i, p.x(at.X), p.y(at.Y), len(c.Points)))
		}
	}
}

// line returns the SVG path of the parts of a line.
func (p *plot) line(pieces [][]sheet.Point) string {
	var b strings.Builder
	for _, piece := range pieces {
		for i, at := range piece {
			b.WriteString([]string{"M", "L"}[min(i, 1)] + num(p.x(at.X)) + " " + num(p.y(at.Y)))
		}
	}
	return b.String()
}

// Key returns the legend.
func (c *Chart) Key() (list []KeyLine) {
	for i, curve := range c.Curves {
		color, _ := figure.SeriesAt(i)
		list = append(list, KeyLine{curve.Name, template.HTML(fmt.Sprintf("<svg class=\"sample\" aria-hidden=\"true\" viewBox=\"0 0 40 14\">"+
			"<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"M0 7H40\"/>%s</svg>",
			color, dashes(i), point(i, 20, 7, 1)))})
	}
	return list
}

// KeyLine is the name of a curve with a sample of its line.
type KeyLine struct {
	Name   string
	Sample template.HTML
}

// dashes returns the dash pattern of curve i, for readers who cannot distinguish the colours.
func dashes(i int) string {
	return []string{"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\"", " stroke-dasharray=\"9 3 2 3\""}[i%4]
}

// bars draws the points of curve i as bars that begin at their X. The bars of several curves are side
// by side.
func (p *plot) bars(c *Chart, i int) {
	color, _ := figure.SeriesAt(i)
	wide := c.Bars / float64(len(c.Curves))
	for _, at := range c.Curves[i].Points {
		if at.Y > 0 {
			left, right := p.x(at.X+float64(i)*wide), p.x(at.X+float64(i+1)*wide)
			gap := min(1, (right-left)/8)
			fmt.Fprintf(p, "<g><title>%s</title><polygon fill=\"%s\" points=\"%s,%s %s,%[4]s %[5]s,%[6]s %[3]s,%[6]s\"/></g>\n",
				template.HTMLEscapeString(c.Curves[i].Name+": "+at.Text), color, num(left+gap), num(p.y(0)), num(right-gap), num(p.y(min(at.Y, p.top))))
		}
	}
}

// manyPoints is the number of points of a curve from which on they are drawn small.
const manyPoints = 40

// point draws a point with the shape of curve i. count is the number of points of the curve.
func point(i int, x, y float64, count int) string {
	color, _ := figure.SeriesAt(i)
	if count >= manyPoints {
		return fmt.Sprintf("<circle fill=\"%s\" cx=\"%s\" cy=\"%s\" r=\"2.5\"/>", color, num(x), num(y))
	}
	if i%4 == 0 {
		return fmt.Sprintf("<circle fill=\"%s\" cx=\"%s\" cy=\"%s\" r=\"5\"/>", color, num(x), num(y))
	}
	d := []string{"", "m-4.5-4.5h9v9h-9z", "m0-6l5.5 10h-11z", "m0-6.5l6 6.5-6 6.5-6-6.5z"}[i%4]
	return fmt.Sprintf("<path fill=\"%s\" d=\"M%s %s%s\"/>", color, num(x), num(y), d)
}

// num formats a length or a round number.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
}
