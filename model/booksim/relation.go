package booksim

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// packet is what a routing function looks at.
type packet struct {
	router int
	fresh  bool // it comes from a node
	vc     int  // the VC on which it is; 0 if it is fresh
	dest   int  // its node
	class  int  // what else it carries
}

// choice is what a routing function returns: VCs low to high of an output port, and what the packet carries then.
type choice struct {
	port, low, high, class int
}

// rule is a routing function.
type rule interface {
	// classes returns how many values of packet.class there are.
	classes() int
	// inject appends the classes with which a node may send to a node at another router.
	inject(source, dest int, buf []model.Class) []model.Class
	// next appends the choices of a packet at a router. At the router of its node the port is that of the node.
	next(p packet, vcs int, buf []choice) []choice
}

// relation is a routing function as a relation. Its destinations are the nodes.
type relation struct {
	net   *model.Network
	nodes int
	split bool
	rule  rule
	vcs   int
}

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *relation) Classes() int { return r.rule.classes() }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.nodes }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.nodes }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID {
	if r.split {
		return model.HostID(int(d) + r.nodes)
	}
	return model.HostID(d)
}

// Inject implements model.Relation.
func (r *relation) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if r.net.Host(h).Switch == r.net.Host(r.DestinationHost(d)).Switch {
		return append(buf, 0)
	}
	return r.rule.inject(int(h), int(d), buf)
}

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	c, index := r.net.Channel(s.VC)
	u := r.net.Head(c)
	if to := r.DestinationHost(s.Dest); r.net.Host(to).Switch == u {
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(to), 0), Class: s.Class})
	}
	p := packet{router: int(u), fresh: r.net.Kind(c) != model.SwitchToSwitch, vc: index, dest: int(s.Dest), class: int(s.Class)}
	var room [8]choice
	for _, x := range r.rule.next(p, r.vcs, room[:0]) {
		out := r.net.OutAt(u, port(x.port))
		if out == model.NoChannel { // the function misroutes to a port without a channel
			continue
		}
		for vc := x.low; vc <= x.high; vc++ {
			buf = append(buf, model.Hop{VC: r.net.VC(out, vc), Class: model.Class(x.class)})
		}
	}
	return buf
}

// SwitchRouted implements model.SwitchRouted: routing functions look at the router of the destination until a packet is there.
func (r *relation) SwitchRouted() bool { return true }

// plain is the part of a rule without classes.
type plain struct{}

func (plain) classes() int { return 1 }

func (plain) inject(_, _ int, buf []model.Class) []model.Class { return append(buf, 0) }

// anyVC is a routing function that returns ports with all VCs.
type anyVC struct {
	plain
	ports func(router, dest int, buf []int) []int
}

func (r anyVC) next(p packet, vcs int, buf []choice) []choice {
	for _, out := range r.ports(p.router, p.dest, nil) {
		buf = append(buf, choice{out, 0, vcs - 1, 0})
	}
	return buf
}

// orders is a routing function that draws one of two ports at the first router, for two orders of dimensions, and keeps to the order by
// the VC. The lower VCs are those of the first order. With an odd number of VCs, both orders have the VC in the middle.
type orders struct {
	first, second func(router, dest int) int
}

func (orders) classes() int { return 2 }

func (orders) inject(_, _ int, buf []model.Class) []model.Class { return append(buf, 0, 1) }

func (r orders) next(p packet, vcs int, buf []choice) []choice {
	half := vcs / 2
	if p.fresh && p.class == 0 || !p.fresh && p.vc < half {
		return append(buf, choice{r.first(p.router, p.dest), 0, vcs - half - 1, 0})
	}
	return append(buf, choice{r.second(p.router, p.dest), half, vcs - 1, 0})
}

// unique removes repeated classes.
func unique(list []model.Class) []model.Class {
	slices.Sort(list)
	return slices.Compact(list)
}
