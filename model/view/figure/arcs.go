package figure

// This file computes the curves of arcs around nodes. An arc runs close to the outline of its
// node and takes the shorter direction from one line to the other. Where arcs would overlap,
// longer ones run further outside.

import (
	"cmp"
	"math"
	"slices"
)

// Lengths of arcs in points.
const (
	arcWidth = 1.5
	arcClear = 3.5  // distance of the tip of an arc from neighbouring lines
	arcTip   = 1.3  // distance between the tip of an arc and the line that it points at
	arcShort = 14.0 // a shorter arc is moved outwards, where lines are further apart
	maxMoved = 5    // maximum number of rings by which an arc is moved; then it bulges
)

// sweep is the course of an arc: it starts at angle from and turns by turn, both in radians
// along an ellipse, y downwards.
type sweep struct {
	arc        int
	from, turn float64
	ring       int // 0 is the innermost
}

// bends computes the curve of every arc.
func (s *sheet) bends() {
	s.arc = make([]run, len(s.g.Arcs))
	at := make(map[int][]int)
	var nodes []int
	for i, a := range s.g.Arcs {
		if at[a.At] == nil {
			nodes = append(nodes, a.At)
		}
		at[a.At] = append(at[a.At], i)
	}
	for _, node := range nodes {
		s.clear = s.headRoom(at[node])
		list := s.sweeps(node, at[node])
		step := s.ringStep(node, list)
		for _, w := range list {
			s.arc[w.arc].c = s.bend(node, w, s.ringHalf(node, float64(w.ring)*step))
		}
	}
}

// headRoom returns the distance of arcs from their node that keeps clear of the arrowheads of
// its lines.
func (s *sheet) headRoom(arcs []int) float64 {
	room := arcClear * s.arcUnit()
	for _, i := range arcs {
		for _, k := range []int{s.g.Arcs[i].In, s.g.Arcs[i].Out} {
			if e := &s.g.Edges[k]; e.Arrow {
				length, _ := head(s.width(e))
				room = max(room, length+3)
			}
		}
	}
	return room
}

// sweeps assigns a ring to each arc of a node: short arcs first, each on the innermost free
// ring.
func (s *sheet) sweeps(node int, arcs []int) []sweep {
	inner := s.ringHalf(node, 0)
	var list []sweep
	for _, i := range arcs {
		a := &s.g.Arcs[i]
		from, to := s.meets(node, a.In, inner), s.meets(node, a.Out, inner)
		list = append(list, sweep{arc: i, from: from, turn: math.Remainder(to-from, 2*math.Pi)})
	}
	slices.SortStableFunc(list, func(a, b sweep) int {
		return cmp.Compare(math.Round(1e4*math.Abs(a.turn)), math.Round(1e4*math.Abs(b.turn)))
	})
	step := s.fullStep()
	for i := range list {
		for list[i].ring < maxMoved && math.Abs(list[i].turn)*s.mean(node, float64(list[i].ring)*step) < arcShort*s.arcUnit() {
			list[i].ring++
		}
		for slices.ContainsFunc(list[:i], func(o sweep) bool { return o.ring == list[i].ring && list[i].meets(o) }) {
			list[i].ring++
		}
	}
	return list
}

// meets reports whether two arcs on one ring would overlap visibly.
func (w sweep) meets(o sweep) bool {
	middle := math.Remainder(w.from+w.turn/2-o.from-o.turn/2, 2*math.Pi)
	return math.Abs(middle) < (math.Abs(w.turn)+math.Abs(o.turn))/2-0.02
}

// ringHalf returns the half axes of the ring at distance out from the innermost ring.
func (s *sheet) ringHalf(node int, out float64) point {
	half, k := s.p.half[node], 1.2 // a box with its corners cut off
	if shape := s.g.Nodes[node].Shape; shape == Ellipse || shape == Dot || shape == Point || shape == Cross {
		k = 1
	}
	out += s.clear
	if r := max(half.x, half.y); r < 7 {
		out += max(18-r-s.clear, 0) // a dot is so small that an arrowhead would not fit around it
	}
	return point{k*half.x + out, k*half.y + out}
}

// arcUnit returns the factor by which arcs are larger than in a small drawing.
func (s *sheet) arcUnit() float64 { return math.Sqrt(s.unit) }

