package cdg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
// States with the same hops (model.Grouped) lead to one vertex, and that leads where the hops lead.
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

// NumberEscape numbers the escape VCs of r. byHop says that escape does not look at the state. A
// cycle of states along hops that are not escape hops also counts as a cycle; unbounded
// non-minimal routing has such cycles. NumberEscape returns nil if r exceeds MaxExtended. It
// fails if ctx ends or the relation permits an invalid hop (*BadHop).
func NumberEscape(ctx context.Context, r model.Relation, escape Escape, byHop bool) (*Extended, error) {
	groups := Groups(r)
	e := &escaping{rel: r, net: r.Network(), escape: escape, groups: groups, states: r.Network().NumVCs() * r.Classes()}
	e.size = e.states
	if g, ok := r.(model.Grouped); ok && byHop {
		e.group(g)
	}
	if size := e.size; size > 0 && len(groups) > MaxExtended/size {
		return nil, nil
	}
	switch most := mostPredecessors(r); {
	case most < math.MaxUint8:
		return numberEscape[uint8](ctx, e)
	case most < math.MaxUint16:
		return numberEscape[uint16](ctx, e)
	}
	return numberEscape[uint32](ctx, e)
}

// mostPredecessors bounds the predecessors of a state in the graph of NumberEscape, and adds one.
func mostPredecessors(r model.Relation) int {
	n, most := r.Network(), 0
	for u := range model.SwitchID(n.NumSwitches()) {
		most = max(most, len(n.Out(u)))
	}
	return 2 + most*n.VCs()*r.Classes()
}

// escaping is a relation with an escape, and how the vertices of its graph are numbered.
type escaping struct {
	rel    model.Relation
	net    *model.Network
	escape Escape
	groups []Group
	states int          // for each group of destinations, vertices 0..states-1 are states by VC and class
	size   int          // the others have the hops of groups of VCs; if there are none, states have them
	of     []int32      // by VC: its group
	first  []model.VCID // by group of VCs: its first VC
}

// group gives the hops of each group of VCs a vertex, if there are fewer groups than VCs between switches.
func (e *escaping) group(g model.Grouped) {
	of, groups := groupsOf(g)
	first, different := make([]model.VCID, groups), 0
	for i := range first {
		first[i] = model.NoVC
	}
	for v := range slices.Backward(of) {
		if first[of[v]] == model.NoVC {
			different++
		}
		first[of[v]] = model.VCID(v)
	}
	if different < e.net.NumLinkVCs() {
		e.of, e.first, e.size = of, first, e.states+groups*e.rel.Classes()
	}
}

// hopsOf returns the vertex with the hops of a state, given that of the state.
func (e *escaping) hopsOf(state int) int {
	if e.of == nil {
		return state
	}
	k := e.rel.Classes()
	return e.states + int(e.of[state/k])*k + state%k
}

// stateOf returns a state with the hops of a vertex of the numbered group of destinations.
func (e *escaping) stateOf(vertex, group int) model.State {
	k := e.rel.Classes()
	v := model.VCID(vertex / k)
	if vertex >= e.states {
		v = e.first[(vertex-e.states)/k]
	}
	return model.State{VC: v, Dest: e.groups[group].Dests[0], Class: model.Class(vertex % k)}
}

// escapeNumbering is the state of NumberEscape. T counts the predecessors of a vertex.
type escapeNumbering[T uint8 | uint16 | uint32] struct {
	*escaping
	into   []T     // by group of destinations and vertex: 0 if not reachable, else 1 + the remaining predecessors
	vcInto []int32 // by VC: remaining escape hops to it, or -1 if it is not an escape VC
	todo   []int   // vertices without remaining predecessors, of one group
	ready  []model.VCID
	hops   []model.Hop
}

func numberEscape[T uint8 | uint16 | uint32](ctx context.Context, x *escaping) (*Extended, error) {
	e := &escapeNumbering[T]{escaping: x, into: make([]T, len(x.groups)*x.size), vcInto: make([]int32, x.net.NumLinkVCs())}
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
	err := EachGroup(ctx, e.rel, workers, e.groups, func(w int, group *Group, s *Space) error {
		if vcInto[w] == nil {
			vcInto[w] = make([]int32, len(e.vcInto))
		}
		return e.countGroup(e.into[group.Number*e.size:], vcInto[w], s)
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

// countGroup counts the predecessors of the vertices of one group, and the escape hops by VC.
func (e *escapeNumbering[T]) countGroup(into []T, vcInto []int32, s *Space) error {
	place := func(st model.State) int { return int(st.VC)*e.rel.Classes() + int(st.Class) }
	for i, st := range s.States {
		at := place(st)
		into[at]++
		out := false
		hops, next := s.HopsOf(i)
		from := e.hopsOf(at)
		known := from != at && into[from] > 0
		if from != at {
			if into[from]++; !known {
				into[from]++
			}
		}
		for k, h := range hops {
			switch {
			case next[k] < 0:
				out = true
			case e.escape(st, h):
				if out = true; !known {
					vcInto[h.VC]++
				}
			case !known:
				to := place(s.States[next[k]])
				if into[to]++; into[to] == 0 {
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
			e.removeFrom(at)
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
					e.removeFrom(at)
				}
			}
		}
	}
	if rank < escapes {
		return nil, nil
	}
	return ranks, nil
}

// decrement removes one predecessor of a vertex if the vertex is reachable. It reports whether none remains.
func (e *escapeNumbering[T]) decrement(at int) bool {
	if e.into[at] == 0 {
		return false
	}
	e.into[at]--
	return e.into[at] == 1
}

// removeFrom removes a vertex without predecessors, and those that have none then.
func (e *escapeNumbering[T]) removeFrom(at int) {
	for e.todo = append(e.todo[:0], at); len(e.todo) > 0; {
		at := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		e.into[at] = 0 // not again
		e.remove(at)
	}
}

// remove removes a vertex and its outgoing edges.
func (e *escapeNumbering[T]) remove(at int) {
	group, vertex := at/e.size, at%e.size
	if vertex < e.states && e.of != nil {
		e.lower(group*e.size + e.hopsOf(vertex))
		return
	}
	s := e.stateOf(vertex, group)
	e.hops = e.rel.Next(s, e.hops[:0])
	for _, h := range e.hops {
		switch {
		case !e.net.IsLinkVC(h.VC):
		case e.escape(s, h):
			if e.vcInto[h.VC]--; e.vcInto[h.VC] == 0 {
				e.ready = append(e.ready, h.VC)
			}
		default:
			e.lower(group*e.size + int(h.VC)*e.rel.Classes() + int(h.Class))
		}
	}
}

// lower removes one predecessor of a vertex that is to be removed when none remains.
func (e *escapeNumbering[T]) lower(at int) {
	if e.decrement(at) {
		e.todo = append(e.todo, at)
	}
}
