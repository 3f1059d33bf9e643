package figure

// This file computes the positions of the known structures, in units of about the distance of two neighbours.

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Distances relative to that of two neighbours.
const (
	blockGap    = 1.3  // distance of two blocks: cubes, chiplets
	turned      = 0.2  // slope of the lines between blocks, so that they pass beside switches
	partGap     = 3.0  // distance of the two parts of a Slim Fly
	columnApart = 1.9  // distance of columns with arcs beside them
	obliqueX    = 0.45 // offset of the third dimension
	obliqueY    = 0.27
	flattened   = 1.3 // width of an ellipse relative to its height
	beneath     = 0.5 // offset of the interposer below chiplets, to the left and downwards
)

// gridPlan places the switches of a grid by GridPosition.
func gridPlan(n *model.Network) *plan {
	if n.Grid() == nil {
		return nil
	}
	p := &plan{at: make([]point, n.NumSwitches())}
	place := GridPosition(n)
	for u := range p.at {
		p.at[u].x, p.at[u].y, _ = place(model.SwitchID(u))
	}
	p.straight = n.Grid().Dims() > 3
	return p
}

// coordinatePlan places switches by the attributes x, y and z. HyperX, express meshes and twisted tori have them.
func coordinatePlan(n *model.Network) *plan {
	names := []string{"x", "y", "z"}
	if n.Attribute("z") == nil {
		names = names[:2]
	}
	values := attributesOf(n, names...)
	if values == nil {
		return nil
	}
	for axis, v := range values {
		if span := int64(slices.Max(v)) - int64(slices.Min(v)); span > 10*int64(len(v)) { // gaps would hide the rest
			values[axis] = make([]int32, len(v))
			rank, _ := indices(v)
			for u := range v {
				values[axis][u] = int32(rank[u])
			}
		}
	}
	p := &plan{at: make([]point, n.NumSwitches()), aligned: true}
	deep := 1.0
	if len(values) > 2 {
		deep = float64(slices.Max(values[2])) - float64(slices.Min(values[2])) + 1
	}
	for u := range p.at {
		p.at[u] = point{float64(values[0][u]), float64(values[1][u])}
		if len(values) > 2 {
			z := 2 * (float64(values[2][u]) - float64(slices.Min(values[2]))) / deep
			p.at[u] = p.at[u].add(point{obliqueX * z, obliqueY * z})
		}
	}
	along := [2]float64{} // the most places that a link along x or y passes over
	for l := range model.LinkID(n.NumLinks()) {
		a, b := p.at[n.Link(l).A], p.at[n.Link(l).B]
		switch d := a.sub(b); {
		case d.y == 0:
			along[0] = max(along[0], math.Abs(d.x)-1)
		case d.x == 0:
			along[1] = max(along[1], math.Abs(d.y)-1)
		}
	}
	p.extra = point{bendRoom(along[1]), bendRoom(along[0])}
	return p
}

// bendRoom returns the additional space in inches on either side of switches around which lines bend that pass over k of them. See planned.
func bendRoom(k float64) float64 {
	if k <= 0 {
		return 0
	}
	return 10 * k / (1 + k/8) / 2 / 72
}

// groupPlan places the groups of a dragonfly on an ellipse, with the switches of a group side by side. Switches with a
// higher level are on a smaller ellipse, so the spines of a dragonfly+ face each other.
func groupPlan(n *model.Network) *plan {
	values := attributesOf(n, "group")
	if values == nil {
		return nil
	}
	group, groups := indices(values[0])
	if groups < 2 || groups == n.NumSwitches() {
		return nil
	}
	level, levels := make([]int, n.NumSwitches()), 1
	if l := attributesOf(n, "level"); l != nil {
		level, levels = indices(l[0])
	}
	rows := make([][][]int, groups) // by group and level: its switches
	for g := range rows {
		rows[g] = make([][]int, levels)
	}
	for u, g := range group {
		rows[g][level[u]] = append(rows[g][level[u]], u)
	}
	p := &plan{at: make([]point, n.NumSwitches()), round: true, group: group, tight: 0.15}
	const between = 0.8 // gap between groups
	slots, around := make([]float64, groups), 0.0
	for g := range rows {
		for _, row := range rows[g] {
			slots[g] = max(slots[g], float64(len(row)))
		}
		around += slots[g] + between
	}
	inner := max(around/(2*math.Pi), 1.6)
	at := -slots[0] / 2 // group 0 is at the top
	for g := range rows {
		for l, row := range rows[g] {
			for i, u := range row {
				sin, cos := math.Sincos(2 * math.Pi * (at + (float64(i)+0.5)*slots[g]/float64(len(row))) / around)
				p.at[u] = point{flattened * sin, cos}.times(inner + 1.6*float64(levels-1-l))
			}
		}
		at += slots[g] + between
	}
	return p
}

