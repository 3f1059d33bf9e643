package route

import "github.com/turnproof/turnproof/model"

// This file contains the common part of all relations of the package: sources and destinations,
// delivery, and the interface of a rule.

// place is the position of a packet that asks for its next hop.
type place struct {
	in    model.ChannelID // the channel of the packet
	vc    int             // the index of its VC
	u, v  model.SwitchID  // the switch that the channel enters, and the switch of the destination; they differ
	class model.Class
}

// rule gives the hops of a packet between switches, without ejection.
type rule interface {
	next(p place, buf []model.Hop) []model.Hop
}

// relation implements model.Relation with a rule.
type relation struct {
	rule
	net     *model.Network
	classes int // packets enter with class 0
}

// common returns the common part of a relation.
func (r *relation) common() *relation { return r }

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *relation) Classes() int { return max(r.classes, 1) }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *relation) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// grouper is a rule that does not look at everything about the channel and the VC of a packet.
type grouper interface {
	// group returns the same number for two VCs only if they enter the same switch and next gives the same hops for both.
	group(in model.ChannelID, vc int) int
}

// GroupOf implements model.Grouped.
func (r *relation) GroupOf(v model.VCID) int {
	if g, ok := r.rule.(grouper); ok {
		in, vc := r.net.Channel(v)
		return g.group(in, vc)
	}
	return int(v)
}

// symmetricRule is a rule that some automorphisms of the network keep.
type symmetricRule interface {
	// keeps reports whether next of the image of every place has the images of the hops of next.
	keeps(a *model.Automorphism) bool
}

// Symmetries implements model.Symmetric.
func (r *relation) Symmetries() (list []*model.Automorphism) {
	if s, ok := r.rule.(symmetricRule); ok {
		for _, a := range r.net.Symmetries() {
			if s.keeps(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// coster is a rule whose minimal paths are those of least cost.
type coster interface {
	linkCost(c model.ChannelID) int
}

// LinkCost implements model.Costed.
func (r *relation) LinkCost(c model.ChannelID) int {
	if x, ok := r.rule.(coster); ok {
		return x.linkCost(c)
	}
	return 1
}

// SwitchRouted implements model.SwitchRouted.
func (r *relation) SwitchRouted() bool { return true }

// switchRouted reports whether all of some relations are model.SwitchRouted.
func switchRouted(list ...model.Relation) bool {
	for _, r := range list {
		if s, ok := r.(model.SwitchRouted); !ok || !s.SwitchRouted() {
			return false
		}
	}
	return true
}

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf // the host consumes the packet
	}
	h := r.DestinationHost(s.Dest)
	v := r.net.Host(h).Switch
	if u == v {
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	return r.next(place{in, vc, u, v, s.Class}, buf)
}

// Escaper is a relation that names its escape VCs, such as duato and the result of Escape.
type Escaper = model.Escaper

// escaping is a relation whose escape VCs are those with index first or above.
type escaping struct {
	relation
	first int
}

// EscapeVC implements Escaper.
func (r *escaping) EscapeVC(v model.VCID) bool { return escapeVC(r.net, v, r.first) }

func escapeVC(n *model.Network, v model.VCID, first int) bool {
	_, i := n.Channel(v)
	return n.IsLinkVC(v) && i >= first
}

// span is a range of VC indices from lo to hi-1.
type span struct{ lo, hi int }

// hop appends the VCs of channel c within s. It appends nothing if c is NoChannel.
func hop(n *model.Network, c model.ChannelID, s span, class model.Class, buf []model.Hop) []model.Hop {
	if c == model.NoChannel {
		return buf
	}
	for i := s.lo; i < s.hi; i++ {
		buf = append(buf, model.Hop{VC: n.VC(c, i), Class: class})
	}
	return buf
}

// halves is a range of VCs split into half 0 and half 1. A single VC belongs to both halves. If the
// number of VCs is odd, half 0 has one more.
type halves [2]span

func split(s span) halves {
	if s.hi-s.lo < 2 {
		return halves{s, s}
	}
	middle := s.hi - (s.hi-s.lo)/2
	return halves{{s.lo, middle}, {middle, s.hi}}
}

// of returns the half that VC index vc belongs to.
func (h halves) of(vc int) int {
	if h[0] != h[1] && vc >= h[1].lo {
		return 1
	}
	return 0
}
