package figure

// This file has the geometry of lines, in points with y downwards.

import "math"

type point struct{ x, y float64 }

func (p point) add(q point) point           { return point{p.x + q.x, p.y + q.y} }
func (p point) sub(q point) point           { return point{p.x - q.x, p.y - q.y} }
func (p point) times(k float64) point       { return point{p.x * k, p.y * k} }
func (p point) to(q point, t float64) point { return p.add(q.sub(p).times(t)) }
func (p point) len() float64                { return math.Hypot(p.x, p.y) }

// unit returns p with length 1. If p has no length, the result points to the right.
func (p point) unit() point {
	if l := p.len(); l > 1e-9 {
		return p.times(1 / l)
	}
	return point{1, 0}
}

// left returns the unit normal on the left of direction p.
func (p point) left() point { u := p.unit(); return point{u.y, -u.x} }

// curve is a chain of k cubic Bézier curves, as 1+3k points.
type curve []point

// bowed returns the curve from a to b that bends to its left by h.
func bowed(a, b point, h float64) curve {
	n, d := b.sub(a).left().times(h*4/3), b.sub(a)
	reach := 0.3
	if h != 0 {
		reach = 0.1 // gives steep ends and a flat middle, to pass around neighbours
	}
	return curve{a, a.add(d.times(reach)).add(n), b.sub(d.times(reach)).add(n), b}
}

// selfLoop returns a line from the right side of a node back to it.
func selfLoop(at, half point) curve {
	x, r := at.x+half.x-2, 26.0
	return curve{{x, at.y - 6}, {x + r, at.y - r}, {x + r, at.y + r}, {x, at.y + 6}}
}

// at returns the point at parameter t, from 0 to the number of Bézier curves.
func (c curve) at(t float64) point {
	i := min(int(t), len(c)/3-1)
	t -= float64(i)
	p := c[3*i:]
	u := 1 - t
	return p[0].times(u * u * u).add(p[1].times(3 * u * u * t)).add(p[2].times(3 * u * t * t)).add(p[3].times(t * t * t))
}

// end returns the largest parameter.
func (c curve) end() float64 { return float64(len(c) / 3) }

// along returns the point and the direction at a fraction of the parameter.
func (c curve) along(f float64) (at, dir point) {
	t := f * c.end()
	a, b := c.at(max(t-0.01, 0)), c.at(min(t+0.01, c.end()))
	return c.at(t), b.sub(a).unit()
}

// before and after return the parts of c up to t and from t on.
func (c curve) before(t float64) curve {
	i := min(int(t), len(c)/3-1)
	t -= float64(i)
	p := c[3*i:]
	a, b, d := p[0].to(p[1], t), p[1].to(p[2], t), p[2].to(p[3], t)
	e, f := a.to(b, t), b.to(d, t)
	return append(append(curve{}, c[:3*i+1]...), a, e, e.to(f, t))
}

func (c curve) after(t float64) curve { return c.reversed().before(c.end() - t).reversed() }

func (c curve) reversed() curve {
	r := make(curve, len(c))
	for i, p := range c {
		r[len(c)-1-i] = p
	}
	return r
}

// shifted returns a single cubic, moved to its left by d in the middle and by ends at both ends.
func (c curve) shifted(d, ends float64) curve {
	n, m, chord := c[1].sub(c[0]).left(), c[3].sub(c[2]).left(), c[3].sub(c[0]).left()
	// The steeper the ends are, the longer is the distance to the flat part.
	flat := chord.times(d * 1.3 * (1 - n.x*chord.x - n.y*chord.y))
	return curve{c[0].add(n.times(ends)), c[1].add(n.times(d)).add(flat), c[2].add(m.times(d)).add(flat), c[3].add(m.times(ends))}
}

// samples returns k+1 points of c at equal steps of the parameter.
func (c curve) samples(k int) []point {
	list := make([]point, k+1)
	for i := range list {
		list[i] = c.at(c.end() * float64(i) / float64(k))
	}
	return list
}

// leaves returns the parameter at which c leaves the area in which it begins and for which inside
// returns true. It returns 0 if c begins outside.
func (c curve) leaves(inside func(point) bool) float64 {
	if !inside(c[0]) {
		return 0
	}
	const steps = 48
	lo, hi := 0.0, c.end()
	for i := range steps {
		if t := c.end() * float64(i+1) / steps; !inside(c.at(t)) {
			lo, hi = c.end()*float64(i)/steps, t
			break
		}
	}
	for range 20 {
		if mid := (lo + hi) / 2; inside(c.at(mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// trimmed removes the part of c within distance r of its end.
func (c curve) trimmed(r float64) curve {
	end := c[len(c)-1]
	back := c.reversed()
	t := back.leaves(func(p point) bool { return p.sub(end).len() < r })
	return back.after(min(t, c.end()*0.9)).reversed()
}

// length returns the approximate length of c.
func (c curve) length() float64 {
	l, at := 0.0, c.samples(16*len(c)/3)
	for i := 1; i < len(at); i++ {
		l += at[i].sub(at[i-1]).len()
	}
	return l
}
