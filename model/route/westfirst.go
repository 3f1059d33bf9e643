package route

import "github.com/turnproof/turnproof/model"

// This file implements minimal west-first routing.
//
// Promise: turns to the west are prohibited (north>west, south>west), all other turns are
// allowed. Every path is a shortest path. Source: C. J. Glass and L. M. Ni, The turn model for
// adaptive routing, ISCA 1992, section 3 (JACM 41(5), 1994). Premises of their theorem: a 2-D
// mesh; any number of VCs, all treated the same. Class: none.

func newWestFirst(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh2(n, "west-first")
	if err != nil {
		return nil, err
	}
	return newTurnModel(turnModel{lattice: g, choose: westFirst, anyInput: true, mirrors: []int{1}}), nil
}

func westFirst(g *lattice, p place) dirSet {
	x, y := g.towards(p.u, p.v, 0), g.towards(p.u, p.v, 1)
	if x == west {
		return set(west)
	}
	return set(x, y)
}
