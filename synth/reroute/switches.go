package reroute

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file says which orders of switches are safe. The dependencies of a state depend on all switches together: a packet reaches a
// switch by the entries of others.

// switches is the space of switches.
type switches struct {
	c        Change
	g        *graph
	walked   transition.Walk
	parts    []int32
	affected [][]model.DestID     // by part: the destinations whose entries differ there
	meets    []transition.Entries // by switch
	deps     [][]int32            // by destination: its dependencies in the current state
	drained  bool
	open     []int // parts that have joined
	isSafe   bool
}

func newSwitches(c Change, changed []int32, drained bool) *switches {
	s := &switches{c: c, g: newGraph(c.Network()), walked: c.Walk(), parts: changed, drained: drained, isSafe: true,
		meets: slices.Repeat([]transition.Entries{transition.OldEntry}, c.Network().NumSwitches()), deps: make([][]int32, c.NumDestinations())}
	for _, u := range changed {
		var list []model.DestID
		for d := range model.DestID(c.NumDestinations()) {
			if c.Differs(d, model.SwitchID(u)) {
				list = append(list, d)
			}
		}
		s.affected = append(s.affected, list)
	}
	for d := range s.deps {
		s.deps[d] = s.walk(model.DestID(d))
		s.isSafe = s.isSafe && s.g.add(s.deps[d])
	}
	return s
}

// walk returns the dependencies of packets to d in the current state.
func (s *switches) walk(d model.DestID) []int32 {
	return s.g.ids(s.walked(d, func(u model.SwitchID) transition.Entries { return s.meets[u] }))
}

func (s *switches) size() int { return len(s.parts) }

func (s *switches) safe() bool { return s.isSafe }

func (s *switches) ends() bool {
	last := newGraph(s.c.Network())
	for d := range model.DestID(s.c.NumDestinations()) {
		if !last.add(last.ids(s.walked(d, transition.Fixed(transition.NewEntry)))) {
			return false
		}
	}
	return true
}

func (s *switches) order(done []bool) []int { return remaining(done) }

// change changes the switch, through the state in which its packets meet both entries.
func (s *switches) change(i int) bool {
	u := s.parts[i]
	if !s.drained {
		if !s.set(i, transition.BothEntries) {
			s.meets[u] = transition.OldEntry
			return false
		}
	}
	if !s.set(i, transition.NewEntry) { // drained only
		s.meets[u] = transition.OldEntry
		return false
	}
	return true
}

func (s *switches) join(i int) bool {
	if !s.set(i, transition.BothEntries) {
		s.meets[s.parts[i]] = transition.OldEntry
		return false
	}
	s.open = append(s.open, i)
	return true
}

func (s *switches) close() {
	for _, i := range s.open {
		if !s.set(i, transition.NewEntry) {
			panic("reroute: a part of a state without a cycle has one")
		}
	}
	s.open = s.open[:0]
}

func (s *switches) undo(i int) {
	if !s.set(i, transition.OldEntry) {
		panic("reroute: the state before a change has a cycle")
	}
}

// set sets the entries of a switch. If the dependencies then have a cycle, it keeps those of before and returns false.
func (s *switches) set(i int, to transition.Entries) bool {
	s.meets[s.parts[i]] = to
	list := s.affected[i]
	before := make([][]int32, len(list))
	for k, d := range list {
		before[k] = s.deps[d]
		s.g.remove(before[k])
	}
	for k, d := range list {
		if s.deps[d] = s.walk(d); s.g.add(s.deps[d]) {
			continue
		}
		for _, e := range list[:k] {
			s.g.remove(s.deps[e])
		}
		for j, e := range list {
			s.deps[e] = before[j]
			s.g.mustAdd(before[j])
		}
		return false
	}
	return true
}

// blocked returns nil: no rule is known for switches.
func (s *switches) blocked([]bool) []int { return nil }
