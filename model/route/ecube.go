package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is e-cube routing on a hypercube: the differing address bits are
// set right in a fixed order, lowest first unless Options.Order says otherwise.
//
// Source: H. Sullivan and T. R. Bashkow, A large scale, homogeneous, fully
// distributed parallel machine, ISCA 1977; deadlock freedom: W. J. Dally and
// C. L. Seitz, IEEE Trans. Computers C-36(5), 1987.
// Premises: a mesh all of whose sides are 2; any number of VCs, used alike.
// Class: none.

func newECube(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh(n, "e-cube")
	if err != nil {
		return nil, err
	}
	for d, side := range g.sides {
		if side != 2 {
			return nil, fmt.Errorf("route: e-cube needs a hypercube, side %d of this mesh is %d", d, side)
		}
	}
	return newDOR(n, Options{Order: o.Order})
}
