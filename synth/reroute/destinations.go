package reroute

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file says which orders of destinations are safe. The dependencies of a state are those of all destinations together.

// destinations is the space of destinations.
type destinations struct {
	g             *graph
	kept          []int32   // dependencies of the destinations that do not change
	old, now, mix [][]int32 // by part; drained, mix is now
	drained       bool
	open          []int // parts that have joined
	isSafe        bool  // the old dependencies have no cycle
	relaxed       *graph
}

func newDestinations(c Change, changed []int32, drained bool) *destinations {
	s := &destinations{g: newGraph(c.Network()), drained: drained, isSafe: true}
	walk, next := c.Walk(), 0
	for d := range model.DestID(c.NumDestinations()) {
		old := s.g.ids(walk(d, transition.Fixed(transition.OldEntry)))
		if next == len(changed) || changed[next] != int32(d) {
			s.kept = append(s.kept, old...)
			continue
		}
		next++
		now := s.g.ids(walk(d, transition.Fixed(transition.NewEntry)))
		mix := now
		if !drained {
			mix = s.g.ids(walk(d, transition.Fixed(transition.BothEntries)))
		}
		s.old, s.now, s.mix = append(s.old, old), append(s.now, now), append(s.mix, mix)
	}
	s.isSafe = s.g.add(s.kept)
	for _, list := range s.old {
		s.isSafe = s.isSafe && s.g.add(list)
	}
	s.relaxed = s.g.like()
	return s
}

func (s *destinations) size() int { return len(s.old) }

func (s *destinations) safe() bool { return s.isSafe }

func (s *destinations) ends() bool {
	last := s.g.like()
	ok := last.add(s.kept)
	for _, list := range s.now {
		ok = ok && last.add(list)
	}
	return ok
}

func (s *destinations) order(done []bool) []int {
	list, cost := remaining(done), make([]int, len(done))
	for _, i := range list {
		cost[i] = s.g.fresh(s.mix[i])
	}
	sortByFew(list, cost)
	return list
}

func (s *destinations) change(i int) bool {
	if s.drained {
		s.g.remove(s.old[i])
		if !s.g.add(s.now[i]) {
			s.g.mustAdd(s.old[i])
			return false
		}
		return true
	}
	if !s.g.add(s.mix[i]) {
		return false
	}
	s.g.mustAdd(s.now[i]) // among the mixed ones
	s.g.remove(s.mix[i])
	s.g.remove(s.old[i])
	return true
}

func (s *destinations) join(i int) bool {
	if !s.g.add(s.mix[i]) {
		return false
	}
	s.open = append(s.open, i)
	return true
}

func (s *destinations) close() {
	for _, i := range s.open {
		s.g.mustAdd(s.now[i])
		s.g.remove(s.mix[i])
		s.g.remove(s.old[i])
	}
	s.open = s.open[:0]
}

func (s *destinations) undo(i int) {
	s.g.remove(s.now[i])
	s.g.mustAdd(s.old[i])
}
