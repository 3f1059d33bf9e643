package sweep

import (
	"math"

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
}

// line is a curve as it is drawn.
type line struct {
	name   string
	pieces []plotter.XYs // the parts of the line inside the chart
	points errorPoints
	froze  plotter.XYs // positions of crosses, one for each load at which a run froze
}

// errorPoints are points with error bars for y.
type errorPoints struct {
	plotter.XYs
	plotter.YErrors
}

// spot is the position of a mean on the chart, with its error.
type spot struct{ x, y, err float64 }

const (
	loadUnit  = "(flits/clock/host)"
	clipTimes = 5
)

// latencyChart charts latency over offered or accepted load. The axis of latency ends where d.Clip
// says, so that latencies below saturation are readable. A line that exceeds the axis is cut off.
func latencyChart(list []Curve, d Drawing) *chart {
	c := &chart{xTitle: "offered load " + loadUnit, yTitle: "mean latency (clocks)"}
	if d.Accepted {
		c.xTitle = "accepted load " + loadUnit
	}
	orElse(&d.Clip, clipTimes)
	c.top = LatencyTop(list, d.Clip)
	rows := 0
	for i := range list {
		// Crosses are in the top part of the chart, one row for each curve. Frozen runs have no
		// accepted load, so over accepted load the cross is at the end of the line.
		cross := func(s, _ spot) spot { return spot{x: s.x, y: c.top * (1 - float64(rows)*0.035)} }
		if d.Accepted {
			cross = func(_, last spot) spot { return spot{x: last.x, y: min(last.y, c.top)} }
		}
		c.add(&list[i], func(m *Mean) spot {
			if d.Accepted {
				return spot{m.Accepted, m.Latency, m.LatencyError}
			}
			return spot{offered(m), m.Latency, m.LatencyError}
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

// throughputChart charts accepted load over offered load.
func throughputChart(list []Curve) *chart {
	c := &chart{xTitle: "offered load " + loadUnit, yTitle: "accepted load " + loadUnit, ideal: true}
	for _, curve := range list {
		for i := range curve.Means {
			if a := curve.Means[i].Accepted; finite(a) {
				c.top = max(c.top, 1.08*a)
			}
		}
	}
	orElse(&c.top, 1)
	for i := range list {
		c.add(&list[i], func(m *Mean) spot { return spot{offered(m), m.Accepted, m.AcceptedError} }, func(s, _ spot) spot { return s })
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
func (c *chart) add(curve *Curve, at func(*Mean) spot, cross func(s, last spot) spot) {
	var l line
	var spots []spot
	var last spot
	for i := range curve.Means {
		m := &curve.Means[i]
		s := at(m)
		here := s
		if m.Deadlocks == m.Runs || !finite(s.x) || !finite(s.y) {
			s.y = math.NaN() // NaN breaks the line here
		} else {
			last = s
			c.right = max(c.right, s.x)
		}
		spots = append(spots, s)
		if m.Deadlocks == 0 {
			continue
		}
		if f := cross(here, last); finite(f.x) && finite(f.y) {
			l.froze = append(l.froze, plotter.XY{X: f.x, Y: f.y})
			c.right = max(c.right, f.x)
		}
	}
	l.pieces, l.points = clipped(spots, c.top)
	c.lines = append(c.lines, l)
}

// finish names the lines and adds some space at the right.
func (c *chart) finish(list []Curve) {
	c.nameLines(list)
	c.right *= 1.02
	orElse(&c.right, 1)
}

// clipped returns the parts at or below top of the line through spots, and the spots at or below
// top.
func clipped(spots []spot, top float64) (pieces []plotter.XYs, points errorPoints) {
	var piece plotter.XYs
	end := func() {
		if len(piece) > 1 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i, s := range spots {
		if i > 0 && (s.y > top) != (spots[i-1].y > top) && !math.IsNaN(s.y+spots[i-1].y) {
			before := spots[i-1]
			piece = append(piece, plotter.XY{X: before.x + (s.x-before.x)*(top-before.y)/(s.y-before.y), Y: top})
		}
		if !(s.y <= top) {
			end()
			continue
		}
		piece = append(piece, plotter.XY{X: s.x, Y: s.y})
		points.XYs = append(points.XYs, plotter.XY{X: s.x, Y: s.y})
		e := s.err
		if !finite(e) {
			e = 0
		}
		points.YErrors = append(points.YErrors, struct{ Low, High float64 }{min(e, s.y), min(e, top-s.y)})
	}
	end()
	return pieces, points
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
