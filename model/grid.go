package model

import "fmt"

// Grid places the switches of a mesh, torus or hypercube on integer coordinates. If Place is
// nil, switch x + X*(y + Y*(z + ...)) is at (x, y, z, ...). Dimension 0 is x. The plus
// direction of x is E, the plus direction of y is N.
//
// All builders of grids number the ports in the same order: port 1+2d leads in the plus
// direction of dimension d, port 2+2d in the minus direction, and the ports of hosts follow.
type Grid struct {
	Sides []int  // by dimension: the number of coordinates
	Wrap  []bool // by dimension: whether the last coordinate is a neighbour of the first
	// Place is the linear position of each switch, ascending, for a grid with holes. If nil,
	// switch u is at position u.
	Place []int
	at    map[int]SwitchID // by position, if Place is given
}

// Dims returns the number of dimensions.
func (g *Grid) Dims() int { return len(g.Sides) }

// place returns the linear position of switch u.
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

// At returns the switch at the given coordinates, or NoSwitch if the position is empty.
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

// PlusPort returns the port that leads to greater coordinates in dimension d.
func PlusPort(d int) Port { return Port(1 + 2*d) }

// MinusPort returns the port that leads to smaller coordinates in dimension d.
func MinusPort(d int) Port { return Port(2 + 2*d) }

// PortDirection returns the dimension of port p and whether p leads in the plus direction. It
// returns ok false if p is the port of a host.
func (g *Grid) PortDirection(p Port) (d int, plus, ok bool) {
	if p < 1 || int(p) > 2*g.Dims() {
		return 0, false, false
	}
	return (int(p) - 1) / 2, p%2 == 1, true
}

// check returns an error if the grid does not fit a network of n switches.
func (g *Grid) check(n int) error {
	if len(g.Sides) == 0 || len(g.Wrap) != len(g.Sides) {
		return fmt.Errorf("grid has %d sides but %d wraps", len(g.Sides), len(g.Wrap))
	}
	places := 1
	for _, side := range g.Sides {
		if side < 1 || places > 1<<40/side {
			return fmt.Errorf("grid sides %v are out of range", g.Sides)
		}
		places *= side
	}
	if g.Place == nil {
		if places != n {
			return fmt.Errorf("grid has %d positions for %d switches", places, n)
		}
		return nil
	}
	if len(g.Place) != n {
		return fmt.Errorf("grid has positions of %d switches; want %d", len(g.Place), n)
	}
	g.at = make(map[int]SwitchID, n)
	for u, p := range g.Place {
		if p < 0 || p >= places || u > 0 && p <= g.Place[u-1] {
			return fmt.Errorf("position of switch %d is %d; want ascending positions within the grid", u, p)
		}
		g.at[p] = SwitchID(u)
	}
	return nil
}

// symmetries returns the permutations of n switches at positions 0..n-1 that shift or reflect one coordinate, or
// exchange two.
func (g *Grid) symmetries(n int) (list [][]SwitchID) {
	add := func(change func(at []int)) {
		image, at := make([]SwitchID, n), []int(nil)
		for u := range image {
			at = g.Coords(SwitchID(u), at[:0])
			change(at)
			image[u] = g.At(at)
		}
		list = append(list, image)
	}
	for d, side := range g.Sides {
		if side < 2 {
			continue
		}
		if g.Wrap[d] {
			add(func(at []int) { at[d] = (at[d] + 1) % side })
		}
		add(func(at []int) { at[d] = side - 1 - at[d] })
		for e := range d {
			if g.Sides[e] == side && g.Wrap[e] == g.Wrap[d] {
				add(func(at []int) { at[d], at[e] = at[e], at[d] })
			}
		}
	}
	return list
}
