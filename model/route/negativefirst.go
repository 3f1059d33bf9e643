package route

import "github.com/turnproof/turnproof/model"

// This file is negative-first routing, minimal, on a mesh of any dimensions.
//
// Promise: turns from a plus to a minus direction are prohibited, all others
// stay; every path is a shortest one.
// Source: C. J. Glass and L. M. Ni, The turn model for adaptive routing, ISCA
// 1992, sections 3 and 4 (n dimensions).
// Premises: a mesh; any number of VCs, used alike.
// Class: none.

func newNegativeFirst(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "negative-first")
	if err != nil {
		return nil, err
	}
	return newTurnModel(g, negativeFirst), nil
}

func negativeFirst(g *lattice, p place) dirSet {
	var minus, plus dirSet
	for d := range g.dims {
		switch a := g.towards(p.u, p.v, d); {
		case a == noDir:
		case a.minus():
			minus |= set(a)
		default:
			plus |= set(a)
		}
	}
	if minus != 0 {
		return minus
	}
	return plus
}
