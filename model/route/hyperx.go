package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements routings on HyperX networks. A switch has a coordinate in each dimension; it is linked to all switches that differ
// from it in one coordinate. A hop in a dimension is minimal if it leads to the coordinate of the destination, else it is a deroute.
//
// hyperx-dor: minimal hops in the order of the dimensions, on any VC. The graph has no cycle.
//
// hyperx-dal: in any dimension in which the packet is not yet aligned a minimal hop, or a deroute if it has not derouted in this dimension; the last VC is
// an escape with minimal hops in the order of the dimensions.
//
// hyperx-dimwar: dimension by dimension, a deroute on VC 0 or a minimal hop on VC 1. A packet deroutes at most once in a dimension.
//
// hyperx-omniwar: in any dimension in which the packet is not yet aligned a minimal hop, or a deroute, at most Options.Misroutes in all. The VC is
// the number of hops passed: N VCs for N dimensions, and one for each deroute. A packet with no VC left for more may only take minimal hops.
//
// Source: Ahn, Binkert, Davis, McLaren, Schreiber, HyperX, SC 2009, section 4 (DOR, DAL; the paper names no escape); McDonald, Isaev, Flores, Davis, Kim,
// Practical and efficient incremental adaptive routing for HyperX networks, SC 2019, sections 4 and 5 (DimWAR, OmniWAR). Class: hyperx-dal, the
// dimensions with a deroute; hyperx-omniwar, hops and deroutes passed.

// hyperX gives the coordinates of the switches of a HyperX network.
type hyperX struct {
	net   *model.Network
	sides []int
	to    [][]model.ChannelID // by switch, dimension and coordinate: the channels to the switch with this coordinate
	base  []int               // by dimension: the sum of the earlier sides
	per   int                 // the sum of all sides
}

// readHyperX finds the sides. It fails if n is not the HyperX in which switch x + X*(y + Y*z) is at (x, y, z).
func readHyperX(name string, n *model.Network) (*hyperX, error) {
	h := &hyperX{net: n}
	stride := 1
	for ; stride < n.NumSwitches() && n.NumSwitches()%stride == 0; stride *= h.sides[len(h.sides)-1] {
		h.base = append(h.base, h.per)
		h.sides = append(h.sides, h.sideOf(stride))
		if h.per += h.sides[len(h.sides)-1]; h.sides[len(h.sides)-1] == 1 {
			break
		}
	}
	if stride != n.NumSwitches() || !h.readLinks() {
		return nil, fmt.Errorf("route: %s needs a HyperX: a grid of switches, x fastest, linked if and only if they differ in one coordinate", name)
	}
	return h, nil
}

// sideOf returns the most of the switches 0, stride, 2*stride, ... of which each two are linked.
func (h *hyperX) sideOf(stride int) int {
	for side := 1; side*stride < h.net.NumSwitches(); side++ {
		earlier := map[model.SwitchID]bool{}
		for _, c := range h.net.Out(model.SwitchID(side * stride)) {
			if v := h.net.Head(c); v != model.NoSwitch && int(v) < side*stride && int(v)%stride == 0 {
				earlier[v] = true
			}
		}
		if len(earlier) < side {
			return side
		}
	}
	return h.net.NumSwitches() / stride
}

// readLinks lists the channels by coordinates. It returns false if a link is missing or one too many.
func (h *hyperX) readLinks() bool {
	n := h.net
	h.to = make([][]model.ChannelID, n.NumSwitches()*h.per)
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, c := range n.Out(u) {
			v := n.Head(c)
			if v == model.NoSwitch {
				continue
			}
			dim := -1
			for d := range h.sides {
				if h.at(u, d) != h.at(v, d) {
					if dim >= 0 {
						return false
					}
					dim = d
				}
			}
			i := int(u)*h.per + h.base[dim] + h.at(v, dim)
			h.to[i] = append(h.to[i], c)
		}
		for d, side := range h.sides {
			for x := range side {
				if x != h.at(u, d) && len(h.channels(u, d, x)) == 0 {
					return false
				}
			}
		}
	}
	return true
}

// at returns the coordinate of switch u in dimension d.
func (h *hyperX) at(u model.SwitchID, d int) int {
	x := int(u)
	for _, side := range h.sides[:d] {
		x /= side
	}
	return x % h.sides[d]
}

// channels returns the channels from u to the switch with coordinate x in dimension d.
func (h *hyperX) channels(u model.SwitchID, d, x int) []model.ChannelID {
	return h.to[int(u)*h.per+h.base[d]+x]
}

// dimOf returns the dimension of channel c, or -1 for an injection channel.
func (h *hyperX) dimOf(c model.ChannelID) int {
	u, v := h.net.Tail(c), h.net.Head(c)
	if u == model.NoSwitch {
		return -1
	}
	for d := range h.sides {
		if h.at(u, d) != h.at(v, d) {
			return d
		}
	}
	return -1
}

// keeps: the hops depend on the network and the dimensions only.
func (h *hyperX) keeps(a *model.Automorphism) bool {
	for c := range model.ChannelID(h.net.NumLinkChannels()) {
		if h.dimOf(a.Channel(c)) != h.dimOf(c) {
			return false
		}
	}
	return true
}

// hops appends the minimal hops in dimension d, or the deroutes.
func (h *hyperX) hops(p place, d int, deroute bool, vcs span, class model.Class, buf []model.Hop) []model.Hop {
	for x := range h.sides[d] {
		if x != h.at(p.u, d) && (x == h.at(p.v, d)) != deroute {
			for _, c := range h.channels(p.u, d, x) {
				buf = hop(h.net, c, vcs, class, buf)
			}
		}
	}
	return buf
}

