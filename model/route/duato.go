package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file is Duato's protocol on meshes and tori: adaptive VCs without
// restriction beside escape VCs with dimension order.
//
// Promise: a packet may take any adaptive VC in any productive direction, and
// always the escape VC of dimension order towards its destination; from there
// it may return to adaptive VCs, unless Options.StayOnEscape.
// Source: J. Duato, A new theory of deadlock-free adaptive routing in wormhole
// networks, IEEE TPDS 4(12), 1993, section 4; store-and-forward and virtual
// cut-through: IEEE TPDS 7(8), 1996.
// The escape is the last VC of a mesh, the last two of a torus. Packets enter
// it anywhere, so its half of the VCs must follow from place and destination
// alone: dor's rule "position", and plus at distance k/2.
// Premises: for wormhole switching also that the extended dependency graph of
// the escape is acyclic, which verify decides.
//
// The non-minimal form lets a packet take adaptive VCs in any direction but
// straight back, at most Options.Misroutes times in a direction that is not
// productive. The bound is ours (the sources leave it open); it makes the
// relation livelock-free. Preferred are productive adaptive hops, then misroutes,
// then the escape.
//
// simple-adaptive and cross-line permit what duato does: Yokota et al. tell them apart
// from it, and from each other, by how a packet chooses among free VCs only (simple
// adaptive by the next buffers, Cross-Line by VCinfo, the buffers straight ahead) and by
// its returning from the escape. Cross-Line's own paper (Yokota et al., IPSJ Trans. ACS
// 46(SIG 16), 2005) is not at hand; that it rests on an escape is our reading.
// Class: none; non-minimal: the misroutes used.

// DefaultMisroutes bounds duato-nonminimal where Options.Misroutes is 0.
const DefaultMisroutes = 2

type duato struct {
	*lattice
	adaptive  span
	escape    *dor
	stay      bool
	misroutes model.Class // 0: minimal
}

func newDuato(n *model.Network, o Options) (model.Relation, error) {
	return makeDuato(n, o, "duato", 0)
}

// newSelectedAdaptive makes simple-adaptive and cross-line.
func newSelectedAdaptive(name string) func(*model.Network, Options) (model.Relation, error) {
	return func(n *model.Network, o Options) (model.Relation, error) { return makeDuato(n, o, name, 0) }
}

func newDuatoNonMinimal(n *model.Network, o Options) (model.Relation, error) {
	if o.Misroutes == 0 {
		o.Misroutes = DefaultMisroutes
	}
	if o.Misroutes < 0 || o.Misroutes > 1000 {
		return nil, fmt.Errorf("route: %d misroutes, allowed are 1 to 1000 (0: %d)", o.Misroutes, DefaultMisroutes)
	}
	return makeDuato(n, o, "duato-nonminimal", model.Class(o.Misroutes))
}

func makeDuato(n *model.Network, o Options, name string, misroutes model.Class) (model.Relation, error) {
	g, err := newLattice(n, name)
	if err != nil {
		return nil, err
	}
	escapes := o.EscapeVCs
	if escapes == 0 {
		escapes = 2
		if g.isMesh() {
			escapes = 1
		}
	}
	if escapes < 1 || n.VCs() <= escapes {
		return nil, fmt.Errorf("route: %s needs %d virtual channels, %d of them for the escape; this network has %d", name, escapes+1, escapes, n.VCs())
	}
	first := n.VCs() - escapes
	eo := Options{Order: o.Order, VCRule: RulePosition}
	if escapes == 1 {
		eo.VCRule = RulePlain
	}
	escape, err := makeDOR(g, span{first, n.VCs()}, eo)
	if err != nil {
		return nil, err
	}
	r := &duato{lattice: g, adaptive: span{0, first}, escape: escape, stay: o.StayOnEscape, misroutes: misroutes}
	return &escaping{relation{rule: r, net: n, classes: int(misroutes) + 1}, first}, nil
}

func (r *duato) next(p place, buf []model.Hop) []model.Hop {
	from := r.dirOf(p.in)
	if !r.stay || from == noDir || p.vc < r.adaptive.hi {
		for _, productive := range []bool{true, false} {
			for d := range r.dims {
				plus, minus := r.productive(p.u, p.v, d)
				if plus == productive {
					buf = r.adapt(p, from, dir(2*d), plus, buf)
				}
				if minus == productive {
					buf = r.adapt(p, from, dir(2*d+1), minus, buf)
				}
			}
		}
	}
	first := len(buf)
	buf = r.escape.next(p, buf)
	for i := first; i < len(buf); i++ {
		buf[i].Class = p.class
	}
	return buf
}

// adapt appends the adaptive hops in direction a; from is where p came from.
func (r *duato) adapt(p place, from, a dir, productive bool, buf []model.Hop) []model.Hop {
	switch {
	case productive && (r.misroutes == 0 || a != from^1 || from == noDir):
		return hop(r.net, r.out(p.u, a), r.adaptive, p.class, buf)
	case productive, p.class >= r.misroutes, from != noDir && a == from^1:
		return buf
	}
	return hop(r.net, r.out(p.u, a), r.adaptive, p.class+1, buf)
}
