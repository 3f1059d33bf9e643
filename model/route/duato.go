package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements Duato's protocol on meshes and tori: unrestricted adaptive VCs plus
// escape VCs with dimension-order routing.
//
// Promise: a packet may always take any adaptive VC in any productive direction, and the escape
// VC of dimension-order routing. From the escape VC it may return to adaptive VCs, except with
// Options.StayOnEscape. Source: J. Duato, A new theory of deadlock-free adaptive routing in
// wormhole networks, IEEE TPDS 4(12), 1993, section 4; store-and-forward and virtual
// cut-through: IEEE TPDS 7(8), 1996. The escape is the last VC of a mesh, or the last two of a
// torus. A packet can enter the escape at any switch. The half of the escape VCs must therefore
// follow from switch and destination alone: dor with rule "position", plus direction at
// distance k/2. Premises: wormhole switching also requires that the extended dependency graph
// of the escape is acyclic; verify decides this.
//
// In the non-minimal form a packet may take adaptive VCs in every direction except backwards.
// At most Options.Misroutes of its hops may go in an unproductive direction. The sources leave
// this bound open; with the bound the relation is free of livelock. Hops are preferred in this
// order: productive adaptive hops, misroutes, escape.
//
// simple-adaptive and cross-line permit the same hops as duato. In Yokota et al. they differ
// from duato only in the selection among free VCs and in the return from the escape. Simple
// adaptive selects by the next buffers, Cross-Line by VCinfo, the buffers straight ahead. We
// could not read the original paper of Cross-Line (Yokota et al., IPSJ Trans. ACS 46(SIG 16),
// 2005). Its use of an escape is our assumption. Class: none. In the non-minimal form, the
// number of misroutes so far.

// DefaultMisroutes is the bound of duato-nonminimal if Options.Misroutes is 0.
const DefaultMisroutes = 2

type duato struct {
	*lattice
	adaptive  span
	escape    *dor
	stay      bool
	misroutes model.Class // bound; 0 for the minimal form
}

func newDuato(n *model.Network, o Options) (model.Relation, error) {
	return makeDuato(n, o, "duato", 0)
}

// newSelectedAdaptive returns the constructor of simple-adaptive or cross-line.
func newSelectedAdaptive(name string) func(*model.Network, Options) (model.Relation, error) {
	return func(n *model.Network, o Options) (model.Relation, error) { return makeDuato(n, o, name, 0) }
}

func newDuatoNonMinimal(n *model.Network, o Options) (model.Relation, error) {
	if o.Misroutes == 0 {
		o.Misroutes = DefaultMisroutes
	}
	if o.Misroutes < 0 || o.Misroutes > 1000 {
		return nil, fmt.Errorf("route: %d misroutes; want 1 to 1000, or 0 for the default of %d", o.Misroutes, DefaultMisroutes)
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

// group: without misroutes, the adaptive hops depend on the switch, and with the option stay on whether the VC is of the escape.
func (r *duato) group(in model.ChannelID, vc int) int {
	if r.misroutes > 0 || r.escape.looksAtInput() {
		return int(r.net.VC(in, vc))
	}
	g := 2 * int(r.net.Head(in))
	if r.stay && r.net.Kind(in) == model.SwitchToSwitch && vc >= r.adaptive.hi {
		g++
	}
	return g
}

func (r *duato) next(p place, buf []model.Hop) []model.Hop {
	from := r.dirOf(p.in)
	if !r.stay || from == noDir || p.vc < r.adaptive.hi {
		for _, productive := range []bool{true, false} {
			for d := range r.dims {
				plus, minus := r.productive(p.u, p.v, d)
				if plus == productive {
					buf = r.appendAdaptive(p, from, dir(2*d), plus, buf)
				}
				if minus == productive {
					buf = r.appendAdaptive(p, from, dir(2*d+1), minus, buf)
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

// appendAdaptive appends the adaptive hops in direction a. from is the direction in which the
// packet arrived.
func (r *duato) appendAdaptive(p place, from, a dir, productive bool, buf []model.Hop) []model.Hop {
	switch {
	case productive && (r.misroutes == 0 || a != from^1 || from == noDir):
		return hop(r.net, r.out(p.u, a), r.adaptive, p.class, buf)
	case productive, p.class >= r.misroutes, from != noDir && a == from^1:
		return buf
	}
	return hop(r.net, r.out(p.u, a), r.adaptive, p.class+1, buf)
}
