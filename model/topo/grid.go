package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds grids: meshes, tori, rings, lines and hypercubes.
//
// Promise: switch x + X*(y + Y*z) is at (x, y, z). Port 1+2d leads in the plus direction of
// dimension d, port 2+2d in the minus direction, and the ports of hosts follow (see
// model.Grid). Links are numbered by the switch that they leave in the plus direction, then by
// dimension. Channel 2l goes in the plus direction. A side of 2 with wraparound has two
// parallel links, a side of 1 has none. Source: Dally and Towles, Principles and Practices of
// Interconnection Networks, 2004, chapter 5.

// Mesh returns the mesh with the given sides, x first. Holes are failed
// switches (see Options.Fail and PlaceOf).
func Mesh(sides []int, o Options) (*model.Network, error) {
	return grid("mesh", sides, make([]bool, len(sides)), o)
}

// Torus returns the torus with the given sides, x first.
func Torus(sides []int, o Options) (*model.Network, error) {
	wrap := make([]bool, len(sides))
	for d := range wrap {
		wrap[d] = true
	}
	return Wrapped(sides, wrap, o)
}

// Wrapped returns the grid with the given sides, x first. Dimension d has wraparound if wrap[d]
// is set. It fails if the two lengths differ.
func Wrapped(sides []int, wrap []bool, o Options) (*model.Network, error) {
	if len(wrap) != len(sides) {
		return nil, fmt.Errorf("wraparound of %s, the grid has %s", plural(len(wrap), "dimension"), plural(len(sides), "dimension"))
	}
	rings := make([]bool, len(sides))
	for d, side := range sides {
		rings[d] = wrap[d] && side > 1
	}
	return grid("torus", sides, rings, o)
}

// FoldedTorus returns the torus with the given sides whose switches have the names of their places on a chip. Dimension d is folded if
// folded[d] is set: switch x is at place 2x in the first half and 2(k-x)-1 in the second half of a side of k, so that no link is
// longer than two places. The graph, the
// coordinates and the ports are those of the torus. Source: Dally and Towles, Principles and Practices of Interconnection Networks,
// 2004, section 5.3.
func FoldedTorus(sides []int, wrap, folded []bool, o Options) (*model.Network, error) {
	if len(folded) != len(sides) {
		return nil, fmt.Errorf("folds of %s, the grid has %s", plural(len(folded), "dimension"), plural(len(sides), "dimension"))
	}
	place := model.Grid{Sides: sides}
	o.name = func(u model.SwitchID) string {
		at := place.Coords(u, nil)
		for d, x := range at {
			if k := sides[d]; folded[d] && 2*x < k {
				at[d] = 2 * x
			} else if folded[d] {
				at[d] = 2*(k-x) - 1
			}
		}
		return "at" + dotted(at...)
	}
	return Wrapped(sides, wrap, o)
}

// Ring returns the torus of one dimension.
func Ring(switches int, o Options) (*model.Network, error) {
	return grid("ring", []int{switches}, []bool{switches > 1}, o)
}

// Line returns the mesh of one dimension.
func Line(switches int, o Options) (*model.Network, error) {
	return grid("line", []int{switches}, []bool{false}, o)
}

// Hypercube returns the mesh whose sides are all 2: bit d of a switch number is the coordinate
// in dimension d. A switch uses only one of the two ports of a dimension: plus if the bit is 0,
// minus if it is 1.
func Hypercube(dims int, o Options) (*model.Network, error) {
	if dims < 0 || dims > MaxDims {
		return nil, fmt.Errorf("a hypercube of %d dimensions, allowed are 0 to %d", dims, MaxDims)
	}
	sides := make([]int, max(dims, 1))
	for d := range sides {
		sides[d] = 2
	}
	if dims == 0 {
		sides[0] = 1
	}
	return grid("hypercube", sides, make([]bool, len(sides)), o)
}

// PlaceOf returns the number of the switch at the given coordinates of a grid without holes. It
// fails if the coordinates are outside the grid.
func PlaceOf(sides, coords []int) (model.SwitchID, error) {
	if len(coords) != len(sides) {
		return 0, fmt.Errorf("place %s has %s, the grid has %s", dotted(coords...), plural(len(coords), "coordinate"), plural(len(sides), "dimension"))
	}
	if n := product(sides...); n > MaxSwitches {
		return 0, fmt.Errorf("%s switches, allowed are %d", amount(n), MaxSwitches)
	}
	u := 0
	for d := len(sides) - 1; d >= 0; d-- {
		if coords[d] < 0 || coords[d] >= sides[d] {
			return 0, fmt.Errorf("place %s: coordinate %d is %d, allowed are 0 to %d", dotted(coords...), d+1, coords[d], sides[d]-1)
		}
		u = u*sides[d] + coords[d]
	}
	return model.SwitchID(u), nil
}

func checkSides(what string, sides []int) error {
	if len(sides) < 1 || len(sides) > MaxDims {
		return fmt.Errorf("a %s of %d dimensions, allowed are 1 to %d", what, len(sides), MaxDims)
	}
	for _, side := range sides {
		if side < 1 || side > MaxSwitches {
			return fmt.Errorf("a %s with side %d, allowed are 1 to %d", what, side, MaxSwitches)
		}
	}
	return nil
}

func grid(what string, sides []int, wrap []bool, o Options) (*model.Network, error) {
	if err := checkSides(what, sides); err != nil {
		return nil, err
	}
	n, hosts := product(sides...), o.hosts(1)
	s := size{switches: n, hosts: product(n, hosts), ports: 2*len(sides) + hosts}
	for d, side := range sides {
		across := side - 1
		if wrap[d] {
			across = side
		}
		s.links += product(n/side, across)
	}
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	d.name = o.name
	d.grid = &model.Grid{Sides: append([]int(nil), sides...), Wrap: wrap}
	d.gridLinks(sides, wrap)
	for u := range n {
		d.next[u] = model.PlusPort(len(sides)) // also where a dimension has no link
	}
	d.attachAll(hosts)
	return d.build()
}

// gridLinks links each switch to its neighbours in the plus directions.
func (d *draft) gridLinks(sides []int, wrap []bool) {
	at := make([]int, len(sides))
	for u := range d.next {
		stride := 1
		for dim, side := range sides {
			if p, q := model.PlusPort(dim), model.MinusPort(dim); at[dim] < side-1 {
				d.link(u, p, u+stride, q)
			} else if wrap[dim] {
				d.link(u, p, u-(side-1)*stride, q)
			}
			stride *= side
		}
		for dim := range at { // advance to the coordinates of switch u+1
			if at[dim]++; at[dim] < sides[dim] {
				break
			}
			at[dim] = 0
		}
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
