package sweep

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// This file turns curves into lines within the limits of the axes.

// chart is a drawing before it has a size.
type chart struct {
	xTitle, yTitle string
	common         string // what all curves have in common
	right, top     float64
	ideal          bool // with the line on which all is accepted
	lines          []line
}

// line is a curve.
type line struct {
	name   string
	pieces []plotter.XYs // of the line, within the chart
	points errorPoints
	froze  plotter.XYs // where a run froze
}

// errorPoints are points with the errors of y.
type errorPoints struct {
	plotter.XYs
	plotter.YErrors
}

// spot is a mean on the chart.
type spot struct{ x, y, err float64 }

const (
	loadUnit  = "(flits/clock/host)"
	clipTimes = 5
)

// latencyChart is latency over offered or accepted load. The axis of latency ends
// where c.Clip says, so that what is below saturation can be read: the line then
// leaves the chart.
func latencyChart(list []Curve, d Drawing) *chart {
	c := &chart{xTitle: "offered load " + loadUnit, yTitle: "mean latency (clocks)"}
	if d.Accepted {
		c.xTitle = "accepted load " + loadUnit
	}
	orElse(&d.Clip, clipTimes)
	c.top = LatencyTop(list, d.Clip)
	rows := 0
	for i := range list {
		// Crosses stand at the top, those of each curve in a row of their own;
		// over accepted load, of which a frozen run has none, at the line's end.
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

// LatencyTop returns where the axis of latency ends.
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

// throughputChart is accepted over offered load.
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

// offered is the load that was created, or if it was not measured, asked for.
func offered(m *Mean) float64 {
	if finite(m.Offered) {
		return m.Offered
	}
	return m.Load
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// add adds a curve; cross says where a cross goes for a mean in which a run froze,
// given the mean and the last one on the line.
func (c *chart) add(curve *Curve, at func(*Mean) spot, cross func(s, last spot) spot) {
	var l line
	var spots []spot
	var last spot
	for i := range curve.Means {
		m := &curve.Means[i]
		s := at(m)
		here := s
		if m.Deadlocks == m.Runs || !finite(s.x) || !finite(s.y) {
			s.y = math.NaN() // the line is broken here
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

// finish names the lines and leaves some room at the right.
func (c *chart) finish(list []Curve) {
	c.nameLines(list)
	c.right *= 1.02
	orElse(&c.right, 1)
}

// clipped returns what is at or below top of the line through spots, and of them.
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

// empty reports whether there is nothing to see.
func (c *chart) empty() bool {
	for _, l := range c.lines {
		if len(l.points.XYs) > 0 || len(l.froze) > 0 {
			return false
		}
	}
	return true
}
