package model

import "fmt"

// Grid places the switches of a mesh, torus or hypercube on integer
// coordinates. Switch x + X*(y + Y*(z + ...)) is at (x, y, z, ...) unless Place
// says otherwise. Dimension 0 is x; its plus direction is E, that of y is N.
//
// Builders of grids number the ports alike: 1+2d leads in the plus direction of
// dimension d, 2+2d in the minus direction, hosts come after.
type Grid struct {
	Sides []int  // by dimension: how many coordinates there are
	Wrap  []bool // by dimension: the last is a neighbour of the first
	// Place gives the linear place of each switch where some places are empty
	// (a mesh with holes); nil: switch u is at place u. Ascending.
	Place []int
	at    map[int]SwitchID // by place, if Place is given
}

// Dims returns the number of dimensions.
func (g *Grid) Dims() int { return len(g.Sides) }

// place returns the linear place of switch u.
func (g *Grid) place(u SwitchID) int {
	if g.Place != nil {
		return g.Place[u]
	}
	return int(u)
}

// Coord returns the coordinate of switch u in dimension d.
func (g *Grid) Coord(u SwitchID, d int) int {
	p := g.place(u)
	for _, side := range g.Sides[:d] {
		p /= side
	}
	return p % g.Sides[d]
}

// Coords appends all coordinates of switch u to buf.
func (g *Grid) Coords(u SwitchID, buf []int) []int {
	p := g.place(u)
	for _, side := range g.Sides {
		buf = append(buf, p%side)
		p /= side
	}
	return buf
}

// At returns the switch at the given coordinates, NoSwitch for an empty place.
func (g *Grid) At(coords []int) SwitchID {
	p := 0
	for d := len(coords) - 1; d >= 0; d-- {
		p = p*g.Sides[d] + coords[d]
	}
	if g.Place == nil {
		return SwitchID(p)
	}
	if u, ok := g.at[p]; ok {
		return u
	}
	return NoSwitch
}

// PlusPort returns the port that leads along dimension d to greater coordinates.
func PlusPort(d int) Port { return Port(1 + 2*d) }

// MinusPort returns the one that leads to smaller coordinates.
func MinusPort(d int) Port { return Port(2 + 2*d) }

// PortDirection returns the dimension along which port p leads and whether in
// its plus direction; false where p is a host's port.
func (g *Grid) PortDirection(p Port) (d int, plus, ok bool) {
	if p < 1 || int(p) > 2*g.Dims() {
		return 0, false, false
	}
	return (int(p) - 1) / 2, p%2 == 1, true
}

// check returns what is wrong with the grid for a network of n switches.
func (g *Grid) check(n int) error {
	if len(g.Sides) == 0 || len(g.Wrap) != len(g.Sides) {
		return fmt.Errorf("a grid of %d sides and %d wraps", len(g.Sides), len(g.Wrap))
	}
	places := 1
	for _, side := range g.Sides {
		if side < 1 || places > 1<<40/side {
			return fmt.Errorf("a grid with sides %v", g.Sides)
		}
		places *= side
	}
	if g.Place == nil {
		if places != n {
			return fmt.Errorf("a grid of %d places for %d switches", places, n)
		}
		return nil
	}
	if len(g.Place) != n {
		return fmt.Errorf("a grid with %d of its places taken by %d switches", len(g.Place), n)
	}
	g.at = make(map[int]SwitchID, n)
	for u, p := range g.Place {
		if p < 0 || p >= places || u > 0 && p <= g.Place[u-1] {
			return fmt.Errorf("a grid in which switch %d is at place %d", u, p)
		}
		g.at[p] = SwitchID(u)
	}
	return nil
}
