package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements minimal North-First routing (NF). The turns right>up and left>up are
// prohibited, so a packet goes north first.
//
// Source: section 3.2 of the NF+1 paper (see nf1.go), after C. J. Glass and L. M. Ni, ISCA
// 1992. NF is west-first rotated by 90 degrees. On a mesh NF treats all VCs the same and is
// free of deadlock. On a torus NF is NF+1 with the third turn released and with the VC changes
// of NF+1 (with one VC, without changes). It is not free of deadlock there: figure 4 of the
// paper shows this as the reason for NF+1. Premises of deadlock freedom: a 2-D mesh. Class:
// none.

func newNF(n *model.Network, o Options) (model.Relation, error) {
	g, err := newLattice(n, "nf")
	switch {
	case err != nil:
		return nil, err
	case g.dims != 2 || g.wrap[0] != g.wrap[1]:
		return nil, fmt.Errorf("route: nf needs a mesh or torus of two dimensions")
	case g.isMesh() && o.NF != NFOptions{}:
		return nil, fmt.Errorf("route: the NF options of nf need a torus; this network is a mesh")
	case g.isMesh():
		return newTurnModel(turnModel{lattice: g, choose: northFirstOnMesh, prefer: []dir{south, north, west, east}}), nil
	}
	o.NF.ReleaseRightDown = true
	return makeNF(g, o.NF), nil
}

func northFirstOnMesh(g *lattice, p place) dirSet {
	x, y := g.towards(p.u, p.v, 0), g.towards(p.u, p.v, 1)
	if y == north {
		return set(north)
	}
	return set(x, y)
}
