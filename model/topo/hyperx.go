package topo

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// HyperX returns the network on a grid of the given sides in which two switches are linked if
// they differ in exactly one coordinate, by links[d] parallel links if they differ in dimension d. If links is nil, there is one
// each; a single number applies to all dimensions. Switch x + X*(y + Y*z) is at (x, y, z). Its ports are
// numbered by dimension, then by the coordinate of the neighbour, then by parallel link; hosts follow. The network has
// no model.Grid, because its ports differ from those of a mesh.
//
// Source: Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing, and packaging of
// efficient large-scale networks, SC 2009, section 3: L dimensions, S switches in each, K links between two switches.
func HyperX(sides, links []int, o Options) (*model.Network, error) {
	if err := checkSides("HyperX", sides); err != nil {
		return nil, err
	}
	links, err := completeLinks(links, len(sides))
	if err != nil {
		return nil, err
	}
	n, hosts := product(sides...), o.hosts(1)
	s := size{switches: n, hosts: product(n, hosts), ports: hosts}
	for d, side := range sides {
		s.ports += product(side-1, links[d])
		s.links = min(s.links+product(n, side-1, links[d])/2, saturated)
	}
	d, err := newDraft(s, o)
	if err != nil {
		return nil, err
	}
	stride, base := 1, 0 // base is the number of ports of earlier dimensions
	for dim, side := range sides {
		k := links[dim]
		for u := range n {
			x := u / stride % side
			for y := x + 1; y < side; y++ {
				for i := range k {
					d.link(u, model.Port(base+(y-1)*k+i+1), u+(y-x)*stride, model.Port(base+x*k+i+1))
				}
			}
		}
		d.permute(func(u int) int {
			x := u / stride % side
			return u + ((x+1)%side-x)*stride
		})
		stride *= side
		base += (side - 1) * k
	}
	d.attachAll(hosts)
	place := model.Grid{Sides: sides}
	d.name = func(u model.SwitchID) string { return "s" + dotted(place.Coords(u, nil)...) }
	d.coordinates(&place)
	return d.build()
}

// completeLinks returns the number of parallel links by dimension.
func completeLinks(links []int, dims int) ([]int, error) {
	switch {
	case links == nil:
		links = []int{1}
	case len(links) != 1 && len(links) != dims:
		return nil, fmt.Errorf("parallel links of %s; want one number, or one for each of %s", plural(len(links), "dimension"), plural(dims, "dimension"))
	}
	if len(links) == 1 {
		links = slices.Repeat(links, dims)
	}
	for _, k := range links {
		if k < 1 || k > model.MaxPort {
			return nil, fmt.Errorf("%d parallel links, allowed are 1 to %d", k, model.MaxPort)
		}
	}
	return links, nil
}