// slimFlyPlan places the two parts of a Slim Fly side by side, each as columns of equal x.
func slimFlyPlan(n *model.Network) *plan {
	values := attributesOf(n, "part", "x", "y")
	if values == nil {
		return nil
	}
	part, _ := indices(values[0])
	x, columns := indices(values[1])
	y, _ := indices(values[2])
	p := &plan{at: make([]point, n.NumSwitches()), straight: true, group: part, pale: true}
	for u := range p.at {
		p.at[u] = point{columnApart*float64(x[u]) + (columnApart*float64(columns-1)+partGap)*float64(part[u]), -float64(y[u])}
	}
	return p
}

// butterflyPlan places the stages of a butterfly from left to right.
func butterflyPlan(n *model.Network) *plan {
	values := attributesOf(n, "stage", "row")
	if values == nil {
		return nil
	}
	stage, _ := indices(values[0])
	row, rows := indices(values[1])
	p := &plan{at: make([]point, n.NumSwitches()), straight: true}
	apart := min(max(2.4, 0.4*float64(rows)), 12)
	for u := range p.at {
		p.at[u] = point{apart * float64(stage[u]), -float64(row[u])}
	}
	return p
}

// ringPlan places the switches of a ring on a circle, clockwise, the first one at the upper left. Graphviz can draw a ring with lines that cross.
func ringPlan(n *model.Network) *plan {
	order, last := []model.SwitchID{0}, model.NoSwitch
	for len(order) <= n.NumSwitches() {
		u := order[len(order)-1]
		var near []model.SwitchID
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && !slices.Contains(near, n.Head(c)) {
				near = append(near, n.Head(c))
			}
		}
		if len(near) != 2 {
			return nil
		}
		next := near[0]
		if next == last {
			next = near[1]
		}
		if last = u; next == 0 {
			break
		}
		order = append(order, next)
	}
	if len(order) != n.NumSwitches() || len(order) < 4 {
		return nil
	}
	p, place := &plan{at: make([]point, len(order))}, clockwise(len(order))
	for k, u := range order {
		p.at[u].x, p.at[u].y, _ = place(model.SwitchID(k))
		p.at[u] = p.at[u].times(0.5 / math.Sin(math.Pi/float64(len(order))))
	}
	return p
}

// cubeCyclesPlan places each ring of cube-connected cycles at its corner of the hypercube. A switch is on the side of its ring to
// which its link to another ring leads.
func cubeCyclesPlan(n *model.Network) *plan {
	values := attributesOf(n, "cube", "position")
	if values == nil {
		return nil
	}
	position, size := indices(values[1])
	if size < 3 || size > 20 || slices.Min(values[0]) < 0 || int(slices.Max(values[0])) >= 1<<size {
		return nil
	}
	rank := make([]int, size) // of a dimension by its direction: right, oblique, up
	next := 0
	for _, direction := range []int{0, 2, 1} {
		for d := direction; d < size; d += 3 {
			rank[d] = next
			next++
		}
	}
	p := &plan{at: make([]point, n.NumSwitches()), straight: true}
	radius := 0.5 / math.Sin(math.Pi/2/float64(size))
	at, corner := make([]int, size), nestedPlaces(slices.Repeat([]int{2}, size))
	for u := range p.at {
		for d := range at {
			at[d] = int(values[0][u]) >> d & 1
		}
		angle := math.Pi * (float64(rank[position[u]])/float64(size) - 1.0/6 + float64(at[position[u]]))
		sin, cos := math.Sincos(angle)
		p.at[u] = corner(at).times(6 * radius).add(point{cos, sin}.times(radius))
	}
	return p
}
