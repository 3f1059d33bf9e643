package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds grids of two dimensions with other links than those of a mesh. Ports: 1+2i leads in the plus direction of axis i, 2+2i in the minus
// direction, and the ports of hosts follow.
//
// Hexagonal grid: a part of the triangular grid in the shape of a parallelogram. Switch (x, y) is linked to (x+1, y), (x, y+1) and (x-1, y+1).
//
// Brick wall: a honeycomb in the shape of a rectangle. Switch (x, y) is linked to (x+1, y), and to (x, y+1) if x+y is even. Source of both: Stojmenović,
// Honeycomb networks: topological properties and communication algorithms, IEEE TPDS 8(10), 1997, section 2.

// HexGrid returns the hexagonal grid with two sides, x first.
func HexGrid(sides []int, o Options) (*model.Network, error) {
	return withAxes("hexagonal grid", sides, [][2]int{{1, 0}, {0, 1}, {-1, 1}}, o, func(int, int, int) bool { return true })
}

// BrickWall returns the brick wall with two sides, x first.
func BrickWall(sides []int, o Options) (*model.Network, error) {
	return withAxes("brick wall", sides, [][2]int{{1, 0}, {0, 1}}, o, func(x, y, axis int) bool { return axis == 0 || (x+y)%2 == 0 })
}

// withAxes returns a grid with links from (x, y) along each of the axes for which has reports true.
func withAxes(what string, sides []int, axes [][2]int, o Options, has func(x, y, axis int) bool) (*model.Network, error) {
	if err := checkSides(what, sides); err != nil {
		return nil, err
	}
	if len(sides) != 2 {
		return nil, fmt.Errorf("a %s with %d sides; want 2", what, len(sides))
	}
	n, hosts := product(sides...), o.hosts(1)
	d, err := newDraft(size{switches: n, links: product(n, len(axes)), hosts: product(n, hosts), ports: 2*len(axes) + hosts}, o)
	if err != nil {
		return nil, err
	}
	for u := range n {
		x, y := u%sides[0], u/sides[0]
		for i, by := range axes {
			if tx, ty := x+by[0], y+by[1]; tx >= 0 && tx < sides[0] && ty < sides[1] && has(x, y, i) {
				d.link(u, model.Port(1+2*i), tx+sides[0]*ty, model.Port(2+2*i))
			}
		}
		d.next[u] = model.Port(1 + 2*len(axes))
	}
	d.attachAll(hosts)
	place := model.Grid{Sides: sides}
	d.name = func(u model.SwitchID) string { return "s" + dotted(place.Coords(u, nil)...) }
	d.coordinates(&place)
	return d.build()
}
