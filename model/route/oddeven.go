package route

import "github.com/turnproof/turnproof/model"

// This file is odd-even routing, minimal.
//
// Promise: no turn east>north or east>south in an even column, none of
// north>west and south>west in an odd one; every path is a shortest one.
// Source: G.-M. Chiu, The odd-even turn model for adaptive routing, IEEE TPDS
// 11(7), 2000, figure 3 (function ROUTE).
// Premises: a 2-D mesh, columns counted from 0; any number of VCs, used alike.
// Where we leave the source: ROUTE asks whether the packet is in its source's
// column; we ask whether it came eastward, which is the same for packets that
// ROUTE sends and needs no header. (A packet bound eastward that stands in an
// even column and did not come eastward never left its source's column.)
// Class: none.

func newOddEven(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh2(n, "odd-even")
	if err != nil {
		return nil, err
	}
	return newTurnModel(g, oddEven), nil
}

func oddEven(g *lattice, p place) dirSet {
	x, y := g.towards(p.u, p.v, 0), g.towards(p.u, p.v, 1)
	here, there := g.at(p.u, 0), g.at(p.v, 0)
	odd := here%2 == 1
	switch {
	case x == noDir || y == noDir:
		return set(x, y)
	case x == west:
		if odd {
			return set(west)
		}
		return set(west, y)
	}
	var s dirSet
	if odd || g.dirOf(p.in) != east {
		s |= set(y)
	}
	if there%2 == 1 || there-here != 1 { // else the turn that is left would be in an even column
		s |= set(east)
	}
	return s
}
