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
	leader []model.VCID // by group of VCs: its first VC
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
		e.of, e.leader, e.size = of, first, e.states+groups*e.rel.Classes()
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
		v = e.leader[(vertex-e.states)/k]
	}
	return model.State{VC: v, Dest: e.groups[group].Dests[0], Class: model.Class(vertex % k)}
}

// escapeNumbering is the state of NumberEscape. T counts the predecessors of a vertex.
type escapeNumbering[T uint8 | uint16 | uint32] struct {
	*escaping
	tiles  []tile[T]
	vcInto []int32 // by VC: remaining escape hops to it, or -1 if it is not an escape VC
}

// tile is some groups of destinations, width of them from number first. Their counts are interleaved, because removing
// an escape VC changes those of the same few vertices in most groups.
type tile[T uint8 | uint16 | uint32] struct {
	first, width int
	into         []T // by vertex and group: 0 if not reachable, else 1 + the remaining predecessors
}

// maxWidth is the largest width of a tile: the counts of a vertex fill a cache line.
const maxWidth = 64

// makeTiles divides the groups such that each worker has several tiles.
func makeTiles[T uint8 | uint16 | uint32](groups, size int) (tiles []tile[T]) {
	width := max(1, min(maxWidth, groups/(8*parallel.Workers(groups))))
	for first := 0; first < groups; first += width {
		w := min(width, groups-first)
		tiles = append(tiles, tile[T]{first, w, make([]T, size*w)})
	}
	return tiles
}

func numberEscape[T uint8 | uint16 | uint32](ctx context.Context, x *escaping) (*Extended, error) {
	e := &escapeNumbering[T]{escaping: x, tiles: makeTiles[T](len(x.groups), x.size), vcInto: make([]int32, x.net.NumLinkVCs())}
	err := e.count(ctx)
	var stuck *stuckError
	if errors.As(err, &stuck) {
		return &Extended{Stuck: stuck.packet}, nil
	}
	if err != nil {
		return nil, err
	}
	ranks, err := e.number(ctx)
	return &Extended{Ranks: ranks}, err
}

// stuckError is the error for a packet in a state without escape.
type stuckError struct{ packet *Packet }

// Error implements error.
func (*stuckError) Error() string { return "a packet is in a state without escape" }

// counter counts the predecessors in one tile after another.
type counter[T uint8 | uint16 | uint32] struct {
	*escaping
	explorer *Explorer
	into     []T     // by group of the tile and vertex
	vcInto   []int32 // as in escapeNumbering
}

// count finds the escape VCs and counts the predecessors of each state and VC. It fails with a *stuckError if a state has no
// escape.
func (e *escapeNumbering[T]) count(ctx context.Context) error {
	workers := make([]counter[T], parallel.Workers(len(e.tiles)))
	err := parallel.Do(ctx, len(workers), len(e.tiles), func(w, i int) error {
		if c := &workers[w]; c.explorer == nil {
			*c = counter[T]{e.escaping, NewExplorer(e.rel), make([]T, len(e.tiles[0].into)), make([]int32, len(e.vcInto))}
		}
		return workers[w].countTile(&e.tiles[i])
	})
	if err != nil {
		return err
	}
	for v := range e.vcInto {
		for _, c := range workers {
			if c.vcInto != nil {
				e.vcInto[v] += c.vcInto[v]
			}
		}
		if e.vcInto[v] == 0 {
			e.vcInto[v] = -1
		}
	}
	// An escape VC leads to the states of packets on it.
	for _, t := range e.tiles {
		for v, k := range e.vcInto {
			for at := v * e.rel.Classes() * t.width; k >= 0 && at < (v+1)*e.rel.Classes()*t.width; at++ {
				if t.into[at] > 0 {
					t.into[at]++
				}
			}
		}
	}
	return nil
}

// countTile counts the predecessors of the vertices of a tile, and the escape hops by VC.
func (c *counter[T]) countTile(t *tile[T]) error {
	into := c.into[:len(t.into)]
	clear(into)
	for i := range t.width {
		s := c.explorer.Explore(c.groups[t.first+i].Dests[0])
		if err := c.explorer.Err(); err != nil {
			return err
		}
		if err := c.countGroup(into[i*c.size:(i+1)*c.size], s); err != nil {
			return err
		}
	}
	for low := 0; low < c.size; low += maxWidth { // in squares that fit into the cache
		for i := range t.width {
			row := into[i*c.size : (i+1)*c.size]
			for v := low; v < min(low+maxWidth, c.size); v++ {
				t.into[v*t.width+i] = row[v]
			}
		}
	}
	return nil
}

