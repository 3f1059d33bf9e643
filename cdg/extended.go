package cdg

import (
	"github.com/turnproof/turnproof/model"
)

// This file numbers the escape VCs of a relation by its extended channel
// dependency graph (J. Duato, IEEE TPDS 4(12), 1993, and 6(10), 1995).
//
// The escape is a part of the relation: some of the hops of each state. VC b
// depends on VC a, both escape VCs of some state, when a packet on a may take
// any number of hops that are no escape hops (none: a direct dependency, else
// indirect) and then ask for b as its escape. A packet may be on a without
// having come there by an escape hop: those are the cross dependencies.
//
// The graph is not built, since indirect dependencies are many. Between the
// escape VCs stand the states: a leads to the states of packets on a, a state
// along a hop that is no escape hop to the next state, and along an escape hop
// to b. Taking away what nothing leads to any more (Kahn 1962) numbers it.
//
// Invariant: a VC is taken away after every state from which it may be asked
// for as escape, a state after its VC and all states that lead to it.
// Cost: O(reachable states × hops), two calls of Next a state. Memory: four
// bytes for each destination, VC and class.

// Escape tells whether hop h of state s belongs to the escape.
type Escape func(s model.State, h model.Hop) bool

// Extended is what numbering the escape VCs showed.
type Extended struct {
	// Ranks, by VC between switches, are 0..k-1 for the k escape VCs, each
	// rising along every extended dependency, and -1 for others. Nil: there is
	// a cycle, or a state without escape.
	Ranks []int32
	// Stuck is a packet in a state that permits neither an escape hop nor
	// ejection, nil if there is none.
	Stuck *Packet
}

// MaxExtended bounds the memory of NumberEscape: destinations × VCs × classes.
const MaxExtended = 1 << 29

// NumberEscape numbers the escape VCs of r. A cycle of states along hops that
// are no escape hops, which non-minimal routing without a bound has, also
// counts as a cycle. It returns nil if r is larger than MaxExtended.
func NumberEscape(r model.Relation, escape Escape) *Extended {
	size := r.Network().NumVCs() * r.Classes()
	if size > 0 && r.Destinations() > MaxExtended/size {
		return nil
	}
	e := &extender{rel: r, net: r.Network(), escape: escape, size: size,
		into: make([]int32, r.Destinations()*size), vcInto: make([]int32, r.Network().NumLinkVCs())}
	for v := range e.vcInto {
		e.vcInto[v] = -1
	}
	if stuck := e.count(); stuck != nil {
		return &Extended{Stuck: stuck}
	}
	return &Extended{Ranks: e.number()}
}

type extender struct {
	rel    model.Relation
	net    *model.Network
	escape Escape
	size   int
	into   []int32 // by destination, VC and class: 0 not reachable, else 1 + what leads here and is left
	vcInto []int32 // by VC: escape hops to it that are left; -1: no escape VC
	todo   []int   // states that nothing leads to any more
	ready  []model.VCID
	hops   []model.Hop
}

func (e *extender) place(s model.State) int {
	return int(s.Dest)*e.size + int(s.VC)*e.rel.Classes() + int(s.Class)
}

// count finds the escape VCs and counts what leads to each state and VC.
func (e *extender) count() *Packet {
	x := NewExplorer(e.rel)
	for d := range model.DestID(e.rel.Destinations()) {
		s := x.Explore(d)
		for i, st := range s.States {
			e.into[e.place(st)]++
			out := false
			hops, next := s.HopsOf(i)
			for k, h := range hops {
				switch {
				case next[k] < 0:
					out = true
				case e.escape(st, h):
					out = true
					e.vcInto[h.VC] = max(e.vcInto[h.VC], 0) + 1
				default:
					e.into[e.place(s.States[next[k]])]++
				}
			}
			if !out {
				path := s.PathTo(i)
				first, _ := e.net.Channel(path[0].VC)
				return &Packet{Source: e.net.HostOf(first), Dest: d, Path: path}
			}
		}
	}
	// An escape VC leads to the states of packets on it.
	for d := range e.rel.Destinations() {
		for v, k := range e.vcInto {
			for c := 0; k >= 0 && c < e.rel.Classes(); c++ {
				if at := d*e.size + v*e.rel.Classes() + c; e.into[at] > 0 {
					e.into[at]++
				}
			}
		}
	}
	return nil
}

// number takes away what nothing leads to; nil if something is left.
func (e *extender) number() []int32 {
	ranks, rank, escapes := make([]int32, len(e.vcInto)), int32(0), int32(0)
	for v, k := range e.vcInto {
		if ranks[v] = -1; k >= 0 {
			escapes++
		}
	}
	for at, k := range e.into {
		if k == 1 {
			e.todo = append(e.todo, at)
		}
	}
	for len(e.todo) > 0 || len(e.ready) > 0 {
		if len(e.todo) > 0 {
			at := e.todo[len(e.todo)-1]
			e.todo = e.todo[:len(e.todo)-1]
			e.leave(at)
			continue
		}
		v := e.ready[0]
		e.ready = e.ready[1:]
		ranks[v] = rank
		rank++
		for d := range e.rel.Destinations() {
			for c := range e.rel.Classes() {
				e.less(d*e.size + int(v)*e.rel.Classes() + c)
			}
		}
	}
	if rank < escapes {
		return nil
	}
	return ranks
}

// less counts one fewer that leads to a state, if that is reachable.
func (e *extender) less(at int) {
	if e.into[at] == 0 {
		return
	}
	if e.into[at]--; e.into[at] == 1 {
		e.todo = append(e.todo, at)
	}
}

// leave takes a state away.
func (e *extender) leave(at int) {
	classes := e.rel.Classes()
	s := model.State{VC: model.VCID(at % e.size / classes), Dest: model.DestID(at / e.size), Class: model.Class(at % classes)}
	e.hops = e.rel.Next(s, e.hops[:0])
	for _, h := range e.hops {
		switch {
		case !e.net.IsLinkVC(h.VC):
		case e.escape(s, h):
			if e.vcInto[h.VC]--; e.vcInto[h.VC] == 0 {
				e.ready = append(e.ready, h.VC)
			}
		default:
			e.less(e.place(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}))
		}
	}
}
