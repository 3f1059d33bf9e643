package parametric

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

// This file collects exact facts about small networks of the family: reachable states and
// dependencies. They guide the search for invariants and ranks, and tell whether an
// invariant or the template is too weak. They prove nothing.

// fact is a reachable, undelivered state on a channel. point has the coordinates of its head.
type fact struct {
	class class
	point []int64
}

// dependency is a pair of channels, each by node and tail.
type dependency struct {
	from, to         node
	fromTail, toTail []int64 // points of which only coordinates and sizes count
	first, last      bool    // in some state, the program names this output first, or last
}

type facts struct {
	states       []fact
	settings     [][]int
	moves        map[[2]class]bool
	taken        map[int]bool // paths
	dependencies []dependency
	relations    []model.Relation
}

// network returns the network of the family with this setting.
func (f *family) network(setting []int) (*model.Network, error) {
	sides, o := setting[:f.dims], f.options(setting)
	if f.complete() {
		return topo.HyperX(sides, nil, o)
	}
	switch kind := &f.program.Family; {
	case kind.Kind == program.HexGrid:
		return topo.HexGrid(sides, o)
	case kind.Kind == program.BrickWall:
		return topo.BrickWall(sides, o)
	case kind.Kind == program.Express:
		return topo.ExpressMesh(sides, kind.Interval, o)
	case !kind.Wrap():
		return topo.Mesh(sides, o)
	}
	wrap := make([]bool, f.dims)
	for d := range wrap {
		wrap[d] = f.wraps(d)
	}
	return topo.Wrapped(sides, wrap, o)
}

