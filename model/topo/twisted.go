package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds twisted tori.
//
// A torus of two dimensions whose wraparound links of dimension y shift x: the last switch of column x is linked to the first switch of column x +
// twist. Twisted by a, the torus of 2a by a switches has diameter a, while the torus without a twist has a + ⌊a/2⌋. Ports are those of a torus. The
// network has no model.Grid, because these links do not join neighbours of the grid. Source: Cámara, Moretó, Vallejo, Beivide,
// Miguel-Alonso, Martínez, Navaridas, Twisted torus topologies
// for enhanced interconnection networks, IEEE TPDS 21(12), 2010, section 2.

// TwistedTorus returns the torus of sides[0] by sides[1] switches, twisted by twist.
func TwistedTorus(sides []int, twist int, o Options) (*model.Network, error) {
	if err := checkSides("twisted torus", sides); err != nil {
		return nil, err
	}
	if len(sides) != 2 || sides[0] < 2 || sides[1] < 2 || twist < 0 || twist >= sides[0] {
		return nil, fmt.Errorf("a twisted torus of sides %v and twist %d; want two sides from 2 on and a twist less than the first side", sides, twist)
	}
	x, y := sides[0], sides[1]
	n, hosts := product(x, y), o.hosts(1)
	d, err := newDraft(size{switches: n, links: product(2, n), hosts: product(n, hosts), ports: 4 + hosts}, o)
	if err != nil {
		return nil, err
	}
	for u := range n {
		row, col := u/x, u%x
		d.link(u, model.PlusPort(0), row*x+(col+1)%x, model.MinusPort(0))
		up := u + x
		if row == y-1 {
			up = (col + twist) % x
		}
		d.link(u, model.PlusPort(1), up, model.MinusPort(1))
	}
	d.permute(func(u int) int { return u/x*x + (u%x+1)%x })
	d.permute(func(u int) int {
		if u/x < y-1 {
			return u + x
		}
		return (u%x + twist) % x
	})
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string { return "s" + dotted(int(u)%x, int(u)/x) }
	d.attribute("x", func(u model.SwitchID) int { return int(u) % x })
	d.attribute("y", func(u model.SwitchID) int { return int(u) / x })
	return d.build()
}
