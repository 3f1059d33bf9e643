package topo

import (
	"github.com/turnproof/turnproof/model"
)

// HyperX returns the network on a grid of the given sides in which two switches are linked if
// they differ in exactly one coordinate. Switch x + X*(y + Y*z) is at (x, y, z). Its ports are
// numbered by dimension, then by the coordinate of the neighbour; hosts follow. The network has
// no model.Grid, because its ports differ from those of a mesh.
//
// Source: Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing, and packaging of
// efficient large-scale networks, SC 2009, with K = 1.
func HyperX(sides []int, o Options) (*model.Network, error) {
	if err := checkSides("HyperX", sides); err != nil {
		return nil, err
	}
	n, hosts := product(sides...), o.hosts(1)
	s := size{switches: n, hosts: product(n, hosts), ports: hosts}
	for _, side := range sides {
		s.ports += side - 1
		s.links = min(s.links+product(n, side-1)/2, saturated)
	}
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	stride, base := 1, 0 // base is the number of ports of earlier dimensions
	for _, side := range sides {
		for u := range n {
			x := u / stride % side
			for y := x + 1; y < side; y++ {
				d.link(u, model.Port(base+y), u+(y-x)*stride, model.Port(base+x+1))
			}
		}
		d.permute(func(u int) int {
			x := u / stride % side
			return u + ((x+1)%side-x)*stride
		})
		stride *= side
		base += side - 1
	}
	d.attachAll(hosts)
	place := model.Grid{Sides: sides}
	d.name = func(u model.SwitchID) string { return "s" + dotted(place.Coords(u, nil)...) }
	return d.build()
}
