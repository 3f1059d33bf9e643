package worms

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file lists the states on VCs between switches as one graph, in which worms lie on paths.
//
// Destinations with the same states, hops and injections share them. States are in the order of the
// first such destination, then of VC and class; the edges of a state are in the order of their targets.
// verify/cert numbers them in the same way.
//
// Cost: O(reachable states × hops). Memory: about 40 bytes for each state and 12 for each edge.

// maxWormEdges bounds the states and edges of a Graph.
const maxWormEdges = 1 << 23

var errTooLarge = errors.New("too many states")

// Graph is the states of a relation that worms can lie on.
type Graph struct {
	network *model.Network
	states  []model.State
	Edges
	from    []int32        // by edge: its state
	leaves  []bool         // by state: a packet there is dropped, or may be ejected
	commits []bool         // by state: a packet there waits for one of several hops
	source  []model.State  // by state: a state of injection with a hop to it; its VC is model.NoVC if there is none
	before  []int32        // edges, grouped by the state they lead to
	firstIn []int32        // by state: its first entry of before; one more entry at the end
	on      [][]int32      // by VC between switches: its states
	drops   bool           // some state has no hop
	like    []model.DestID // by destination: the first destination with the same states
	model   *reach.Model   // of moves; if nil, no search needed it yet
	canHold CanHold        // limits the VCs of a worm; may be nil
}

// New returns the states of r. If they are too many, it returns nil. Packets in states for which
// commits returns true wait for one hop. If commits is nil, no state commits.
func New(ctx context.Context, r model.Relation, commits func(model.State) bool) (*Graph, error) {
	return NewOf(ctx, r, commits, cdg.Groups(r))
}

// NewOf returns the states of packets to some groups of destinations.
func NewOf(ctx context.Context, r model.Relation, commits func(model.State) bool, groups []cdg.Group) (*Graph, error) {
	for i := range groups {
		groups[i].Number = i
	}
	parts := make([]*Graph, len(groups))
	var size atomic.Int64
	err := cdg.EachGroup(ctx, r, parallel.Workers(len(groups)), groups, func(_ int, group *cdg.Group, s *cdg.Space) error {
		p := partOf(r.Network(), s, commits)
		if size.Add(int64(len(p.states)+len(p.To))) > maxWormEdges {
			return errTooLarge
		}
		parts[group.Number] = p
		return nil
	})
	if errors.Is(err, errTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	g := &Graph{network: r.Network(), like: make([]model.DestID, r.Destinations())}
	known := map[string]model.DestID{}
	for i, p := range parts {
		key, first := string(p.key()), groups[i].Dests[0]
		like, isKnown := known[key]
		if !isKnown {
			known[key], like = first, first
			g.add(p)
		}
		for _, d := range groups[i].Dests {
			g.like[d] = like
		}
		g.drops = g.drops || p.drops
	}
	g.index()
	return g, nil
}

// partOf returns the states of one destination.
func partOf(n *model.Network, s *cdg.Space, commits func(model.State) bool) *Graph {
	g := &Graph{network: n}
	var order []int32 // states of s between switches
	for i, st := range s.States {
		if n.IsLinkVC(st.VC) {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := s.States[a], s.States[b]
		if x.VC != y.VC {
			return int(x.VC) - int(y.VC)
		}
		return int(x.Class) - int(y.Class)
	})
	place := make([]int32, len(s.States))
	for k, i := range order {
		place[i] = int32(k)
		g.states = append(g.states, s.States[i])
		g.source = append(g.source, model.State{VC: model.NoVC})
	}
	for i := range s.States {
		hops, _ := s.HopsOf(i)
		g.drops = g.drops || len(hops) == 0
	}
	for k, i := range order {
		hops, next := s.HopsOf(int(i))
		g.First = append(g.First, int32(len(g.To)))
		g.commits = append(g.commits, commits != nil && waits.IsChoice(hops) && commits(s.States[i]))
		g.leaves = append(g.leaves, len(hops) == 0 || slices.Min(next) < 0)
		begin := len(g.To)
		for _, j := range next {
			if j >= 0 {
				g.To = append(g.To, place[j])
			}
		}
		slices.Sort(g.To[begin:])
		g.To = append(g.To[:begin], slices.Compact(g.To[begin:])...)
		for range len(g.To) - begin {
			g.from = append(g.from, int32(k))
		}
	}
	for i, st := range s.States {
		if n.IsLinkVC(st.VC) {
			continue
		}
		_, next := s.HopsOf(i)
		for _, j := range next {
			if j >= 0 && g.source[place[j]].VC == model.NoVC {
				g.source[place[j]] = st
			}
		}
	}
	return g
}

// key returns equal keys for the states of destinations that differ in nothing but the destination.
func (g *Graph) key() (key []byte) {
	for i, s := range g.states {
		key = binary.LittleEndian.AppendUint32(key, uint32(s.VC))
		key = binary.LittleEndian.AppendUint32(key, uint32(s.Class))
		for _, is := range []bool{g.leaves[i], g.commits[i], g.source[i].VC != model.NoVC} {
			key = append(key, 0)
			if is {
				key[len(key)-1] = 1
			}
		}
		edges := g.edges(int32(i))
		key = binary.LittleEndian.AppendUint32(key, uint32(len(edges)))
		for _, to := range edges {
			key = binary.LittleEndian.AppendUint32(key, uint32(to))
		}
	}
	return key
}

// add appends the states of another destination.
func (g *Graph) add(p *Graph) {
	states, edges := int32(len(g.states)), int32(len(g.To))
	g.states, g.source = append(g.states, p.states...), append(g.source, p.source...)
	g.leaves, g.commits = append(g.leaves, p.leaves...), append(g.commits, p.commits...)
	for _, e := range p.First {
		g.First = append(g.First, e+edges)
	}
	for e, to := range p.To {
		g.To, g.from = append(g.To, to+states), append(g.from, p.from[e]+states)
	}
}

// index fills the lists that lead backwards.
func (g *Graph) index() {
	g.First = append(g.First, int32(len(g.To)))
	g.firstIn = make([]int32, len(g.states)+2)
	for _, to := range g.To {
		g.firstIn[to+2]++
	}
	for i := range g.states {
		g.firstIn[i+2] += g.firstIn[i+1]
	}
	g.before = make([]int32, len(g.To))
	for e, to := range g.To {
		g.before[g.firstIn[to+1]] = int32(e)
		g.firstIn[to+1]++
	}
	g.on = make([][]int32, g.network.NumLinkVCs())
	for i, s := range g.states {
		g.on[s.VC] = append(g.on[s.VC], int32(i))
	}
}

// edgesInto returns the edges that lead to state i.
func (g *Graph) edgesInto(i int32) []int32 { return g.before[g.firstIn[i]:g.firstIn[i+1]] }

// nextVCs returns the different VCs of the next states of state i, ascending.
func (g *Graph) nextVCs(i int32) (vcs []model.VCID) {
	for _, to := range g.edges(i) {
		vcs = append(vcs, g.states[to].VC)
	}
	slices.Sort(vcs)
	return slices.Compact(vcs)
}
