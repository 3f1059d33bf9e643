package route

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file implements dimension-order routing by VLANs on a mesh, the DOR VLAN set.
//
// Source: T. Otsuka, M. Koibuchi, A. Jouraku, T. Kudoh and H. Amano, Path assignment methods in
// VLAN-based multi-path Ethernet, section 3.2. Class: the VLAN of the source's line along the
// first dimension.

func newVLANDOR(n *model.Network, o Options) (model.Relation, error) {
	s, err := vlan.DimensionOrder(n.WithVCs(1), o.Order, 2)
	if err != nil {
		return nil, err
	}
	return s.Relation(), nil
}