// addNetwork adds the facts of one network.
func (s *system) addNetwork(ctx context.Context, setting []int) (model.Relation, []string, error) {
	n, err := s.network(setting)
	if err != nil {
		return nil, nil, err
	}
	r, notes, err := s.program.Relation(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	s.facts.relations = append(s.facts.relations, r)
	s.facts.settings = append(s.facts.settings, slices.Clone(setting))
	s.addStates(r, setting)
	return r, notes, nil
}

// recompute computes the facts again, after classes were split.
func (s *system) recompute() {
	old := s.facts
	s.facts = newFacts()
	s.facts.relations, s.facts.settings, s.facts.taken = old.relations, old.settings, old.taken
	for i, r := range old.relations {
		s.addStates(r, old.settings[i])
	}
	if len(s.facts.states) == 0 {
		s.addWalks()
	}
}

func newFacts() *facts { return &facts{moves: map[[2]class]bool{}, taken: map[int]bool{}} }

// addStates adds the states and dependencies of a relation.
func (s *system) addStates(r model.Relation, setting []int) {
	n := r.Network()
	x := cdg.NewExplorer(r)
	seen := map[[2]model.VCID]int{} // index of the dependency, plus 1
	for d := range model.DestID(r.Destinations()) {
		to := s.coordinates(n, setting, n.Host(r.DestinationHost(d)).Switch)
		reached := x.Explore(d)
		for i, state := range reached.States {
			here, _ := n.Channel(state.VC)
			at := s.coordinates(n, setting, n.Head(here))
			if slices.Equal(at, to) && !s.program.Passes {
				continue
			}
			from, tail := s.channelOf(n, state.VC, int(state.Class), to, setting)
			if n.IsLinkVC(state.VC) {
				s.facts.states = append(s.facts.states, fact{from, s.point(at, to, setting)})
			}
			hops, _ := reached.HopsOf(i)
			for k, h := range hops {
				if !n.IsLinkVC(h.VC) {
					continue // delivered
				}
				next, head := s.channelOf(n, h.VC, int(h.Class), to, setting)
				s.facts.moves[[2]class{from, next}] = true
				if !n.IsLinkVC(state.VC) {
					continue
				}
				pair := [2]model.VCID{state.VC, h.VC}
				if s.pathsOnly {
					s.facts.addHop(s.hopOf(from, next, tail, head, k, len(hops)))
					continue
				}
				if seen[pair] == 0 {
					s.facts.dependencies = append(s.facts.dependencies, dependency{from: from.node(), to: next.node(), fromTail: tail, toTail: head})
					seen[pair] = len(s.facts.dependencies)
				}
				d := &s.facts.dependencies[seen[pair]-1]
				d.first, d.last = d.first || k == 0, d.last || k == len(hops)-1
			}
		}
	}
}

// recordTaken records which paths the states of small networks take.
func (s *system) recordTaken() {
	for _, f := range s.facts.states {
		for i := range s.paths {
			if s.paths[i].accepts(f.class) && allHold(s.paths[i].guard, f.point) {
				s.facts.taken[i] = true
				break
			}
		}
	}
}

// addWalks adds facts of packets that follow the program's paths at random, on networks that are too large to
// explore.
func (s *system) addWalks() {
	if s.complete() {
		return // a walk would have to choose values
	}
	random := rand.New(rand.NewPCG(5, 6))
	samples := s.samples()
	for _, start := range samples[:min(numWalks, len(samples))] {
		at, point := injected, slices.Clone(start)
		var tail []int64
		for range 100 {
			var next []class
			for i := range s.paths {
				if p := &s.paths[i]; p.accepts(at) && allHold(p.guard, point) {
					for k, o := range p.outputs {
						for _, b := range s.outputs(o) {
							if allHold(s.tailAtoms(b.dir, b.wrap), point) && s.regionAt(b.node().whole(), point) == b.region {
								next = append(next, b)
								s.facts.moves[[2]class{at, b}] = true
								if at != injected {
									s.facts.dependencies = append(s.facts.dependencies,
										dependency{s.nodeOf(at), s.nodeOf(b), tail, slices.Clone(point), k == 0, k == len(p.outputs)-1})
								}
							}
						}
					}
				}
			}
			if len(next) == 0 {
				break
			}
			at, tail = next[random.IntN(len(next))], slices.Clone(point)
			point = s.shift(point, s.toHead(at.dir, at.wrap))
			if !s.isUndelivered(point) {
				break
			}
			s.facts.states = append(s.facts.states, fact{at, slices.Clone(point)})
		}
	}
}

// numWalks is the number of random packets.
const numWalks = 400

// shift returns a point after substitution.
func (f *family) shift(point []int64, by []form) []int64 {
	moved := slices.Clone(point)
	for v, x := range by {
		if x != nil {
			moved[v] = x.at(point)
		}
	}
	return moved
}

// channelOf returns the class of a VC, and a point with the coordinates of its tail and, in proofs about paths, the destination.
func (s *system) channelOf(n *model.Network, v model.VCID, state int, dest, setting []int) (class, []int64) {
	c, vc := n.Channel(v)
	if !n.IsLinkVC(v) {
		return injected, nil
	}
	dir, onto := s.directionOf(n, setting, c)
	at := s.coordinates(n, setting, n.Tail(c))
	if !s.pathsOnly {
		dest = make([]int, s.dims)
	}
	p := s.point(at, dest, setting)
	if s.complete() {
		p[s.firstExtra()+1] = int64(onto)
	}
	d := dir.Dim()
	wrap := s.wraps(d) && (dir.Minus() && at[d] == 0 || !dir.Minus() && at[d] == setting[d]-1)
	return class{dir, vc, state, wrap, s.regionAt(node{dir: dir, vc: vc}, p)}, p
}

// sizesUpTo returns the settings of the family's networks with at most the given number of
// places and each size at most most, small networks first.
func (f *family) sizesUpTo(switches, most int) (list [][]int) {
	choice := make([]int, len(f.sizes))
	for i := range choice {
		choice[i] = int(f.least[i])
	}
	zero := make([]int, f.dims)
	for {
		if sides := f.sidesOf(choice); product(sides) <= switches && f.isSize(f.point(zero, zero, sides)) {
			list = append(list, sides)
		}
		i := 0
		for ; i < len(choice); i++ {
			if choice[i]++; choice[i] <= most && product(f.sidesOf(choice)) <= switches {
				break
			}
			choice[i] = int(f.least[i])
		}
		if i == len(choice) {
			break
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return product(a) - product(b) })
	if len(f.faults) == 0 {
		return list
	}
	var all [][]int
	for _, sides := range list {
		all = append(all, f.settings(sides)...)
	}
	return all
}

// sidesOf returns the sides for a choice of sizes.
func (f *family) sidesOf(choice []int) []int {
	sides := make([]int, f.dims)
	for d, s := range f.shape {
		if sides[d] = s.Length; s.Name != "" {
			sides[d] = choice[slices.Index(f.sizes, s.Name)]
		}
	}
	return sides
}

func product(list []int) int {
	p := 1
	for _, x := range list {
		if p *= x; p > 1<<30 {
			return 1 << 30
		}
	}
	return p
}