// ringStep returns the distance between rings: space for an arrowhead, or less if the outermost
// ring would come close to another node.
func (s *sheet) ringStep(node int, list []sweep) float64 {
	step, rings := s.fullStep(), 0
	for _, w := range list {
		rings = max(rings, w.ring)
	}
	inner, room := s.ringHalf(node, 0), math.Inf(1)
	for i, q := range s.p.at {
		if d := q.sub(s.p.at[node]); i != node && s.g.Nodes[i].Shape != Point {
			gap := max(math.Abs(d.x)-s.p.half[i].x-inner.x, math.Abs(d.y)-s.p.half[i].y-inner.y)
			room = min(room, gap)
		}
	}
	if rings > 0 {
		step = min(step, max(room/float64(rings), 0.4*step))
	}
	return step
}

// fullStep returns the distance between rings that leaves space for an arrowhead.
func (s *sheet) fullStep() float64 {
	_, h := head(arcWidth * s.arcUnit())
	return 2*h + 0.8
}

// mean returns the mean radius of a ring.
func (s *sheet) mean(node int, out float64) float64 {
	half := s.ringHalf(node, out)
	return (half.x + half.y) / 2
}

// meets returns the angle at which an edge crosses the ellipse around a node.
func (s *sheet) meets(node, edge int, half point) float64 {
	c, at := s.runs[edge].c, s.p.at[node]
	if s.g.Edges[edge].From != node {
		c = c.reversed()
	}
	p := c.at(c.leaves(func(q point) bool {
		d := q.sub(at)
		return d.x*d.x/(half.x*half.x)+d.y*d.y/(half.y*half.y) < 1
	})).sub(at)
	return math.Atan2(p.y/half.y, p.x/half.x)
}

// bend returns the curve of an arc on its ring, from beside one line to beside the other.
func (s *sheet) bend(node int, w sweep, half point) curve {
	a := &s.g.Arcs[w.arc]
	from := s.meets(node, a.In, half)
	turn := math.Remainder(s.meets(node, a.Out, half)-from, 2*math.Pi)
	if turn*w.turn < 0 && math.Abs(turn) > math.Pi/2 { // keep half turns on the same side on every ring
		turn += math.Copysign(2*math.Pi, w.turn)
	}
	gap := min(arcTip*s.arcUnit()/min(half.x, half.y), math.Abs(turn)/8)
	from, turn = from+math.Copysign(gap, turn), turn-math.Copysign(2*gap, turn)
	c := ellipseArc(s.p.at[node], half, from, turn)
	short := arcShort * s.arcUnit()
	if a.Both {
		short *= 1.4
	}
	if d := short - c.length(); d > 0 && len(c) == 4 {
		// An arc that is too short for an arrowhead bulges away from the node.
		out := c.at(0.5).sub(s.p.at[node]).unit().times(0.75 * d)
		c[1], c[2] = c[1].add(out), c[2].add(out)
	}
	return c
}

// ellipseArc returns part of an ellipse as Bézier curves, one for each sixth of the ellipse.
func ellipseArc(at, half point, from, turn float64) curve {
	k := max(int(math.Ceil(math.Abs(turn)/(math.Pi/3))), 1)
	t := turn / float64(k)
	reach := 4.0 / 3 * math.Tan(t/4)
	on := func(a float64) (p, d point) {
		sin, cos := math.Sincos(a)
		return at.add(point{half.x * cos, half.y * sin}), point{-half.x * sin, half.y * cos}.times(reach)
	}
	p, d := on(from)
	c := curve{p}
	for i := range k {
		q, e := on(from + t*float64(i+1))
		c = append(c, p.add(d), q.sub(e), q)
		p, d = q, e
	}
	return c
}

// writeArc draws an arc with its arrowheads, on top of a wider white line that separates it from
// the lines that it crosses.
func (s *sheet) writeArc(b pen, i int) {
	a, c := &s.g.Arcs[i], s.arc[i].c
	width := arcWidth * s.arcUnit()
	if a.Width > 0 {
		width = a.Width * s.arcUnit()
	}
	length, half := head(width)
	// An arrowhead takes at most a third of the arc.
	if k := c.length() / 3 / length; k < 1 {
		length, half = length*k, half*max(k, 0.6)
	}
	color := a.Color.or(Vermillion)
	b.item(a.Tooltip, "", func() {
		tip, start := c[len(c)-1], c[0]
		body := c.trimmed(length)
		end := body[len(body)-1]
		if a.Both {
			body = body.reversed().trimmed(length).reversed()
		}
		b.line(body, white, width+2, Solid)
		b.line(body, color, width, a.Style)
		arrowhead(b, color, tip, end, half)
		if a.Both {
			arrowhead(b, color, start, body[0], half)
		}
	})
}
