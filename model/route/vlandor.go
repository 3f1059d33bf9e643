package route

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file is dimension order by VLANs: the DOR VLAN set of a mesh.
//
// Source: T. Otsuka, M. Koibuchi, A. Jouraku, T. Kudoh and H. Amano, Path
// assignment methods in VLAN-based multi-path Ethernet, section 3.2.
// Class: the VLAN that the source's line along the first dimension has.

func newVLANDOR(n *model.Network, o Options) (model.Relation, error) {
	s, err := vlan.DimensionOrder(n.WithVCs(1), o.Order, 2)
	if err != nil {
		return nil, err
	}
	return s.Relation(), nil
}
