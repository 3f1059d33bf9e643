package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is minimal fully adaptive routing on a mesh of n dimensions with few
// virtual channels: every shortest path, whatever its turns. Two ways:
//
// fully-adaptive takes 4n-2 channels a switch (6 in two dimensions, 10 in
// three), and its dependency graph has cycles. Every hop that gets nearer is
// permitted on VC 0; beside that VC 1 of the first dimension, in order, that is
// not yet right, but x, the first of all, needs none: a packet that has way left
// in x may always go in x. So x on VC 0 and the others on VC 1 are the escape.
// Source: Duato, IEEE TPDS 4(12), 1993, with the first dimension's channels
// serving both purposes; L. Schwiebert and D. N. Jayasimha, Optimal fully
// adaptive minimal wormhole routing for meshes, JPDC 27(1), 1995, show that
// 4n-2 are as few as can be.
// Class: none.
//
// linder-harden takes (n+1)*2^(n-1) channels a switch (6, 16), and its graph has
// no cycle. A packet keeps to the network, one of 2^(n-1), in which each
// dimension but x goes only one way, the one that it needs.
// Source: D. H. Linder and J. C. Harden, An adaptive and fault tolerant wormhole
// routing strategy for k-ary n-cubes, IEEE Trans. Computers 40(1), 1991.
// Class: the network.
//
// Premises of both: a mesh.

type fullyAdaptive struct{ *lattice }

func newFullyAdaptive(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "fully-adaptive")
	if err != nil {
		return nil, err
	}
	if g.dims > 1 && n.VCs() < 2 {
		return nil, fmt.Errorf("route: fully-adaptive needs 2 virtual channels, this mesh has %d", n.VCs())
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

// sharedEscape is fullyAdaptive as a relation that names its escape.
type sharedEscape struct{ relation }

// EscapeVC implements model.Escaper.
func (r *sharedEscape) EscapeVC(v model.VCID) bool {
	c, i := r.net.Channel(v)
	return r.net.IsLinkVC(v) && (i == 1 || r.net.TailPort(c) <= model.MinusPort(0))
}

// linderHarden numbers the networks by the dimensions that go minus in them:
// bit d-1 for dimension d.
type linderHarden struct{ *lattice }

func newLinderHarden(n *model.Network, _ Options) (model.Relation, error) {
	g, err := mesh(n, "linder-harden")
	if err != nil {
		return nil, err
	}
	if need := 1 << (g.dims - 1); n.VCs() < need {
		return nil, fmt.Errorf("route: linder-harden needs %d virtual channels on a mesh of %d dimensions, this one has %d", need, g.dims, n.VCs())
	}
	r := &linderHarden{g}
	return &networks{relation{rule: r, net: n, classes: 1 << (g.dims - 1)}, r}, nil
}

func (r *linderHarden) next(p place, buf []model.Hop) []model.Hop {
	for d := range r.dims {
		a := r.towards(p.u, p.v, d)
		if a == noDir {
			continue
		}
		vc := int(p.class)
		if d > 0 { // the networks that go this way, numbered without bit d-1
			low := vc & (1<<(d-1) - 1)
			vc = vc>>d<<(d-1) | low
		}
		buf = hop(r.net, r.out(p.u, a), span{vc, vc + 1}, p.class, buf)
	}
	return buf
}

// networks is linderHarden as a relation: the network is the class.
type networks struct {
	relation
	rule *linderHarden
}

// Inject implements model.Relation.
func (r *networks) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	u, v := r.net.Host(h).Switch, r.net.Host(r.DestinationHost(d)).Switch
	k := model.Class(0)
	for d := 1; d < r.rule.dims; d++ {
		if r.rule.at(v, d) < r.rule.at(u, d) {
			k |= 1 << (d - 1)
		}
	}
	return append(buf, k)
}
