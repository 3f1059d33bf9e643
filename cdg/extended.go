package cdg

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/internal/parallel"
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
// Next per state. Memory: one byte per group of destinations (see Groups), VC and class.

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

// MaxExtended is the maximum of groups of destinations × VCs × classes for NumberEscape. It bounds
// memory: one byte for each, or two or four in networks with hundreds of links or VCs at a switch.
const MaxExtended = 1 << 31

// NumberEscape numbers the escape VCs of r. A cycle of states along hops that are not escape
// hops also counts as a cycle; unbounded non-minimal routing has such cycles. It returns nil if
// r exceeds MaxExtended. It fails if ctx ends or the relation permits an invalid hop (*BadHop).
func NumberEscape(ctx context.Context, r model.Relation, escape Escape) (*Extended, error) {
	groups := Groups(r)
	size := r.Network().NumVCs() * r.Classes()
	if size > 0 && len(groups) > MaxExtended/size {
		return nil, nil
	}
	switch most := mostPredecessors(r); {
	case most < math.MaxUint8:
		return numberEscape[uint8](ctx, r, escape, groups)
	case most < math.MaxUint16:
		return numberEscape[uint16](ctx, r, escape, groups)
	}
	return numberEscape[uint32](ctx, r, escape, groups)
}

// mostPredecessors bounds the predecessors of a state in the graph of NumberEscape, and adds one.
func mostPredecessors(r model.Relation) int {
	n, most := r.Network(), 0
	for u := range model.SwitchID(n.NumSwitches()) {
		most = max(most, len(n.Out(u)))
	}
	return 2 + most*n.VCs()*r.Classes()
}

// escapeNumbering is the state of NumberEscape. T counts the predecessors of a state.
type escapeNumbering[T uint8 | uint16 | uint32] struct {
	rel    model.Relation
	net    *model.Network
	escape Escape
	groups [][]model.DestID
	size   int
	into   []T     // by group, VC and class: 0 if not reachable, else 1 + the remaining predecessors
	vcInto []int32 // by VC: remaining escape hops to it, or -1 if it is not an escape VC
	todo   []int   // states without remaining predecessors, of one group
	ready  []model.VCID
	hops   []model.Hop
}

func numberEscape[T uint8 | uint16 | uint32](ctx context.Context, r model.Relation, escape Escape, groups [][]model.DestID) (*Extended, error) {
	size := r.Network().NumVCs() * r.Classes()
	e := &escapeNumbering[T]{rel: r, net: r.Network(), escape: escape, groups: groups, size: size,
		into: make([]T, len(groups)*size), vcInto: make([]int32, r.Network().NumLinkVCs())}
	stuck, err := e.count(ctx)
	if stuck != nil || err != nil {
		return &Extended{Stuck: stuck}, err
	}
	ranks, err := e.number(ctx)
	return &Extended{Ranks: ranks}, err
}

// stuckError carries a packet out of EachGroup.
type stuckError struct{ packet *Packet }

// Error implements error.
func (*stuckError) Error() string { return "a packet is in a state without escape" }

// count finds the escape VCs and counts the predecessors of each state and VC. It returns a
// packet in a state without escape, or nil.
func (e *escapeNumbering[T]) count(ctx context.Context) (*Packet, error) {
	workers := parallel.Workers(len(e.groups))
	vcInto := make([][]int32, workers)
	place := make(map[model.DestID]int, len(e.groups))
	for i, group := range e.groups {
		place[group[0]] = i
	}
	err := EachGroup(ctx, e.rel, workers, e.groups, func(w int, group []model.DestID, s *Space) error {
		if vcInto[w] == nil {
			vcInto[w] = make([]int32, len(e.vcInto))
		}
		return e.countGroup(e.into[place[group[0]]*e.size:], vcInto[w], s)
	})
	var stuck *stuckError
	if errors.As(err, &stuck) {
		return stuck.packet, nil
	}
	if err != nil {
		return nil, err
	}
	for v := range e.vcInto {
		for _, list := range vcInto {
			if list != nil {
				e.vcInto[v] += list[v]
			}
		}
		if e.vcInto[v] == 0 {
			e.vcInto[v] = -1
		}
	}
	// An escape VC leads to the states of packets on it.
	classes := e.rel.Classes()
	for g := range e.groups {
		for v, k := range e.vcInto {
			for c := 0; k >= 0 && c < classes; c++ {
				if at := g*e.size + v*classes + c; e.into[at] > 0 {
					e.into[at]++
				}
			}
		}
	}
	return nil, nil
}