// aligned reports whether u and v have the same coordinate in dimension d.
func (h *hyperX) aligned(u, v model.SwitchID, d int) bool { return h.at(u, d) == h.at(v, d) }

// hyperXDOR is hyperx-dor.
type hyperXDOR struct {
	*hyperX
	order []int
}

func newHyperXDOR(n *model.Network, o Options) (model.Relation, error) {
	h, err := readHyperX("hyperx-dor", n)
	if err != nil {
		return nil, err
	}
	order, err := completeOrder(o.Order, len(h.sides))
	if err != nil {
		return nil, err
	}
	return &relation{rule: &hyperXDOR{h, order}, net: n}, nil
}

func (r *hyperXDOR) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

func (r *hyperXDOR) next(p place, buf []model.Hop) []model.Hop {
	for _, d := range r.order {
		if !r.aligned(p.u, p.v, d) {
			return r.hops(p, d, false, all(r.net), p.class, buf)
		}
	}
	return buf
}

// hyperXDAL is hyperx-dal.
type hyperXDAL struct{ *hyperX }

func newHyperXDAL(n *model.Network, o Options) (model.Relation, error) {
	h, err := readHyperX("hyperx-dal", n)
	if err != nil {
		return nil, err
	}
	if len(h.sides) > 16 {
		return nil, fmt.Errorf("route: hyperx-dal on %d dimensions; want at most 16", len(h.sides))
	}
	if _, err := foldVCs("hyperx-dal", 2, n, o.Beyond); err != nil {
		return nil, err
	}
	if n.VCs() == 1 { // without an escape
		return &relation{rule: &hyperXDAL{h}, net: n, classes: 1 << len(h.sides)}, nil
	}
	return &escaping{relation{rule: &hyperXDAL{h}, net: n, classes: 1 << len(h.sides)}, n.VCs() - 1}, nil
}

func (r *hyperXDAL) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

func (r *hyperXDAL) next(p place, buf []model.Hop) []model.Hop {
	last := r.net.VCs() - 1
	adaptive, first := span{0, max(last, 1)}, -1
	for _, deroute := range []bool{false, true} {
		for d := range r.sides {
			class := p.class
			if deroute {
				class |= 1 << d
			}
			if !r.aligned(p.u, p.v, d) && (!deroute || p.class&(1<<d) == 0) {
				buf = r.hops(p, d, deroute, adaptive, class, buf)
			}
			if first < 0 && !r.aligned(p.u, p.v, d) {
				first = d
			}
		}
	}
	if last == 0 {
		return buf
	}
	return r.hops(p, first, false, span{last, last + 1}, p.class, buf)
}

// hyperXDimWAR is hyperx-dimwar.
type hyperXDimWAR struct {
	*hyperX
	minimal span // the VC of minimal hops
}

func newHyperXDimWAR(n *model.Network, o Options) (model.Relation, error) {
	h, err := readHyperX("hyperx-dimwar", n)
	if err != nil {
		return nil, err
	}
	fold, err := foldVCs("hyperx-dimwar", 2, n, o.Beyond)
	if err != nil {
		return nil, err
	}
	vc := fold.index(1)
	return &relation{rule: &hyperXDimWAR{h, span{vc, vc + 1}}, net: n}, nil
}

func (r *hyperXDimWAR) next(p place, buf []model.Hop) []model.Hop {
	for d := range r.sides {
		if r.aligned(p.u, p.v, d) {
			continue
		}
		buf = r.hops(p, d, false, r.minimal, p.class, buf)
		if r.dimOf(p.in) != d {
			buf = r.hops(p, d, true, span{0, 1}, p.class, buf)
		}
		return buf
	}
	return buf
}

// hyperXOmniWAR is hyperx-omniwar.
type hyperXOmniWAR struct {
	*hyperX
	misroutes int
	fold      vcFold
}

func newHyperXOmniWAR(n *model.Network, o Options) (model.Relation, error) {
	h, err := readHyperX("hyperx-omniwar", n)
	if err != nil {
		return nil, err
	}
	m := o.Misroutes
	if m == 0 {
		m = max(n.VCs()-len(h.sides), 0)
	}
	if m < 0 || m > 1000 {
		return nil, fmt.Errorf("route: %d misroutes; want 1 to 1000, or 0 for as many as there are virtual channels for", m)
	}
	fold, err := foldVCs("hyperx-omniwar", len(h.sides)+m, n, o.Beyond)
	if err != nil {
		return nil, err
	}
	return &relation{rule: &hyperXOmniWAR{h, m, fold}, net: n, classes: (len(h.sides) + m + 1) * (m + 1)}, nil
}

func (r *hyperXOmniWAR) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

func (r *hyperXOmniWAR) next(p place, buf []model.Hop) []model.Hop {
	passed, derouted := int(p.class)/(r.misroutes+1), int(p.class)%(r.misroutes+1)
	if passed >= len(r.sides)+r.misroutes {
		return buf
	}
	vc := r.fold.index(passed)
	for _, deroute := range []int{0, 1} {
		if derouted+deroute > r.misroutes {
			break
		}
		class := model.Class((passed+1)*(r.misroutes+1) + derouted + deroute)
		for d := range r.sides {
			if !r.aligned(p.u, p.v, d) {
				buf = r.hops(p, d, deroute == 1, span{vc, vc + 1}, class, buf)
			}
		}
	}
	return buf
}
