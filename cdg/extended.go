package cdg

import (
	"github.com/turnproof/turnproof/model"
)

// This file numbers the escape VCs of a relation by its extended channel dependency graph (J.
// Duato, IEEE TPDS 4(12), 1993, and 6(10), 1995).
//
// The escape is a subrelation: some of the hops of each state. Let a and b be escape VCs. VC b
// depends on VC a if a packet on a may make any number of other hops and then request b by an
// escape hop. The dependency is direct if there are no other hops, else indirect. If the packet
// reached a by another hop than an escape hop, it is a cross dependency.
//
// The graph is not built, because it can have many indirect dependencies. The states serve as
// intermediate vertices: a leads to the states of packets on a, a state leads to the next state
// along another hop, and to b along an escape hop. Repeatedly removing vertices without
// predecessors (Kahn 1962) gives the numbering.
//
// Invariant: an escape VC is removed after every state that may request it. A state is removed
// after its VC and after all its predecessors. Cost: O(reachable states × hops), two calls of
// Next per state. Memory: four bytes per destination, VC and class.

// Escape reports whether hop h of state s belongs to the escape.
type Escape func(s model.State, h model.Hop) bool

// Extended is the result of NumberEscape.
type Extended struct {
	// Ranks is indexed by VC between switches. The k escape VCs have ranks 0..k-1 that increase
	// along every extended dependency; other VCs have -1. If nil, there is a cycle or a state
	// without escape.
	Ranks []int32
	// Stuck is a packet in a state that permits neither an escape hop nor ejection, or nil.
	Stuck *Packet
}

// MaxExtended is the maximum of destinations × VCs × classes for NumberEscape. It bounds
// memory.
const MaxExtended = 1 << 29

// NumberEscape numbers the escape VCs of r. A cycle of states along hops that are not escape
// hops also counts as a cycle; unbounded non-minimal routing has such cycles. It returns nil if
// r exceeds MaxExtended.
func NumberEscape(r model.Relation, escape Escape) *Extended {
	size := r.Network().NumVCs() * r.Classes()
	if size > 0 && r.Destinations() > MaxExtended/size {
		return nil
	}
	e := &escapeNumbering{rel: r, net: r.Network(), escape: escape, size: size,
		into: make([]int32, r.Destinations()*size), vcInto: make([]int32, r.Network().NumLinkVCs())}
	for v := range e.vcInto {
		e.vcInto[v] = -1
	}
	if stuck := e.count(); stuck != nil {
		return &Extended{Stuck: stuck}
	}
	return &Extended{Ranks: e.number()}
}

type escapeNumbering struct {
	rel    model.Relation
	net    *model.Network
	escape Escape
	size   int
	into   []int32 // by destination, VC and class: 0 if not reachable, else 1 + the remaining predecessors
	vcInto []int32 // by VC: remaining escape hops to it, or -1 if it is not an escape VC
	todo   []int   // states without remaining predecessors
	ready  []model.VCID
	hops   []model.Hop
}

func (e *escapeNumbering) place(s model.State) int {
	return int(s.Dest)*e.size + int(s.VC)*e.rel.Classes() + int(s.Class)
}

// count finds the escape VCs and counts the predecessors of each state and VC. It returns a
// packet in a state without escape, or nil.
func (e *escapeNumbering) count() *Packet {
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

// number removes vertices without predecessors and returns the ranks, or nil if some remain.
func (e *escapeNumbering) number() []int32 {
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
			e.removeState(at)
			continue
		}
		v := e.ready[0]
		e.ready = e.ready[1:]
		ranks[v] = rank
		rank++
		for d := range e.rel.Destinations() {
			for c := range e.rel.Classes() {
				e.decrement(d*e.size + int(v)*e.rel.Classes() + c)
			}
		}
	}
	if rank < escapes {
		return nil
	}
	return ranks
}

// decrement removes one predecessor of a state if the state is reachable.
func (e *escapeNumbering) decrement(at int) {
	if e.into[at] == 0 {
		return
	}
	if e.into[at]--; e.into[at] == 1 {
		e.todo = append(e.todo, at)
	}
}

// removeState removes a state and its outgoing edges.
func (e *escapeNumbering) removeState(at int) {
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
			e.decrement(e.place(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}))
		}
	}
}
