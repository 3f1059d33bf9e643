package route

import "github.com/turnproof/turnproof/model"

// This file implements minimal odd-even routing.
//
// Promise: the turns east>north and east>south are prohibited in even columns, the turns
// north>west and south>west in odd columns. Every path is a shortest path. Source: G.-M. Chiu,
// The odd-even turn model for adaptive routing, IEEE TPDS 11(7), 2000, figure 3 (function
// ROUTE). Premises: a 2-D mesh, columns counted from 0; any number of VCs, all treated the
// same. Difference from the source: ROUTE asks whether the packet is in the column of its
// source. We ask whether the packet arrived eastward, which needs no header. Both give the same
// hops for packets of ROUTE: an eastbound packet in an even column that did not arrive eastward
// never left its column. Class: none.

func newOddEven(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh2(n, "odd-even")
	if err != nil {
		return nil, err
	}
	prefer := []dir{west, south, north, east} // the order of function ROUTE
	return newTurnModel(turnModel{lattice: g, choose: oddEven, prefer: prefer, mirrors: []int{1}}), nil
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
	if there%2 == 1 || there-here != 1 { // otherwise the remaining turn would be in an even column
		s |= set(east)
	}
	return s
}