// countGroup counts the predecessors of the vertices of one group.
func (c *counter[T]) countGroup(into []T, s *Space) error {
	place := func(st model.State) int { return int(st.VC)*c.rel.Classes() + int(st.Class) }
	for i, st := range s.States {
		at := place(st)
		into[at]++
		out := false
		hops, next := s.HopsOf(i)
		from := c.hopsOf(at)
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
			case c.escape(st, h):
				if out = true; !known {
					c.vcInto[h.VC]++
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
			first, _ := c.net.Channel(path[0].VC)
			return &stuckError{&Packet{Source: c.net.HostOf(first), Dest: s.Dest, Path: path}}
		}
	}
	return nil
}

// number removes vertices without predecessors and returns the ranks, or nil if some remain. It removes all escape VCs
// without predecessors at once, and the vertices after them tile by tile, on all processors.
func (e *escapeNumbering[T]) number(ctx context.Context) ([]int32, error) {
	ranks, rank, escapes := make([]int32, len(e.vcInto)), int32(0), int32(0)
	for v, k := range e.vcInto {
		if ranks[v] = -1; k >= 0 {
			escapes++
		}
	}
	workers := make([]remover[T], parallel.Workers(len(e.tiles)))
	for i := range workers {
		workers[i] = remover[T]{escaping: e.escaping, requests: make([]int32, len(e.vcInto))}
	}
	ready, err := e.removeAll(ctx, workers, func(r *remover[T]) {
		for at, k := range r.into {
			if k == 1 {
				r.removeFrom(at)
			}
		}
	})
	for len(ready) > 0 && err == nil {
		for _, v := range ready {
			ranks[v] = rank
			rank++
		}
		level := ready
		ready, err = e.removeAll(ctx, workers, func(r *remover[T]) {
			each := r.rel.Classes() * r.width // counts of a VC
			for _, v := range level {
				for at := int(v) * each; at < (int(v)+1)*each; at++ {
					if r.decrement(at) {
						r.removeFrom(at)
					}
				}
			}
		})
	}
	if err != nil || rank < escapes {
		return nil, err
	}
	return ranks, nil
}

// removeAll calls remove for each tile. It returns the escape VCs that lose their last predecessor, ascending.
func (e *escapeNumbering[T]) removeAll(ctx context.Context, workers []remover[T], remove func(r *remover[T])) (ready []model.VCID, err error) {
	err = parallel.Do(ctx, len(workers), len(e.tiles), func(w, i int) error {
		workers[w].tile = e.tiles[i]
		remove(&workers[w])
		return nil
	})
	for i := range workers {
		r := &workers[i]
		for _, v := range r.requested {
			if e.vcInto[v] -= r.requests[v]; e.vcInto[v] == 0 {
				ready = append(ready, v)
			}
			r.requests[v] = 0
		}
		r.requested = r.requested[:0]
	}
	slices.Sort(ready)
	return ready, err
}

// remover removes vertices of one tile after another. A vertex has a place in tile.into for each group.
type remover[T uint8 | uint16 | uint32] struct {
	*escaping
	tile[T]
	requests  []int32      // by VC: escape hops to it that were removed
	requested []model.VCID // the VCs with requests
	todo      []int        // places of vertices without remaining predecessors
	hops      []model.Hop
}

// decrement removes one predecessor of a vertex if the vertex is reachable. It reports whether none remains.
func (r *remover[T]) decrement(at int) bool {
	if r.into[at] == 0 {
		return false
	}
	r.into[at]--
	return r.into[at] == 1
}

// removeFrom removes a vertex without predecessors, and those that have none then.
func (r *remover[T]) removeFrom(at int) {
	for r.todo = append(r.todo[:0], at); len(r.todo) > 0; {
		at := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.into[at] = 0 // not again
		r.remove(at/r.width, at%r.width)
	}
}

// remove removes a vertex of a group of the tile and its outgoing edges.
func (r *remover[T]) remove(vertex, group int) {
	if vertex < r.states && r.of != nil {
		r.lower(r.hopsOf(vertex)*r.width + group)
		return
	}
	s := r.stateOf(vertex, r.first+group)
	r.hops = r.rel.Next(s, r.hops[:0])
	for _, h := range r.hops {
		switch {
		case !r.net.IsLinkVC(h.VC):
		case r.escape(s, h):
			if r.requests[h.VC]++; r.requests[h.VC] == 1 {
				r.requested = append(r.requested, h.VC)
			}
		default:
			r.lower((int(h.VC)*r.rel.Classes()+int(h.Class))*r.width + group)
		}
	}
}

// lower removes one predecessor of a vertex that is to be removed when none remains.
func (r *remover[T]) lower(at int) {
	if r.decrement(at) {
		r.todo = append(r.todo, at)
	}
}
