package parametric

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file collects facts about small networks (facts.go).

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

// hopOf returns the hop of a packet, output k of n in its state.
func (s *system) hopOf(from, to class, tail, head []int64, k, n int) dependency {
	return dependency{s.nodeOf(from), s.nodeOf(to), tail, head, k == 0, k == n-1}
}
