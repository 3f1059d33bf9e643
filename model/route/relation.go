package route

import "github.com/turnproof/turnproof/model"

// This file is what all relations of the package share: who sends to whom,
// delivery, and the shape of a rule.

// place is where a packet asks.
type place struct {
	in    model.ChannelID // the channel that it is on
	vc    int             // and the index of the VC
	u, v  model.SwitchID  // where that channel leads, and where the packet wants to: never the same
	class model.Class
}

// rule is the part of a relation that differs: the hops from a place, none
// of them an ejection.
type rule interface {
	next(p place, buf []model.Hop) []model.Hop
}

// relation makes a model.Relation of a rule.
type relation struct {
	rule
	net     *model.Network
	classes int // packets enter with class 0
}

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

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf // on an ejection channel: consumed
	}
	h := r.DestinationHost(s.Dest)
	v := r.net.Host(h).Switch
	if u == v {
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: s.Class})
	}
	return r.next(place{in, vc, u, v, s.Class}, buf)
}

// Escaper is a relation that names its escape: duato and what Escape joins.
type Escaper = model.Escaper

// escaping is a relation whose VCs of index first and above are the escape.
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

// span is a range of VC indices, from lo up to but not including hi.
type span struct{ lo, hi int }

// hop appends the VCs of channel c within s, none if there is no such channel.
func hop(n *model.Network, c model.ChannelID, s span, class model.Class, buf []model.Hop) []model.Hop {
	if c == model.NoChannel {
		return buf
	}
	for i := s.lo; i < s.hi; i++ {
		buf = append(buf, model.Hop{VC: n.VC(c, i), Class: class})
	}
	return buf
}

// halves splits a range of VCs between two uses, 0 and 1. A single VC serves
// both; of an odd number the first use has one more.
type halves [2]span

func split(s span) halves {
	if s.hi-s.lo < 2 {
		return halves{s, s}
	}
	middle := s.hi - (s.hi-s.lo)/2
	return halves{{s.lo, middle}, {middle, s.hi}}
}

// of returns the use that VC index vc belongs to.
func (h halves) of(vc int) int {
	if h[0] != h[1] && vc >= h[1].lo {
		return 1
	}
	return 0
}
