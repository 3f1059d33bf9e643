package figure

// This file has the positions of nodes on a sheet.

import "slices"

// placement has the positions of nodes in points, y downwards.
type placement struct {
	at      []point
	half    []point
	splines map[int]curve // by edge of a Flow layout: its course
	badge   float64       // font size of labels, in a drawing that is fitted to a width
	scale   point         // factor by which distances were reduced, see fit.go
}

func (p *placement) clone() *placement {
	q := &placement{at: slices.Clone(p.at), half: slices.Clone(p.half), splines: p.splines, scale: point{1, 1}, badge: p.badge}
	return q
}

// scaled returns the placement with all positions multiplied by k.
func (p *placement) scaled(k point) *placement {
	q := p.clone()
	by := func(at point) point { return point{at.x * k.x, at.y * k.y} }
	for i := range q.at {
		q.at[i] = by(q.at[i])
	}
	q.scale, q.splines = k, make(map[int]curve, len(p.splines))
	for i, c := range p.splines {
		d := make(curve, len(c))
		for j, at := range c {
			d[j] = by(at)
		}
		q.splines[i] = d
	}
	return q
}

// corners returns the corners of the bounding box of all positions.
func (p *placement) corners() (lo, hi point) {
	for i, q := range p.at {
		if i == 0 {
			lo, hi = q, q
		}
		lo = point{min(lo.x, q.x), min(lo.y, q.y)}
		hi = point{max(hi.x, q.x), max(hi.y, q.y)}
	}
	return lo, hi
}
