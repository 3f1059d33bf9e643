package topo

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds meshes with express links and concentrated meshes.
//
// Express mesh: a mesh in which switches at the multiples of the interval are also linked to the next such switch of their line, in each dimension. Source:
// Dally, Express cubes: improving the performance of k-ary n-cube interconnection networks, IEEE Trans. Computers 40(9), 1991, section II. The
// interchanges of the paper are the switches here.
//
// Concentrated mesh: a mesh of two dimensions with four hosts at each switch. With express links, each switch of the first half of a border is also
// linked to the switch half a side further. Source: Balfour, Dally, Design tradeoffs for tiled CMP on-chip networks, ICS 2006, section 3.2;
// BookSim 2, cmesh.
//
// Ports: as on a mesh, then express links, then hosts. In an express mesh of k dimensions, port 1+2(k+d) is the express link in the plus direction of
// dimension d, port 2+2(k+d) that in the minus direction, and the ports of hosts begin with 1+4k. Express links do not fit a
// model.Grid, so networks with express links have none.

// ExpressMesh returns the mesh of the given sides with express links. interval is at least 2.
func ExpressMesh(sides []int, interval int, o Options) (*model.Network, error) {
	if interval < 2 || interval > MaxSwitches {
		return nil, fmt.Errorf("an express mesh with interval %d, allowed are 2 to %d", interval, MaxSwitches)
	}
	return withExpress("express mesh", sides, o.hosts(1), true, o, func(at []int, d int) int {
		if at[d]%interval == 0 && at[d]+interval < sides[d] {
			return interval
		}
		return 0
	})
}

// ConcentratedMesh returns the mesh of the given two sides with four hosts per switch by default. If express is set, even sides from 4 on have express links
// along the borders.
func ConcentratedMesh(sides []int, express bool, o Options) (*model.Network, error) {
	if o.Hosts == 0 {
		o.Hosts = 4
	}
	if !express {
		return Mesh(sides, o)
	}
	if len(sides) != 2 || slices.ContainsFunc(sides, func(k int) bool { return k < 4 || k%2 != 0 }) {
		return nil, fmt.Errorf("a concentrated mesh with express links and sides %v; want two even sides from 4 on", sides)
	}
	return withExpress("concentrated mesh", sides, o.hosts(4), false, o, func(at []int, d int) int {
		other := at[1-d]
		if half := sides[d] / 2; at[d] < half && (other == 0 || other == sides[1-d]-1) {
			return half
		}
		return 0
	})
}

// withExpress returns a mesh with further links. jump gives the length of the express link from a place in the plus direction of dimension d, or 0.
// If fixed is set, the express links of each direction have ports of their own.
func withExpress(what string, sides []int, hosts int, fixed bool, o Options, jump func(at []int, d int) int) (*model.Network, error) {
	if err := checkSides(what, sides); err != nil {
		return nil, err
	}
	n := product(sides...)
	d, err := newDraft(size{switches: n, links: 2 * product(n, len(sides)), hosts: product(n, hosts), ports: 4*len(sides) + hosts}, o)
	if err != nil {
		return nil, err
	}
	d.gridLinks(sides, make([]bool, len(sides)))
	place, at, stride := model.Grid{Sides: sides}, []int(nil), 1
	for u := range d.next {
		d.next[u] = model.PlusPort(len(sides))
	}
	for dim, side := range sides {
		for u := range n {
			at = place.Coords(model.SwitchID(u), at[:0])
			if k := jump(at, dim); k > 0 && fixed {
				d.link(u, model.PlusPort(len(sides)+dim), u+k*stride, model.MinusPort(len(sides)+dim))
			} else if k > 0 {
				d.join(u, u+k*stride)
			}
		}
		stride *= side
	}
	for u := range d.next {
		if fixed {
			d.next[u] = model.PlusPort(2 * len(sides))
		}
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string { return "s" + dotted(place.Coords(u, nil)...) }
	d.coordinates(&place)
	return d.build()
}
