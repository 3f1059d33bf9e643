package cdg

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds a shortest cycle. In each strong component it runs a breadth-first search
// from one vertex after another, to a depth less than the length of the best cycle so far.
// After each search it removes the vertex, and every vertex that thereby loses its last
// dependency in or out. A ring is thus removed completely after one search. Cost: O(VCs ×
// dependencies) per component in the worst case. Dependency graphs of real networks have short
// cycles, so a search ends after a few steps.

// ShortestCycle returns the VCs of a shortest cycle, starting with the smallest VC. Each VC
// depends on the previous one, and the first on the last. The result is nil if and only if the
// graph is acyclic. It fails only if ctx ends.
func (g *Graph) ShortestCycle(ctx context.Context) ([]model.VCID, error) {
	components := g.CyclicComponents()
	if len(components) == 0 {
		return nil, nil
	}
	s := newCycleSearch(g, components)
	for _, c := range components {
		for _, v := range c {
			if s.alive[v] {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				s.search(v)
				s.remove(v)
			}
		}
	}
	return fromSmallest(s.best), nil
}

// ShortCycles returns a shortest cycle through each VC that is on a cycle, in the form of
// ShortestCycle: at most limit cycles, without duplicates. The result is empty if and only if
// the graph is acyclic. If ctx ends, ShortCycles returns the cycles found so far, at least one
// if the graph has a cycle. Cost: O(dependencies) of the component for each VC.
func (g *Graph) ShortCycles(ctx context.Context, limit int) (list [][]model.VCID) {
	components := g.CyclicComponents()
	if len(components) == 0 {
		return nil
	}
	s, known := newCycleSearch(g, components), map[string]bool{}
	for _, c := range components {
		for _, v := range c {
			if len(list) == limit || len(list) > 0 && ctx.Err() != nil {
				return list
			}
			s.best = nil
			s.search(v)
			cycle := fromSmallest(s.best)
			if key := fmt.Sprint(cycle); !known[key] {
				known[key] = true
				list = append(list, cycle)
			}
		}
	}
	return list
}

// fromSmallest rotates a cycle so that it starts with its smallest VC.
func fromSmallest(cycle []model.VCID) []model.VCID {
	first := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[first:], cycle[:first])
}

type cycleSearch struct {
	g       *Graph
	part    []int32 // by VC: 1 + its component, or 0 if it is on no cycle
	alive   []bool
	in, out []int32      // by VC: remaining dependencies within its component
	before  [][2]int32   // by VC: range of its predecessors in back
	back    []model.VCID // predecessors
	seen    []model.VCID // by VC: the last search that reached it
	from    []model.VCID // by VC: its predecessor in that search
	queue   []model.VCID
	best    []model.VCID
}

func newCycleSearch(g *Graph, components [][]model.VCID) *cycleSearch {
	n := g.NumVCs()
	s := &cycleSearch{
		g: g, part: make([]int32, n), alive: make([]bool, n), in: make([]int32, n), out: make([]int32, n),
		seen: make([]model.VCID, n), from: make([]model.VCID, n), before: make([][2]int32, n),
	}
	for i := range s.seen {
		s.seen[i] = model.NoVC
	}
	s.prepare(components)
	return s
}

// prepare marks the components and lists the predecessors within them.
func (s *cycleSearch) prepare(components [][]model.VCID) {
	for i, c := range components {
		for _, v := range c {
			s.alive[v], s.part[v] = true, int32(i)+1
		}
	}
	inside := func(visit func(v, w model.VCID)) {
		for _, c := range components {
			for _, v := range c {
				for _, w := range s.g.Next(v) {
					if s.part[w] == s.part[v] {
						visit(v, w)
					}
				}
			}
		}
	}
	total := int32(0)
	inside(func(v, w model.VCID) { s.out[v]++; s.in[w]++; total++ })
	s.back = make([]model.VCID, total)
	at := int32(0)
	for _, c := range components {
		for _, v := range c {
			s.before[v] = [2]int32{at, at}
			at += s.in[v]
		}
	}
	inside(func(v, w model.VCID) { s.back[s.before[w][1]] = v; s.before[w][1]++ })
}

// search looks for a cycle through root that is shorter than the best cycle.
func (s *cycleSearch) search(root model.VCID) {
	s.queue = append(s.queue[:0], root)
	s.seen[root], s.from[root] = root, model.NoVC
	depth, levelEnd := 1, 1 // number of vertices on the path to the current level of the queue
	for i := 0; i < len(s.queue); i++ {
		if i == levelEnd {
			depth, levelEnd = depth+1, len(s.queue)
		}
		if s.best != nil && depth >= len(s.best) {
			return
		}
		v := s.queue[i]
		for _, w := range s.g.Next(v) {
			if w == root {
				s.record(v, depth)
				return
			}
			if s.alive[w] && s.part[w] == s.part[root] && s.seen[w] != root {
				s.seen[w], s.from[w] = root, v
				s.queue = append(s.queue, w)
			}
		}
	}
}

// record stores the cycle that the dependency from v to the root closes.
func (s *cycleSearch) record(v model.VCID, length int) {
	s.best = make([]model.VCID, length)
	for i := length - 1; i >= 0; i-- {
		s.best[i], v = v, s.from[v]
	}
}

// remove removes v and every vertex that cannot be on a cycle without v.
func (s *cycleSearch) remove(v model.VCID) {
	s.alive[v] = false
	s.queue = append(s.queue[:0], v)
	for len(s.queue) > 0 {
		v := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		for _, w := range s.g.Next(v) {
			if s.part[w] == s.part[v] {
				s.drop(w, s.in)
			}
		}
		for _, w := range s.back[s.before[v][0]:s.before[v][1]] {
			s.drop(w, s.out)
		}
	}
}

// drop removes one dependency of w, in or out.
func (s *cycleSearch) drop(w model.VCID, count []int32) {
	if !s.alive[w] {
		return
	}
	if count[w]--; count[w] == 0 {
		s.alive[w] = false
		s.queue = append(s.queue, w)
	}
}

// Dependencies returns the dependencies of a cycle given by its VCs.
func Dependencies(cycle []model.VCID) []model.Turn {
	list := make([]model.Turn, len(cycle))
	for i, v := range cycle {
		list[i] = model.Turn{In: v, Out: cycle[(i+1)%len(cycle)]}
	}
	return list
}
