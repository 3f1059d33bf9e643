package route

import "github.com/turnproof/turnproof/model"

// This file implements minimal north-last routing.
//
// Promise: turns out of the north are prohibited (north>east, north>west), all other turns are
// allowed. Every path is a shortest path. Source: C. J. Glass and L. M. Ni, The turn model for
// adaptive routing, ISCA 1992, section 3. Premises: the same as for west-first. Class: none.

func newNorthLast(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh2(n, "north-last")
	if err != nil {
		return nil, err
	}
	return newTurnModel(turnModel{lattice: g, choose: northLast, anyInput: true, mirrors: []int{0}}), nil
}

func northLast(g *lattice, p place) dirSet {
	x, y := g.towards(p.u, p.v, 0), g.towards(p.u, p.v, 1)
	if y == north && x != noDir {
		return set(x)
	}
	return set(x, y)
}