// countGroup counts the predecessors of the states of one group, in into by VC and class, and the escape hops by VC.
func (e *escapeNumbering[T]) countGroup(into []T, vcInto []int32, s *Space) error {
	place := func(st model.State) int { return int(st.VC)*e.rel.Classes() + int(st.Class) }
	for i, st := range s.States {
		into[place(st)]++
		out := false
		hops, next := s.HopsOf(i)
		for k, h := range hops {
			switch {
			case next[k] < 0:
				out = true
			case e.escape(st, h):
				out = true
				vcInto[h.VC]++
			default:
				at := place(s.States[next[k]])
				if into[at]++; into[at] == 0 {
					return fmt.Errorf("cdg: more hops lead to VC %d than there are VCs before it", h.VC)
				}
			}
		}
		if !out {
			path := s.PathTo(i)
			first, _ := e.net.Channel(path[0].VC)
			return &stuckError{&Packet{Source: e.net.HostOf(first), Dest: s.Dest, Path: path}}
		}
	}
	return nil
}

// number removes vertices without predecessors and returns the ranks, or nil if some remain.
func (e *escapeNumbering[T]) number(ctx context.Context) ([]int32, error) {
	ranks, rank, escapes := make([]int32, len(e.vcInto)), int32(0), int32(0)
	for v, k := range e.vcInto {
		if ranks[v] = -1; k >= 0 {
			escapes++
		}
	}
	for at := range e.into {
		if e.into[at] == 1 {
			e.removeStates(at)
		}
	}
	for len(e.ready) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := e.ready[0]
		e.ready = e.ready[1:]
		ranks[v] = rank
		rank++
		for g := range e.groups {
			for c := range e.rel.Classes() {
				if at := g*e.size + int(v)*e.rel.Classes() + c; e.decrement(at) {
					e.removeStates(at)
				}
			}
		}
	}
	if rank < escapes {
		return nil, nil
	}
	return ranks, nil
}

// decrement removes one predecessor of a state if the state is reachable. It reports whether none remains.
func (e *escapeNumbering[T]) decrement(at int) bool {
	if e.into[at] == 0 {
		return false
	}
	e.into[at]--
	return e.into[at] == 1
}

// removeStates removes a state without predecessors, and those that have none then.
func (e *escapeNumbering[T]) removeStates(at int) {
	for e.todo = append(e.todo[:0], at); len(e.todo) > 0; {
		at := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		e.into[at] = 0 // not again
		e.removeState(at)
	}
}

// removeState removes a state and its outgoing edges.
func (e *escapeNumbering[T]) removeState(at int) {
	classes := e.rel.Classes()
	group := at / e.size
	s := model.State{VC: model.VCID(at % e.size / classes), Dest: e.groups[group][0], Class: model.Class(at % classes)}
	e.hops = e.rel.Next(s, e.hops[:0])
	for _, h := range e.hops {
		switch {
		case !e.net.IsLinkVC(h.VC):
		case e.escape(s, h):
			if e.vcInto[h.VC]--; e.vcInto[h.VC] == 0 {
				e.ready = append(e.ready, h.VC)
			}
		default:
			if to := group*e.size + int(h.VC)*classes + int(h.Class); e.decrement(to) {
				e.todo = append(e.todo, to)
			}
		}
	}
}
