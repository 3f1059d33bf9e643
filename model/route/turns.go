package route

import (
	"github.com/turnproof/turnproof/model"
)

// This file implements the relation of a turn set. A packet may take every shortest path that
// makes only turns of the set.
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section 3.2.5: only
// shortest legal paths, either all of them or the path by the lowest port. Premises: none.
// Every dependency is a turn of the set. If the turns close no cycle, neither do the
// dependencies. Class: none; the VC of a packet determines its permitted turns.

type turnRouting struct {
	relation
	legal *Legal
	dist  *rowCache // by VC between switches: channels to the destination
	one   bool
	any   bool // paths of any length, not only the shortest
}

// FromTurns returns the relation of all shortest paths with turns of set. If one is set, each
// packet has a single path, by the lowest port and VC at each switch.
func FromTurns(set *model.TurnSet, one bool) model.Restricted {
	return fromTurns(set, &turnRouting{one: one})
}

// AnyPath returns the relation of all paths with turns of set, of any length. A packet may take
// any hop from which its destination can be reached. A packet may circulate without end.
func AnyPath(set *model.TurnSet) model.Restricted {
	return fromTurns(set, &turnRouting{any: true})
}

func fromTurns(set *model.TurnSet, r *turnRouting) model.Restricted {
	n, l := set.Network(), NewLegal(set)
	r.relation, r.legal = relation{net: n}, l
	r.rule = r
	r.dist = newRowCache(n.NumSwitches(), max(n.NumLinkVCs(), 1), func(v model.SwitchID) []uint32 {
		s := &Search{Legal: l, Dist: make([]uint32, n.NumLinkVCs()), open: make([]uint64, len(l.fresh))}
		s.To(v)
		return s.Dist
	})
	return r
}

// Turns implements model.Restricted.
func (r *turnRouting) Turns() *model.TurnSet { return r.legal.set }

// group: packets from hosts of one switch have the same hops.
func (r *turnRouting) group(in model.ChannelID, vc int) int {
	if r.net.Kind(in) == model.Inject {
		return r.net.NumLinkVCs() + int(r.net.Head(in))
	}
	return int(r.net.VC(in, vc))
}

// keeps: the paths depend on the network and the turns only, unless a packet has a single path.
func (r *turnRouting) keeps(a *model.Automorphism) bool {
	if r.one {
		return false
	}
	for t := range r.legal.set.All() {
		if !r.legal.set.Has(model.Turn{In: a.VC(t.In), Out: a.VC(t.Out)}) {
			return false
		}
	}
	return true
}

func (r *turnRouting) next(p place, buf []model.Hop) []model.Hop {
	dist, n := r.dist.to(p.v), r.net
	if n.Kind(p.in) == model.SwitchToSwitch {
		at := n.VC(p.in, p.vc)
		if dist[at] == unreachable {
			return buf
		}
		for _, b := range r.legal.After(at) {
			if dist[b] == dist[at]-1 || r.any && dist[b] != unreachable {
				buf = append(buf, model.Hop{VC: b, Class: p.class})
				if r.one {
					break
				}
			}
		}
		return buf
	}
	least := uint32(unreachable)
	first := len(buf)
	for _, c := range n.Out(p.u) {
		if n.Kind(c) != model.SwitchToSwitch {
			continue
		}
		for i := range n.VCs() {
			b := n.VC(c, i)
			switch d := dist[b]; {
			case d == unreachable || !r.any && (d > least || d == least && r.one):
				continue
			case r.any:
			case d < least:
				buf, least = buf[:first], d
			}
			buf = append(buf, model.Hop{VC: b, Class: p.class})
		}
	}
	return buf
}
