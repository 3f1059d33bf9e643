package route

import "github.com/turnproof/turnproof/model"

// This file implements minimal negative-first routing on a mesh of any number of dimensions.
//
// Promise: turns from a plus to a minus direction are prohibited, all other turns are allowed.
// Every path is a shortest path. Source: C. J. Glass and L. M. Ni, The turn model for adaptive
// routing, ISCA 1992, sections 3 and 4 (n dimensions). Premises: a mesh; any number of VCs, all
// treated the same. Class: none.

func newNegativeFirst(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "negative-first")
	if err != nil {
		return nil, err
	}
	return newTurnModel(turnModel{lattice: g, choose: negativeFirst, anyInput: true}), nil
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
