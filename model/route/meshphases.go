package route

import (
	"errors"

	"github.com/turnproof/turnproof/model"
)

// This file implements O1TURN, ROMM and planar-adaptive routing on meshes.
//
// o1turn: the source draws one of the two dimension orders; order xy has the first half of the VCs, yx the second. Each half has no
// cycle. Source: Seo, Ali, Lim,
// Rafique, Thottethodi, Near-optimal worst-case throughput routing for two-dimensional mesh networks, ISCA 2005. Class: the order.
//
// romm: dimension order to a switch of the box between source and destination, then dimension order to the destination; the second phase has the second half
// of the VCs. All paths are shortest paths. Source: Nesson, Johnsson, ROMM routing on mesh and torus networks, SPAA 1995 (two phases). Class: the phase.
//
// planar-adaptive: plane by plane, plane i of dimensions i and i+1. A packet takes any minimal hop in its plane until it is done with dimension i. Links of
// dimension i have VC 2 in plane i. In plane i, links of dimension i+1 have VC 0 if the packet goes in the plus direction of
// dimension i, else VC 1. A packet with
// nothing left to do in dimension i keeps the VC with which it came in dimension i+1, else it takes VC 0. Source: Chien, Kim,
// Planar-adaptive routing: low-cost adaptive
// networks for multiprocessors, ISCA 1992 (JACM 42(1), 1995), section 3. Class: none.

// o1Turn is O1TURN.
type o1Turn struct {
	*lattice
	half halves
}

func newO1Turn(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh2(n, "o1turn")
	if err != nil {
		return nil, err
	}
	if _, err := foldVCs("o1turn", 2, n, o.Beyond); err != nil {
		return nil, err
	}
	return &twoOrders{relation{rule: &o1Turn{g, split(all(n))}, net: n, classes: 2}}, nil
}

// twoOrders is a relation whose sources draw class 0 or 1.
type twoOrders struct{ relation }

// Inject implements model.Relation.
func (r *twoOrders) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0, 1)
}

func (r *o1Turn) group(in model.ChannelID, _ int) int { return int(r.net.Head(in)) }

func (r *o1Turn) next(p place, buf []model.Hop) []model.Hop {
	for i := range 2 {
		if a := r.towards(p.u, p.v, (i+int(p.class))%2); a != noDir {
			return hop(r.net, r.out(p.u, a), r.half[p.class], p.class, buf)
		}
	}
	return buf
}

// romm is ROMM with two phases.
type romm struct {
	*lattice
	half halves
}

func newROMM(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh(n, "romm")
	if err != nil {
		return nil, err
	}
	if _, err := foldVCs("romm", 2, n, o.Beyond); err != nil {
		return nil, err
	}
	return &relation{rule: &romm{g, split(all(n))}, net: n, classes: 2}, nil
}

// group: in the first phase the hops depend on the dimension of the channel.
func (r *romm) group(in model.ChannelID, _ int) int {
	return int(r.net.Head(in))*(r.dims+1) + r.dimOf(in)
}

// dimOf returns the dimension of a channel between switches, or 0 for an injection channel.
func (r *romm) dimOf(in model.ChannelID) int {
	if r.net.Kind(in) != model.SwitchToSwitch {
		return 0
	}
	return r.dirOf(in).dim()
}

func (r *romm) next(p place, buf []model.Hop) []model.Hop {
	if p.class == 0 {
		for d := r.dimOf(p.in); d < r.dims; d++ {
			if a := r.towards(p.u, p.v, d); a != noDir {
				buf = hop(r.net, r.out(p.u, a), r.half[0], 0, buf)
			}
		}
	}
	for d := range r.dims {
		if a := r.towards(p.u, p.v, d); a != noDir {
			return hop(r.net, r.out(p.u, a), r.half[1], 1, buf)
		}
	}
	return buf
}

// planarAdaptive is planar-adaptive routing.
type planarAdaptive struct {
	*lattice
	fold vcFold
}

func newPlanarAdaptive(n *model.Network, o Options) (model.Relation, error) {
	g, err := mesh(n, "planar-adaptive")
	if err != nil {
		return nil, err
	}
	if g.dims < 2 {
		return nil, errors.New("route: planar-adaptive needs a mesh of 2 or more dimensions; this one has 1")
	}
	fold, err := foldVCs("planar-adaptive", 3, n, o.Beyond)
	if err != nil {
		return nil, err
	}
	return &relation{rule: &planarAdaptive{g, fold}, net: n}, nil
}

func (r *planarAdaptive) next(p place, buf []model.Hop) []model.Hop {
	plane := 0
	for plane < r.dims-2 && r.at(p.u, plane) == r.at(p.v, plane) {
		plane++
	}
	first, second := r.towards(p.u, p.v, plane), r.towards(p.u, p.v, plane+1)
	vc := 0
	switch {
	case first != noDir && first.minus():
		vc = 1
	case first == noDir && r.net.Kind(p.in) == model.SwitchToSwitch && r.dirOf(p.in).dim() == plane+1 && p.vc < 2:
		vc = p.vc
	}
	if first != noDir {
		buf = hop(r.net, r.out(p.u, first), r.vc(2), p.class, buf)
	}
	if second != noDir {
		buf = hop(r.net, r.out(p.u, second), r.vc(vc), p.class, buf)
	}
	return buf
}

func (r *planarAdaptive) vc(i int) span {
	i = r.fold.index(i)
	return span{i, i + 1}
}
