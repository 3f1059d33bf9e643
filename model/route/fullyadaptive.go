package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements minimal fully adaptive routing on a mesh of n dimensions with few
// virtual channels. Both relations permit every shortest path.
//
// fully-adaptive uses 4n-2 channels per switch (6 in two dimensions, 10 in three). Its
// dependency graph has cycles. VC 0 permits every productive hop. VC 1 permits only the first
// dimension that is not yet corrected. Dimension x needs no VC 1, because a packet may always
// correct x on VC 0. The escape is therefore VC 0 of x and VC 1 of the other dimensions.
// Source: Duato, IEEE TPDS 4(12), 1993, with the channels of x used for both purposes; L.
// Schwiebert and D. N. Jayasimha, Optimal fully adaptive minimal wormhole routing for meshes,
// JPDC 27(1), 1995, show that 4n-2 is the minimum. Class: none.
//
// linder-harden uses (n+1)*2^(n-1) channels per switch (6, 16). Its dependency graph is
// acyclic. The VCs form 2^(n-1) virtual networks. In each virtual network every dimension
// except x has one direction only. A packet stays in the virtual network whose directions it
// needs. Source: D. H. Linder and J. C. Harden, An adaptive and fault tolerant wormhole routing
// strategy for k-ary n-cubes, IEEE Trans. Computers 40(1), 1991. Class: the virtual network.
//
// Premises of both: a mesh.

type fullyAdaptive struct{ *lattice }

func newFullyAdaptive(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "fully-adaptive")
	if err != nil {
		return nil, err
	}
	if g.dims > 1 && n.VCs() < 2 {
		return nil, fmt.Errorf("route: fully-adaptive needs 2 virtual channels; this mesh has %d", n.VCs())
	}
	return &sharedEscape{relation{rule: &fullyAdaptive{g}, net: n}}, nil
}

func (r *fullyAdaptive) next(p place, buf []model.Hop) []model.Hop {
	first := true
	for d := range r.dims {
		a := r.towards(p.u, p.v, d)
		if a == noDir {
			continue
		}
		buf = hop(r.net, r.out(p.u, a), span{0, 1}, 0, buf)
		if first && d > 0 {
			buf = hop(r.net, r.out(p.u, a), span{1, 2}, 0, buf)
		}
		first = false
	}
	return buf
}

// sharedEscape is fully-adaptive as a model.Escaper.
type sharedEscape struct{ relation }

// EscapeVC implements model.Escaper.
func (r *sharedEscape) EscapeVC(v model.VCID) bool {
	c, i := r.net.Channel(v)
	return r.net.IsLinkVC(v) && (i == 1 || r.net.TailPort(c) <= model.MinusPort(0))
}

// linderHarden numbers the virtual networks by their minus directions: bit d-1 is set if
// dimension d goes minus.
type linderHarden struct{ *lattice }

func newLinderHarden(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "linder-harden")
	if err != nil {
		return nil, err
	}
	if need := 1 << (g.dims - 1); n.VCs() < need {
		return nil, fmt.Errorf("route: linder-harden needs %d virtual channels on a mesh of %d dimensions; this one has %d", need, g.dims, n.VCs())
	}
	r := &linderHarden{g}
	return &virtualNetworks{relation{rule: r, net: n, classes: 1 << (g.dims - 1)}, r}, nil
}

func (r *linderHarden) next(p place, buf []model.Hop) []model.Hop {
	for d := range r.dims {
		a := r.towards(p.u, p.v, d)
		if a == noDir {
			continue
		}
		vc := int(p.class)
		if d > 0 { // number the virtual networks with direction a without bit d-1
			low := vc & (1<<(d-1) - 1)
			vc = vc>>d<<(d-1) | low
		}
		buf = hop(r.net, r.out(p.u, a), span{vc, vc + 1}, p.class, buf)
	}
	return buf
}

// virtualNetworks is linder-harden as a relation, with the virtual network as class.
type virtualNetworks struct {
	relation
	rule *linderHarden
}

// Inject implements model.Relation.
func (r *virtualNetworks) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	u, v := r.net.Host(h).Switch, r.net.Host(r.DestinationHost(d)).Switch
	k := model.Class(0)
	for d := 1; d < r.rule.dims; d++ {
		if r.rule.at(v, d) < r.rule.at(u, d) {
			k |= 1 << (d - 1)
		}
	}
	return append(buf, k)
}
