package cdg

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds a shortest cycle. In each strong component it searches by
// breadth from one vertex after another, no deeper than the best cycle so far,
// and then takes the vertex away, together with what thereby loses its last
// dependency in or out: a ring falls apart after one search.
// Cost: O(VCs × dependencies) of a component at worst; dependency graphs of
// real networks have short cycles, so searches end after a few steps.

// ShortestCycle returns the VCs of a cycle of the least length, each depending
// on the one before and the first on the last, beginning with its smallest VC;
// nil iff the graph is acyclic. The only error is that of ctx.
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

// ShortCycles returns, for VCs that are on a cycle, a shortest one through each: at most limit
// cycles, each once, in the form of ShortestCycle. It is empty iff the graph is acyclic. When ctx
// ends it returns the cycles found so far, at least one if there is one.
// Cost: O(dependencies) of its component for each VC.
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

// fromSmallest turns a cycle so that it begins with its smallest VC.
func fromSmallest(cycle []model.VCID) []model.VCID {
	first := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[first:], cycle[:first])
}

type cycleSearch struct {
	g       *Graph
	part    []int32 // by VC: 1 + its component, 0: on no cycle
	alive   []bool
	in, out []int32      // by VC: dependencies within its component that are left
	before  [][2]int32   // by VC: its list in back
	back    []model.VCID // dependencies backwards
	seen    []model.VCID // by VC: search that met it last
	from    []model.VCID // by VC: the vertex before it in that search
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

// prepare marks the components and lists their dependencies backwards.
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

// search looks for a cycle through root that is shorter than the best one.
func (s *cycleSearch) search(root model.VCID) {
	s.queue = append(s.queue[:0], root)
	s.seen[root], s.from[root] = root, model.NoVC
	depth, levelEnd := 1, 1 // vertices on the path to the queue's current level
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

// record keeps the cycle that closes from v.
func (s *cycleSearch) record(v model.VCID, length int) {
	s.best = make([]model.VCID, length)
	for i := length - 1; i >= 0; i-- {
		s.best[i], v = v, s.from[v]
	}
}

// remove takes v away, and every vertex that cannot be on a cycle without it.
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

// drop counts one dependency of w less, in or out.
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
