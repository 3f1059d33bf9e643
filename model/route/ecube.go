package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements e-cube routing on a hypercube. A packet corrects the differing address
// bits in a fixed order, lowest bit first unless Options.Order is given.
//
// Source: H. Sullivan and T. R. Bashkow, A large scale, homogeneous, fully distributed parallel
// machine, ISCA 1977; deadlock freedom: W. J. Dally and C. L. Seitz, IEEE Trans. Computers
// C-36(5), 1987. Premises: a mesh with 2 switches in each dimension; any number of VCs, all
// treated the same. Class: none.

func newECube(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh(n, "e-cube")
	if err != nil {
		return nil, err
	}
	for d, side := range g.sides {
		if side != 2 {
			return nil, fmt.Errorf("route: e-cube needs a hypercube; dimension %d of this mesh has %d switches", d, side)
		}
	}
	return newDOR(n, Options{Order: o.Order})
}
