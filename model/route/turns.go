package route

import (
	"github.com/turnproof/turnproof/model"
)

// This file is the relation that a turn set gives: from where a packet is it
// may take every shortest one of the ways that the set leaves.
//
// Source: Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003, section
// 3.2.5: shortest legal paths only, all of them, or the one by the lowest port.
// Premises: none of the set. If its turns close no cycle, neither do the
// dependencies, which are among them.
// Class: none; the turn is told by the VC that the packet is on.

// Restricted is a relation that keeps to a set of turns.
type Restricted interface {
	model.Relation
	// Turns returns the set. It must not be changed.
	Turns() *model.TurnSet
}

type turnRouting struct {
	relation
	legal *Legal
	dist  *rows // by VC between switches, channels to the destination
	one   bool
	any   bool // not only the shortest
}

// FromTurns returns the relation of all shortest ways that set leaves; with
// one, of the single way by the lowest port (and VC) at each switch.
func FromTurns(set *model.TurnSet, one bool) Restricted {
	return fromTurns(set, &turnRouting{one: one})
}

// AnyWay returns the relation of all ways that set leaves, shortest or not: a packet may
// go wherever its destination can still be reached from. It may go round for ever.
func AnyWay(set *model.TurnSet) Restricted {
	return fromTurns(set, &turnRouting{any: true})
}

func fromTurns(set *model.TurnSet, r *turnRouting) Restricted {
	n, l := set.Network(), NewLegal(set)
	r.relation, r.legal = relation{net: n}, l
	r.rule = r
	r.dist = newRows(n.NumSwitches(), max(n.NumLinkVCs(), 1), func(v model.SwitchID) []uint32 {
		s := &Search{Legal: l, Dist: make([]uint32, n.NumLinkVCs()), open: make([]uint64, len(l.fresh))}
		s.To(v)
		return s.Dist
	})
	return r
}

// Turns implements Restricted.
func (r *turnRouting) Turns() *model.TurnSet { return r.legal.set }

func (r *turnRouting) next(p place, buf []model.Hop) []model.Hop {
	dist, n := r.dist.to(p.v), r.net
	if n.Kind(p.in) == model.SwitchToSwitch {
		at := n.VC(p.in, p.vc)
		if dist[at] == far {
			return buf
		}
		for _, b := range r.legal.After(at) {
			if dist[b] == dist[at]-1 || r.any && dist[b] != far {
				buf = append(buf, model.Hop{VC: b, Class: p.class})
				if r.one {
					break
				}
			}
		}
		return buf
	}
	least := uint32(far)
	first := len(buf)
	for _, c := range n.Out(p.u) {
		if n.Kind(c) != model.SwitchToSwitch {
			continue
		}
		for i := range n.VCs() {
			b := n.VC(c, i)
			switch d := dist[b]; {
			case d == far || !r.any && (d > least || d == least && r.one):
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
