package cdg

import "github.com/turnproof/turnproof/model"

// This file finds strong components (Tarjan, SIAM J. Computing 1972) without recursion. Cost:
// O(VCs + dependencies) time, about 20 bytes per VC.

// CyclicComponents returns the strong components that contain a cycle, each sorted, in order of
// their smallest VC. The result is empty if and only if the graph is acyclic.
func (g *Graph) CyclicComponents() [][]model.VCID {
	return g.CyclicAmong(func(model.VCID) bool { return true })
}

// CyclicAmong returns the strong components with a cycle of the graph of those VCs that keep accepts, as CyclicComponents does.
func (g *Graph) CyclicAmong(keep func(model.VCID) bool) [][]model.VCID {
	n := g.NumVCs()
	s := &tarjan{g: g, index: make([]int32, n), low: make([]int32, n)}
	for v := range model.VCID(n) {
		if !keep(v) {
			s.index[v] = -1
		}
	}
	for v := range model.VCID(n) {
		if s.index[v] == 0 && len(g.Next(v)) > 0 {
			s.from(v)
		}
	}
	for _, c := range s.found {
		sortVCs(c)
	}
	sortByFirst(s.found)
	return s.found
}

type tarjan struct {
	g     *Graph
	index []int32 // by VC: order of discovery from 1; 0 if not discovered, -1 if in a finished component or left out
	low   []int32
	count int32
	stack []model.VCID // vertices of unfinished components
	calls []frame
	found [][]model.VCID
}

// frame is a vertex on the search path and the index of its next dependency.
type frame struct {
	v    model.VCID
	next int32
}

func (s *tarjan) enter(v model.VCID) {
	s.count++
	s.index[v], s.low[v] = s.count, s.count
	s.stack = append(s.stack, v)
	s.calls = append(s.calls, frame{v, s.g.start[v]})
}

func (s *tarjan) from(root model.VCID) {
	s.enter(root)
	for len(s.calls) > 0 {
		f := &s.calls[len(s.calls)-1]
		if f.next < s.g.start[f.v+1] {
			w := s.g.next[f.next]
			f.next++
			switch {
			case s.index[w] == 0:
				s.enter(w)
			case s.index[w] > 0:
				s.low[f.v] = min(s.low[f.v], s.index[w])
			}
			continue
		}
		v := f.v
		s.calls = s.calls[:len(s.calls)-1]
		if len(s.calls) > 0 {
			up := s.calls[len(s.calls)-1].v
			s.low[up] = min(s.low[up], s.low[v])
		}
		if s.low[v] == s.index[v] {
			s.finish(v)
		}
	}
}

// finish removes the component with root v from the stack and stores it if it contains a cycle.
func (s *tarjan) finish(v model.VCID) {
	i := len(s.stack) - 1
	for s.stack[i] != v {
		i--
	}
	for _, w := range s.stack[i:] {
		s.index[w] = -1
	}
	if len(s.stack)-i > 1 || s.g.Has(v, v) {
		s.found = append(s.found, append([]model.VCID(nil), s.stack[i:]...))
	}
	s.stack = s.stack[:i]
}
