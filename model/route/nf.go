package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is North-First (NF): turns right>up and left>up are prohibited, so
// way to the north is gone first. Minimal.
//
// Source: section 3.2 of the NF+1 paper (see nf1.go), after C. J. Glass and
// L. M. Ni, ISCA 1992, whose west-first it is, turned by a right angle.
// On a mesh it is used on every VC alike and deadlock-free. On a torus it is
// NF+1 with the third turn released, with NF+1's change of VCs (with one VC,
// without), and is not: that is the paper's figure 4 and the reason for the +1.
// Premises of deadlock freedom: a 2-D mesh.
// Class: none.

func newNF(n *model.Network, o Options) (model.Relation, error) {
	g, err := newLattice(n, "nf")
	switch {
	case err != nil:
		return nil, err
	case g.dims != 2 || g.wrap[0] != g.wrap[1]:
		return nil, fmt.Errorf("route: nf needs a mesh or torus of two dimensions")
	case g.isMesh() && o.NF != NFOptions{}:
		return nil, fmt.Errorf("route: the readings of nf are for a torus, this is a mesh")
	case g.isMesh():
		return newTurnModel(g, northFirstOnMesh), nil
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
