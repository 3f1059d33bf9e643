package sweep

import (
	"math"

	"github.com/turnproof/turnproof/model/view/sheet"
	"gonum.org/v1/plot/plotter"
)

// This file turns curves into the lines of a chart, clipped to the range of the axes.

// chart is the content of a drawing, without sizes on the page.
type chart struct {
	xTitle, yTitle string
	common         string // names that all curves share, for example the network
	right, top     float64
	ideal          bool // whether to draw the line on which all offered load is accepted
	lines          []line
	anyFroze       bool   // whether a run of another panel froze
	legend         *chart // the chart with the legend of all panels, or nil
}

// line is a curve as it is drawn.
type line struct {
	name   string
	look   int             // index of its look
	pieces [][]sheet.Point // the parts of the line inside the chart
	points errorPoints
	froze  plotter.XYs // positions of crosses, one for each load at which a run froze
}

// errorPoints are points with error bars for y.
type errorPoints struct {
	plotter.XYs
	plotter.YErrors
}

const (
	loadUnit  = "(flits/clock/host)"
	clipTimes = 5
)

// latencyChart charts latency over offered or accepted load, on the axis of all curves. The axis of latency ends where d.Clip
// says, so that latencies below saturation are readable. A line that exceeds the axis is cut off.
func latencyChart(list, all []Curve, d Drawing) *chart {
	c := &chart{xTitle: "offered load " + loadUnit, yTitle: "mean latency (clocks)"}
	if d.Accepted {
		c.xTitle = "accepted load " + loadUnit
	}
	orElse(&d.Clip, clipTimes)
	c.top = LatencyTop(all, d.Clip)
	rows := 0
	for i := range list {
		// Crosses are in the top part of the chart, one row for each curve. Frozen runs have no
		// accepted load, so over accepted load the cross is at the end of the line.
		cross := func(s, _ sheet.Point) sheet.Point { return sheet.Point{X: s.X, Y: c.top * (1 - float64(rows)*0.035)} }
		if d.Accepted {
			cross = func(_, last sheet.Point) sheet.Point { return sheet.Point{X: last.X, Y: min(last.Y, c.top)} }
		}
		c.add(&list[i], func(m *Mean) sheet.Point {
			if d.Accepted {
				return sheet.Point{X: m.Accepted, Y: m.Latency, Error: m.LatencyError}
			}
			return sheet.Point{X: offered(m), Y: m.Latency, Error: m.LatencyError}
		}, cross)
		if len(c.lines[i].froze) > 0 {
			rows++
		}
	}
	c.finish(list)
	return c
}

// LatencyTop returns the upper end of the axis of latency, for a given Drawing.Clip.
func LatencyTop(list []Curve, clip float64) float64 {
	least, most := 0.0, 0.0
	for _, c := range list {
		first := true
		for i := range c.Means {
			if m := &c.Means[i]; m.Deadlocks < m.Runs && finite(m.Latency) {
				if first {
					least = max(least, m.Latency)
				}
				first, most = false, max(most, m.Latency)
			}
		}
	}
	if top := clip * least; top > 0 && top < most {
		return top
	}
	if most == 0 {
		return 1
	}
	return 1.08 * most
}

// throughputChart charts accepted load over offered load, on the axis of all curves.
func throughputChart(list, all []Curve, _ Drawing) *chart {
	c := &chart{xTitle: "offered load " + loadUnit, yTitle: "accepted load " + loadUnit, ideal: true}
	for _, curve := range all {
		for i := range curve.Means {
			if a := curve.Means[i].Accepted; finite(a) {
				c.top = max(c.top, 1.08*a)
			}
		}
	}
	orElse(&c.top, 1)
	for i := range list {
		at := func(m *Mean) sheet.Point { return sheet.Point{X: offered(m), Y: m.Accepted, Error: m.AcceptedError} }
		c.add(&list[i], at, func(s, _ sheet.Point) sheet.Point { return s })
	}
	c.finish(list)
	return c
}

// offered returns the load that hosts created, or the requested load if the created load was not
// measured.
func offered(m *Mean) float64 {
	if finite(m.Offered) {
		return m.Offered
	}
	return m.Load
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// add adds a curve. at returns the position of a mean. For a mean with frozen runs, cross returns
// the position of the cross, given the mean and the last position on the line.
func (c *chart) add(curve *Curve, at func(*Mean) sheet.Point, cross func(s, last sheet.Point) sheet.Point) {
	l := line{look: len(c.lines)}
	var spots []sheet.Point
	var last sheet.Point
	for i := range curve.Means {
		m := &curve.Means[i]
		s := at(m)
		here := s
		if m.Deadlocks == m.Runs || !finite(s.X) || !finite(s.Y) {
			s.Y = math.NaN() // NaN breaks the line here
		} else {
			last = s
			c.right = max(c.right, s.X)
		}
		spots = append(spots, s)
		if m.Deadlocks == 0 {
			continue
		}
		if f := cross(here, last); finite(f.X) && finite(f.Y) {
			l.froze = append(l.froze, plotter.XY{X: f.X, Y: f.Y})
			c.right = max(c.right, f.X)
		}
	}
	pieces, inside := sheet.Clip(spots, c.top)
	l.pieces, l.points = pieces, errorBars(inside, c.top)
	c.lines = append(c.lines, l)
}

// finish names the lines and adds some space at the right.
func (c *chart) finish(list []Curve) {
	c.nameLines(list)
	c.right *= 1.02
	orElse(&c.right, 1)
}

// errorBars returns points with their errors, limited to the range of the axis.
func errorBars(list []sheet.Point, top float64) (points errorPoints) {
	points.XYs = sheet.XYs(list)
	for _, p := range list {
		e := p.Error
		if !finite(e) {
			e = 0
		}
		points.YErrors = append(points.YErrors, struct{ Low, High float64 }{min(e, p.Y), min(e, top-p.Y)})
	}
	return points
}

// empty reports whether the chart has no lines, points or crosses.
func (c *chart) empty() bool {
	for _, l := range c.lines {
		if len(l.points.XYs) > 0 || len(l.froze) > 0 {
			return false
		}
	}
	return true
}
