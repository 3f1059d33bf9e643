package topo

import (
	"github.com/turnproof/turnproof/model"
)

// HyperX returns the network on a grid of the given sides in which switches
// that differ in one coordinate are linked. Switch x + X*(y + Y*z) is at
// (x, y, z); its ports go through the dimensions in order, and in each through
// the other coordinates in order; hosts come after. It has no model.Grid,
// whose ports are those of meshes.
//
// Source: Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing,
// and packaging of efficient large-scale networks, SC 2009, with K = 1.
func HyperX(sides []int, o Options) (*model.Network, error) {
	if err := checkSides("HyperX", sides); err != nil {
		return nil, err
	}
	n, hosts := product(sides...), o.hosts(1)
	s := size{switches: n, hosts: product(n, hosts), ports: hosts}
	for _, side := range sides {
		s.ports += side - 1
		s.links = min(s.links+product(n, side-1)/2, many)
	}
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	stride, base := 1, 0 // base: ports of the dimensions before
	for _, side := range sides {
		for u := range n {
			x := u / stride % side
			for y := x + 1; y < side; y++ {
				d.link(u, model.Port(base+y), u+(y-x)*stride, model.Port(base+x+1))
			}
		}
		stride *= side
		base += side - 1
	}
	d.attachAll(hosts)
	place := model.Grid{Sides: sides}
	d.name = func(u model.SwitchID) string { return "s" + dotted(place.Coords(u, nil)...) }
	return d.build()
}
